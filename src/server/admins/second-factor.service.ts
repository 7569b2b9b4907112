import { failure } from '#server/kit/failure.ts'
import { type Clock } from '#server/kit/ports.ts'
import { adminById, changeAdmin, takeTotpStep, type StoredAdmin } from './admins.store.ts'
import { writeAudit, type AuditState } from '#server/kit/audit.ts'
import { type Db } from '#server/kit/db.ts'
import { hasPasskey } from './passkeys.store.ts'
import { endAccess, endedText, lockOwnAccount } from './account-access.service.ts'
import { askPassword, type AccountKit } from './account.service.ts'
import {
  newRecoveryCodes,
  sealedTotp,
  stepOfCode,
  TOTP_STEP_S,
  totpOf,
} from './second-factor-codes.ts'
import { type Secrets } from '#server/kit/secret-box.ts'
import { type SignIn } from './sign-in.service.ts'
import { type SignedIn } from '#server/kit/ports.ts'

const ISSUER = 'Proof of Price'

/** What changes a second factor is asked again: the password and, where there is one, a code. */
type Proof = { readonly password: string; readonly code?: string | undefined }

export type SecondFactors = ReturnType<typeof secondFactorService>

/** The authenticator app of the own account, and the codes for a lost one. */
export function secondFactorService({
  db,
  clock,
  secrets,
  account,
  signIn,
  needsSecondFactor,
}: {
  db: Db
  clock: Clock
  secrets: Secrets
  account: AccountKit
  signIn: Pick<SignIn, 'isCodeRight'>
  needsSecondFactor: boolean
}) {
  const now = (): string => new Date(clock.now()).toISOString()

  function note(tx: Db, { admin }: SignedIn, action: string, after: AuditState = null) {
    const subject = { kind: 'admin', id: admin.id }
    return writeAudit(tx, { at: now(), admin, action, subject, after })
  }

  /** Asks for the password and, where an app is set up, for its code. @throws AppError `invalid` or `too_many` */
  async function prove(signedIn: SignedIn, { password, code = '' }: Proof): Promise<StoredAdmin> {
    // Counted as one try: whoever knows the password cannot guess codes at leisure either.
    return askPassword(account, signedIn, password, 'password', async (found) => {
      if (found.totpSecret === null) return
      const given = code.replaceAll(/\s/g, '')
      const wrong =
        given === ''
          ? 'Please enter the code of your authenticator app.'
          : 'This code is wrong or was used already. Please enter the next one.'
      if (given === '' || !(await signIn.isCodeRight(found, given))) {
        throw failure('invalid', wrong, { code: wrong })
      }
    })
  }

  return {
    prove,

    async start(signedIn: SignedIn, password: string): Promise<{ secret: string; uri: string }> {
      const found = await askPassword(account, signedIn, password)
      if (found.totpSecret !== null) {
        throw failure(
          'conflict',
          'An authenticator app is set up already. Please turn it off first.',
        )
      }
      const { Secret, TOTP } = await import('otpauth')
      const secret = new Secret({ size: 20 })
      const totpPending = await sealedTotp(secrets, found.id, secret.base32)
      await changeAdmin(db, found.id, { totpPending })
      const totp = new TOTP({ secret, issuer: ISSUER, label: found.username, period: TOTP_STEP_S })
      return { secret: secret.base32, uri: totp.toString() }
    },

    /** @returns what to say, and the codes for a lost authenticator */
    async confirm(
      signedIn: SignedIn,
      given: string,
    ): Promise<{ message: string; recovery_codes: string[] }> {
      const found = await adminById(db, signedIn.admin.id)
      const pending = found?.totpPending ?? null
      if (!found || pending === null) {
        throw failure('conflict', 'Please start again: no secret is waiting.')
      }
      const code = given.replaceAll(/\s/g, '')
      const step = await stepOfCode(await totpOf(secrets, found.id, pending), code, clock.now())
      if (step === null) {
        const wrong = 'This code is wrong. Please check the clock of your device.'
        throw failure('invalid', wrong, { code: wrong })
      }
      const { codes, hashes } = newRecoveryCodes()
      const message = await db.transaction(async (tx) => {
        await lockOwnAccount(tx, signedIn)
        await changeAdmin(tx, found.id, {
          totpSecret: pending,
          totpPending: null,
          recoveryCodes: hashes,
        })
        await takeTotpStep(tx, found.id, step)
        // With the first second factor all ends that was made without one.
        const tokens = !signedIn.hasSecondFactor
        const ending = { sessions: true, keptSession: signedIn.id, tokens }
        const ended = await endAccess(tx, found.id, now(), ending)
        await note(tx, signedIn, 'second factor turned on', { ...ended })
        const hasEnded = ended.sessions + ended.tokens > 0
        return `The second factor is on.${hasEnded ? ` ${endedText(ended, true)}` : ''}`
      })
      return { message, recovery_codes: codes }
    },

    /** Makes other recovery codes; those before end. */
    async renewCodes(signedIn: SignedIn, proof: Proof): Promise<string[]> {
      const found = await prove(signedIn, proof)
      if (found.totpSecret === null) {
        throw failure('conflict', 'Recovery codes go with an authenticator app. Please set one up.')
      }
      const { codes, hashes } = newRecoveryCodes()
      await db.transaction(async (tx) => {
        await changeAdmin(tx, found.id, { recoveryCodes: hashes })
        await note(tx, signedIn, 'recovery codes made')
      })
      return codes
    },

    async drop(signedIn: SignedIn, proof: Proof): Promise<void> {
      const found = await prove(signedIn, proof)
      await db.transaction(async (tx) => {
        await lockOwnAccount(tx, signedIn)
        if (needsSecondFactor && !(await hasPasskey(tx, found.id))) {
          throw failure(
            'conflict',
            'This site asks for a second factor. Please add a passkey before you turn this one off.',
          )
        }
        await changeAdmin(tx, found.id, { totpSecret: null, totpPending: null, recoveryCodes: [] })
        await note(tx, signedIn, 'second factor turned off')
      })
    },
  }
}
