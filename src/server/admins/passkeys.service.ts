import { and, eq, lt } from 'drizzle-orm'
import { z } from 'zod'
import { SITE_NAME } from '#domain/site.ts'
import { passkeyChallenges, passkeys } from '#server/database/schema/admins.ts'
import { type Admin, type SignedIn } from '#server/kit/admin.ts'
import { firstRow, hasEffect } from '#server/kit/db.ts'
import { failure } from '#server/kit/failure.ts'
import { jsonOrNull } from '#server/kit/text.ts'
import { isoIn, isoNow } from '#server/kit/time.ts'
import { sha256 } from '#server/kit/tokens.ts'
import { adminById } from './admins.store.ts'
import * as sessions from './sessions.service.ts'

const CHALLENGE_MS = 5 * 60_000
const MOST_PASSKEYS = 20
const REFUSED = 'This passkey was not accepted. Please try again, or sign in with your password.'

const base64url = z.string().regex(/^[\w-]+$/)
const Transports = z.array(
  z.enum(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']),
)
/** A device's response; @simplewebauthn validates its content. */
const credential = {
  id: base64url.max(1_400),
  rawId: base64url.max(1_400),
  type: z.literal('public-key'),
  clientExtensionResults: z.looseObject({}),
}
const Registration = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url.max(20_000),
    attestationObject: base64url.max(100_000),
    transports: Transports.default([]),
  }),
})
const Assertion = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url.max(20_000),
    authenticatorData: base64url.max(20_000),
    signature: base64url.max(4_000),
    userHandle: base64url.max(200).exactOptional(),
  }),
})
const ClientData = z.object({ challenge: base64url.max(400) })

const library = () => import('@simplewebauthn/server')
type OptionsKit = Pick<sessions.AdminKit, 'db' | 'clock'> & {
  readonly config: Pick<sessions.AdminKit['config'], 'origin'>
}

const hostOf = ({ config }: Pick<OptionsKit, 'config'>): string => new URL(config.origin).hostname

export async function passkeySignInOptions(kit: sessions.AdminKit) {
  const { generateAuthenticationOptions } = await library()
  const options = await generateAuthenticationOptions({
    rpID: hostOf(kit),
    userVerification: 'required',
  })
  await keepChallenge(kit, options.challenge, null)
  return { ...options }
}

/** Signs in by passkey, which counts as two factors: the device and its lock. @throws AppError `unauthorized` */
export async function passkeySignIn(
  kit: sessions.AdminKit,
  response: unknown,
  visitor: sessions.Visitor,
): Promise<sessions.Session> {
  const { config, db, refusals } = kit
  const refused = (admin: Admin | null = null) => {
    refusals.signIn('passkey refused', admin, visitor.address)
    return failure('unauthorized', REFUSED)
  }
  const read = Assertion.safeParse(response)
  if (!read.success) throw refused()
  const expectedChallenge = await spentChallenge(kit, read.data.response.clientDataJSON, null)
  const isIt = eq(passkeys.id, read.data.id)
  const passkey = await firstRow(db.select().from(passkeys).where(isIt))
  const admin = passkey && (await adminById(db, passkey.adminId))
  if (expectedChallenge === null || !passkey || !admin) throw refused(admin)
  const { verifyAuthenticationResponse } = await library()
  const result = await verifyAuthenticationResponse({
    response: read.data,
    expectedChallenge,
    expectedOrigin: config.origin,
    expectedRPID: hostOf(kit),
    requireUserVerification: true,
    credential: {
      id: passkey.id,
      publicKey: new Uint8Array(passkey.publicKey),
      counter: passkey.counter,
      transports: Transports.catch([]).parse(passkey.transports),
    },
  }).catch(() => null)
  if (!result?.verified) throw refused(admin)
  await db
    .update(passkeys)
    .set({ counter: result.authenticationInfo.newCounter, usedAt: isoNow(kit) })
    .where(isIt)
  return sessions.beginSession(kit, admin, { how: 'passkey', passkeyId: passkey.id }, visitor)
}

