import { type newPasskeyOptions } from '#contracts/admins.ts'
import { failure } from '#server/kit/failure.ts'
import { type Admin, type Clock } from '#server/kit/ports.ts'
import { adminById } from './admins.store.ts'
import { writeAudit } from '#server/kit/audit.ts'
import { type Db } from '#server/kit/db.ts'
import {
  addChallenge,
  addPasskey,
  dropPasskey,
  hasPasskey,
  notePasskeyUsed,
  passkeyById,
  passkeysOf,
  spendChallenge,
} from './passkeys.store.ts'
import { endAccess, endedText, lockOwnAccount } from './account-access.service.ts'
import { type Refusals } from './refusals.service.ts'
import { type SignIn, type Visitor } from './sign-in.service.ts'
import { type SignedIn } from '#server/kit/ports.ts'
import { z } from 'zod'
import { sha256 } from '#server/kit/tokens.ts'

const CHALLENGE_MS = 5 * 60_000
const MOST_PASSKEYS = 20
const REFUSED = 'This passkey was not accepted. Please try again, or sign in with your password.'

const base64url = z.string().regex(/^[\w-]+$/)
/** The parts that decide; @simplewebauthn checks what they hold. */
const Registration = z.looseObject({
  id: base64url.max(1_400),
  rawId: base64url.max(1_400),
  type: z.literal('public-key'),
  response: z.looseObject({
    clientDataJSON: base64url.max(20_000),
    attestationObject: base64url.max(100_000),
    transports: z
      .array(z.enum(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']))
      .optional(),
  }),
  clientExtensionResults: z.looseObject({}),
})
const Assertion = z.looseObject({
  id: base64url.max(1_400),
  rawId: base64url.max(1_400),
  type: z.literal('public-key'),
  response: z.looseObject({
    clientDataJSON: base64url.max(20_000),
    authenticatorData: base64url.max(20_000),
    signature: base64url.max(4_000),
    userHandle: base64url.max(200).optional(),
  }),
  clientExtensionResults: z.looseObject({}),
})
const ClientData = z.object({ challenge: base64url.max(400) })
const Transports = z.array(
  z.enum(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']),
)

export type Passkeys = ReturnType<typeof passkeyService>

/** Signing in with what a device keeps (WebAuthn). A passkey is two factors by itself: the device and its lock. */
export function passkeyService({
  db,
  clock,
  origin,
  signIn,
  refusals,
  needsSecondFactor,
}: {
  db: Db
  clock: Clock
  origin: string
  signIn: SignIn
  refusals: Refusals
  needsSecondFactor: boolean
}) {
  const isoIn = (ms: number): string => new Date(clock.now() + ms).toISOString()
  const rpID = new URL(origin).hostname
  const library = () => import('@simplewebauthn/server')

  function keep(challenge: string, adminId: number | null): Promise<void> {
    const given = { id: sha256(challenge), adminId, expiresAt: isoIn(CHALLENGE_MS) }
    return addChallenge(db, given, isoIn(0))
  }

  /** The challenge a device answered, used up; null when it was not ours. */
  async function answered(clientDataJSON: string, adminId: number | null): Promise<string | null> {
    const { challenge } = clientDataOf(clientDataJSON) ?? {}
    if (challenge === undefined) return null
    return (await spendChallenge(db, sha256(challenge), adminId, isoIn(0))) ? challenge : null
  }

  return {
    async options(): Promise<Record<string, unknown>> {
      const { generateAuthenticationOptions } = await library()
      const options = await generateAuthenticationOptions({ rpID, userVerification: 'required' })
      await keep(options.challenge, null)
      return { ...options }
    },

    /** @throws AppError `unauthorized` */
    async login(given: unknown, visitor: Visitor): Promise<{ token: string; username: string }> {
      const refused = (admin: Admin | null = null) => {
        refusals.signIn('passkey refused', admin, visitor.address)
        return failure('unauthorized', REFUSED)
      }
      const read = Assertion.safeParse(given)
      if (!read.success) throw refused()
      const expectedChallenge = await answered(read.data.response.clientDataJSON, null)
      const passkey = await passkeyById(db, read.data.id)
      const admin = passkey && (await adminById(db, passkey.adminId))
      if (expectedChallenge === null || !passkey || !admin) throw refused(admin)
      const { verifyAuthenticationResponse } = await library()
      const { response, id, rawId, type, clientExtensionResults } = read.data
      const { clientDataJSON, authenticatorData, signature, userHandle } = response
      const result = await verifyAuthenticationResponse({
        response: {
          id,
          rawId,
          type,
          clientExtensionResults,
          response: {
            clientDataJSON,
            authenticatorData,
            signature,
            ...(userHandle === undefined ? {} : { userHandle }),
          },
        },
        expectedChallenge,
        expectedOrigin: origin,
        expectedRPID: rpID,
        requireUserVerification: true,
        credential: {
          id: passkey.id,
          publicKey: new Uint8Array(passkey.publicKey),
          counter: passkey.counter,
          transports: Transports.catch([]).parse(passkey.transports),
        },
      }).catch(() => null)
      if (!result?.verified) throw refused(admin)
      await notePasskeyUsed(db, passkey.id, {
        counter: result.authenticationInfo.newCounter,
        usedAt: isoIn(0),
      })
      return signIn.open(admin, { how: 'passkey', passkeyId: passkey.id }, visitor)
    },

    async newOptions(admin: Admin): Promise<z.input<typeof newPasskeyOptions.reply>['options']> {
      const known = await passkeysOf(db, admin.id)
      if (known.length >= MOST_PASSKEYS) {
        throw failure('conflict', 'An account has at most 20 passkeys. Please remove one first.')
      }
      const { generateRegistrationOptions } = await library()
      const options = await generateRegistrationOptions({
        rpName: 'Proof of Price',
        rpID,
        userName: admin.username,
        userID: new TextEncoder().encode(`admin-${String(admin.id)}`),
        excludeCredentials: known.map(({ id }) => ({ id })),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      })
      await keep(options.challenge, admin.id)
      const { rp, user } = options
      return { ...options, rp: { ...rp }, user: { ...user } }
    },

    /** @returns what to say @throws AppError `invalid` or `conflict` */
    async add(signedIn: SignedIn, name: string, given: unknown): Promise<string> {
      const { admin, id: sessionId, hasSecondFactor } = signedIn
      const wrong = failure('invalid', 'This passkey could not be added. Please try again.')
      const read = Registration.safeParse(given)
      if (!read.success) throw wrong
      const { response, id, rawId, type, clientExtensionResults } = read.data
      const expectedChallenge = await answered(response.clientDataJSON, admin.id)
      if (expectedChallenge === null) throw wrong
      const { verifyRegistrationResponse } = await library()
      const { clientDataJSON, attestationObject, transports = [] } = response
      const result = await verifyRegistrationResponse({
        response: {
          id,
          rawId,
          type,
          clientExtensionResults,
          response: { clientDataJSON, attestationObject, transports },
        },
        expectedChallenge,
        expectedOrigin: origin,
        expectedRPID: rpID,
        requireUserVerification: true,
      }).catch(() => null)
      if (!result?.verified) throw wrong
      const { credential } = result.registrationInfo
      return db.transaction(async (tx) => {
        await lockOwnAccount(tx, signedIn)
        const isNew = await addPasskey(tx, {
          id: credential.id,
          adminId: admin.id,
          name,
          publicKey: credential.publicKey,
          counter: credential.counter,
          transports,
          createdAt: isoIn(0),
        })
        if (!isNew) throw failure('conflict', 'This passkey is registered already.')
        // The first second factor of an account: sessions without one sign in again, and scripts need new tokens.
        const ended = await endAccess(tx, admin.id, isoIn(0), {
          sessions: !hasSecondFactor,
          keptSession: sessionId,
          tokens: !hasSecondFactor,
        })
        await writeAudit(tx, {
          at: isoIn(0),
          admin,
          action: 'passkey added',
          subject: { kind: 'admin', id: admin.id },
          after: { name, ...ended },
        })
        const hasEnded = ended.sessions + ended.tokens > 0
        return `Passkey added.${hasEnded ? ` ${endedText(ended, true)}` : ''}`
      })
    },

    /** Call it once the password was asked for. @throws AppError `not_found`; `conflict` for the last second factor of a site that needs one */
    async drop(signedIn: SignedIn, id: string): Promise<void> {
      const { admin } = signedIn
      await db.transaction(async (tx) => {
        const { totpSecret } = await lockOwnAccount(tx, signedIn)
        const name = await dropPasskey(tx, admin.id, id)
        if (name === null) throw failure('not_found', 'You have no such passkey.')
        if (needsSecondFactor && totpSecret === null && !(await hasPasskey(tx, admin.id))) {
          throw failure(
            'conflict',
            'This site asks for a second factor. Please add another passkey or an authenticator app before you remove this one.',
          )
        }
        await writeAudit(tx, {
          at: isoIn(0),
          admin,
          action: 'passkey removed',
          subject: { kind: 'admin', id: admin.id },
          before: { name },
        })
      })
    },
  }
}

function clientDataOf(text: string): { challenge: string } | null {
  try {
    return ClientData.parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')))
  } catch {
    return null
  }
}
