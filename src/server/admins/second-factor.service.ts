import { SITE_NAME } from '#domain/site-name.ts'
import { failure } from '#server/kit/failure.ts'
import { isoNow } from '#server/kit/now.ts'
import { type SignedIn } from '#server/kit/ports.ts'
import { askPassword } from './account.service.ts'
import { endAccess, endedText, lockOwnAccount, noteAccount } from './account-access.service.ts'
import {
  adminById,
  changeAdmin,
  takeRecoveryCode,
  takeTotpStep,
  type StoredAdmin,
} from './admins.store.ts'
import { type AdminKit } from './open-admins.ts'
import { hasPasskey } from './passkeys.store.ts'
import {
  newRecoveryCodes,
  recoveryHash,
  sealedTotp,
  stepOfCode,
  TOTP_STEP_S,
  totpOf,
} from './second-factor-codes.ts'

/** What changes a second factor is asked again: the password and, where there is one, a code. */
type Proof = { readonly password: string; readonly code?: string | undefined }

/** Whether a code is one of the authenticator app, or one of those for a lost one, and uses it up. @throws AppError `unavailable` */
export async function isCodeRight(
  kit: AdminKit,
  { id, username, totpSecret }: StoredAdmin,
  code: string,
): Promise<boolean> {
  const { db, clock, secrets } = kit
  if (totpSecret === null) return true
  const recovery = recoveryHash(code)
  if (recovery === null) {
    const step = await stepOfCode(await totpOf(secrets, id, totpSecret), code, clock.now())
    return step !== null && (await takeTotpStep(db, id, step))
  }
  return db.transaction(async (tx) => {
    if (!(await takeRecoveryCode(tx, id, recovery))) return false
    await noteAccount(kit, tx, { id, username }, 'recovery code used')
    return true
  })
}

/** Asks for the password and, where an app is set up, for its code. @throws AppError `invalid` or `too_many` */
export async function proveOwner(
  kit: AdminKit,
  signedIn: SignedIn,
  { password, code = '' }: Proof,
): Promise<StoredAdmin> {
  // Counted as one try: a person who knows the password cannot guess codes at leisure either.
  return askPassword(kit, signedIn, password, 'password', async (found) => {
    if (found.totpSecret === null) return
    const given = code.replaceAll(/\s/g, '')
    const wrong =
      given === ''
        ? 'Please enter the code from your authenticator app.'
        : 'This code is wrong or was already used. Please enter the next one.'
    if (given === '' || !(await isCodeRight(kit, found, given))) {
      throw failure('invalid', wrong, { code: wrong })
    }
  })
}

/** Makes the secret of an authenticator app; it counts once a code of it has confirmed it. */
export async function startAuthenticator(
  kit: AdminKit,
  signedIn: SignedIn,
  password: string,
): Promise<{ secret: string; uri: string }> {
  const found = await askPassword(kit, signedIn, password)
  if (found.totpSecret !== null) {
    throw failure('conflict', 'An authenticator app is already set up. Please turn it off first.')
  }
  const { Secret, TOTP } = await import('otpauth')
  const secret = new Secret({ size: 20 })
  const totpPending = await sealedTotp(kit.secrets, found.id, secret.base32)
  await changeAdmin(kit.db, found.id, { totpPending })
  const totp = new TOTP({ secret, issuer: SITE_NAME, label: found.username, period: TOTP_STEP_S })
  return { secret: secret.base32, uri: totp.toString() }
}

/** @returns what to say, and the codes for a lost authenticator */
export async function confirmAuthenticator(
  kit: AdminKit,
  signedIn: SignedIn,
  given: string,
): Promise<{ message: string; recovery_codes: string[] }> {
  const { db, clock, secrets } = kit
  const found = await adminById(db, signedIn.admin.id)
  const pending = found?.totpPending ?? null
  if (!found || pending === null) {
    throw failure('conflict', 'Please start setting it up again.')
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
    const ended = await endAccess(tx, found.id, isoNow(kit), ending)
    await noteAccount(kit, tx, signedIn.admin, 'second factor turned on', { after: ended })
    const hasEnded = ended.sessions + ended.tokens > 0
    return `The second factor is on.${hasEnded ? ` ${endedText(ended, true)}` : ''}`
  })
  return { message, recovery_codes: codes }
}

/** Makes other recovery codes; those before end. */
export async function renewOwnRecoveryCodes(
  kit: AdminKit,
  signedIn: SignedIn,
  proof: Proof,
): Promise<string[]> {
  const found = await proveOwner(kit, signedIn, proof)
  if (found.totpSecret === null) {
    throw failure('conflict', 'Recovery codes go with an authenticator app. Please set one up.')
  }
  const { codes, hashes } = newRecoveryCodes()
  await kit.db.transaction(async (tx) => {
    await changeAdmin(tx, found.id, { recoveryCodes: hashes })
    await noteAccount(kit, tx, signedIn.admin, 'recovery codes made')
  })
  return codes
}

/** @throws AppError `conflict` for the last second factor of a site that needs one */
export async function dropAuthenticator(
  kit: AdminKit,
  signedIn: SignedIn,
  proof: Proof,
): Promise<void> {
  const { config, db } = kit
  const found = await proveOwner(kit, signedIn, proof)
  await db.transaction(async (tx) => {
    await lockOwnAccount(tx, signedIn)
    if (config.admin.needsSecondFactor && !(await hasPasskey(tx, found.id))) {
      throw failure(
        'conflict',
        'This site requires a second factor. Please add a passkey before you turn this one off.',
      )
    }
    await changeAdmin(tx, found.id, { totpSecret: null, totpPending: null, recoveryCodes: [] })
    await noteAccount(kit, tx, signedIn.admin, 'second factor turned off')
  })
}