/** Options to create a passkey. The owner must have been authenticated again before. */
export async function optionsForNewPasskey(kit: OptionsKit, admin: Admin) {
  const { id } = passkeys
  const known = await kit.db.select({ id }).from(passkeys).where(eq(passkeys.adminId, admin.id))
  if (known.length >= MOST_PASSKEYS) {
    throw failure('conflict', 'An account has at most 20 passkeys. Please remove one first.')
  }
  const { generateRegistrationOptions } = await library()
  const options = await generateRegistrationOptions({
    rpName: SITE_NAME,
    rpID: hostOf(kit),
    userName: admin.username,
    userID: new TextEncoder().encode(`admin-${String(admin.id)}`),
    excludeCredentials: known,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  await keepChallenge(kit, options.challenge, admin.id)
  const { rp, user } = options
  return { ...options, rp: { ...rp }, user: { ...user } }
}

/** @returns the message to show @throws AppError `invalid` or `conflict` */
export async function addOwnPasskey(
  kit: sessions.AdminKit,
  signedIn: SignedIn,
  name: string,
  credential: unknown,
): Promise<string> {
  const { admin, id: sessionId, hasSecondFactor } = signedIn
  const wrong = failure('invalid', 'This passkey could not be added. Please try again.')
  const read = Registration.safeParse(credential)
  if (!read.success) throw wrong
  const { response } = read.data
  const expectedChallenge = await spentChallenge(kit, response.clientDataJSON, admin.id)
  if (expectedChallenge === null) throw wrong
  const { verifyRegistrationResponse } = await library()
  const result = await verifyRegistrationResponse({
    response: read.data,
    expectedChallenge,
    expectedOrigin: kit.config.origin,
    expectedRPID: hostOf(kit),
    requireUserVerification: true,
  }).catch(() => null)
  if (!result?.verified) throw wrong
  const made = result.registrationInfo.credential
  return kit.db.transaction(async (tx) => {
    await sessions.lockOwnAccount(tx, signedIn)
    const { id, publicKey, counter } = made
    const own = { id, publicKey, counter, name, adminId: admin.id, createdAt: isoNow(kit) }
    const adding = tx.insert(passkeys).values({ ...own, transports: response.transports })
    if (!(await hasEffect(adding.onConflictDoNothing())))
      throw failure('conflict', 'This passkey is already registered.')
    // The account's first second factor: ends sessions and tokens created without one.
    const ended = await sessions.endAccess(tx, admin.id, isoNow(kit), {
      sessions: !hasSecondFactor,
      exceptSession: sessionId,
      tokens: !hasSecondFactor,
    })
    await sessions.noteAccount(kit, tx, admin, 'passkey added', { after: { name, ...ended } })
    const hasEnded = ended.sessions + ended.tokens > 0
    return `Passkey added.${hasEnded ? ` ${sessions.endedText(ended, true)}` : ''}`
  })
}

/** The owner must have been authenticated again before. @throws AppError `not_found` */
export async function dropOwnPasskey(kit: sessions.AdminKit, signedIn: SignedIn, id: string) {
  const { admin } = signedIn
  await kit.db.transaction(async (tx) => {
    await sessions.lockOwnAccount(tx, signedIn)
    const [before] = await tx
      .delete(passkeys)
      .where(and(eq(passkeys.id, id), eq(passkeys.adminId, admin.id)))
      .returning({ name: passkeys.name })
    if (!before) throw failure('not_found', 'You have no such passkey.')
    await sessions.noteAccount(kit, tx, admin, 'passkey removed', { before })
  })
}

async function keepChallenge(kit: OptionsKit, challenge: string, adminId: number | null) {
  const row = { id: sha256(challenge), adminId, expiresAt: isoIn(kit, CHALLENGE_MS) }
  await kit.db.delete(passkeyChallenges).where(lt(passkeyChallenges.expiresAt, isoNow(kit)))
  await kit.db.insert(passkeyChallenges).values(row)
}

/** Consumes the challenge that a device answered; null when it is unknown, used or expired. */
async function spentChallenge(
  { db, clock }: Pick<OptionsKit, 'db' | 'clock'>,
  clientDataJSON: string,
  adminId: number | null,
): Promise<string | null> {
  const text = Buffer.from(clientDataJSON, 'base64url').toString('utf8')
  const challenge = ClientData.safeParse(jsonOrNull(text)).data?.challenge
  if (challenge === undefined) return null
  const isIt = eq(passkeyChallenges.id, sha256(challenge))
  const row = await firstRow(db.delete(passkeyChallenges).where(isIt).returning())
  return row?.adminId === adminId && Date.parse(row.expiresAt) > clock.now() ? challenge : null
}
