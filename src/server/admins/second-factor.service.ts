import { randomInt } from 'node:crypto'
import { SITE_NAME } from '#domain/site.ts'
import { type SignedIn, writeAudit } from '#server/kit/admin.ts'
import { type Db } from '#server/kit/db.ts'
import { failure, invalid } from '#server/kit/failure.ts'
import { SecretsKeyError, isSealed, type SecretBox, type Secrets } from '#server/kit/secrets.ts'
import { type AdminSettings } from '#server/kit/settings/admins.ts'
import { isoNow, type Clock } from '#server/kit/time.ts'
import { sha256 } from '#server/kit/tokens.ts'
import { askPassword } from './account.service.ts'
import * as store from './admins.store.ts'
import {
  endAccess,
  endedText,
  lockOwnAccount,
  noteAccount,
  EVERYTHING,
  type AdminKit,
} from './sessions.service.ts'

export const TOTP_STEP_S = 30
const RECOVERY_CODES = 10
/** Base32 without characters that look alike, as people type codes from paper. */
const LETTERS = 'ABCDEFGHJKMNPQRSTVWXYZ23456789'
const RECOVERY_LETTERS = 16

function aboutTotp(adminId: number): string {
  return `totp of admin ${String(adminId)}`
}

const LOST_KEY =
  "Codes cannot be checked: this site's key for second factors is missing. Sign in with a recovery code or a passkey, or ask the operator to restore the key."
const NO_KEY =
  'An authenticator app cannot be set up: this site has no key for second factors. Please add a passkey, or ask the operator to set SECRETS_KEY.'

/**
 * @param kept sealed, or in the clear as stored by versions before encryption
 * @returns base32
 * @throws AppError `unavailable` where the key is lost
 */
async function totpOf(secrets: Secrets, adminId: number, stored: string): Promise<string> {
  if (!isSealed(stored)) return stored
  const secret = (await boxOf(secrets, LOST_KEY)).open(stored, aboutTotp(adminId))
  if (secret === null) throw failure('unavailable', LOST_KEY)
  return secret
}

function boxOf(secrets: Secrets, sentence: string): Promise<SecretBox> {
  return secrets().catch((error: unknown) => {
    throw error instanceof SecretsKeyError ? failure('unavailable', sentence) : error
  })
}

/** The time step of a code, with one step of tolerance; null for a wrong code. @param secret base32 */
export async function stepOfCode(secret: string, code: string, nowMs: number) {
  if (!/^\d{6}$/.test(code)) return null
  const { Secret, TOTP } = await import('otpauth')
  const totp = new TOTP({ secret: Secret.fromBase32(secret), period: TOTP_STEP_S })
  const delta = totp.validate({ token: code, window: 1, timestamp: nowMs })
  return delta === null ? null : Math.floor(nowMs / 1_000 / TOTP_STEP_S) + delta
}

/** Recovery codes such as `K7QM-2F9A-…`, each for one use, with the hashes to store. */
function newRecoveryCodes(): { codes: string[]; hashes: string[] } {
  const codes = Array.from({ length: RECOVERY_CODES }, () => {
    const letters = Array.from({ length: RECOVERY_LETTERS }, () =>
      LETTERS.charAt(randomInt(LETTERS.length)),
    )
    return letters.join('').replaceAll(/(.{4})(?=.)/g, '$1-')
  })
  return { codes, hashes: codes.map((code) => sha256(code.replaceAll('-', ''))) }
}

/** Hash of a recovery code, ignoring case and separators; null for other input. */
function recoveryHash(code: string): string | null {
  const bare = code.toUpperCase().replaceAll(/[\s-]/g, '')
  return bare.length === RECOVERY_LETTERS ? sha256(bare) : null
}

type Proof = { readonly password: string; readonly code?: string | undefined }

/** Checks a code of the authenticator app or a recovery code, and marks it as used. @throws AppError `unavailable` */
export async function isCodeRight(
  kit: AdminKit,
  { id, username, totpSecret }: store.StoredAdmin,
  code: string,
): Promise<boolean> {
  const { db, clock, secrets } = kit
  if (totpSecret === null) return true
  const recovery = recoveryHash(code)
  if (recovery === null) {
    const step = await stepOfCode(await totpOf(secrets, id, totpSecret), code, clock.now())
    return step !== null && (await store.takeTotpStep(db, id, step))
  }
  return db.transaction(async (tx) => {
    if (!(await store.takeRecoveryCode(tx, id, recovery))) return false
    await noteAccount(kit, tx, { id, username }, 'recovery code used')
    return true
  })
}

/** Checks the password and, with an authenticator app, a code. @throws AppError `invalid` or `too_many` */
export async function proveOwner(
  kit: AdminKit,
  signedIn: SignedIn,
  { password, code = '' }: Proof,
): Promise<store.StoredAdmin> {
  // Counted as one attempt: codes cannot be guessed faster by somebody who knows the password.
  return askPassword(kit, signedIn, password, 'password', async (found) => {
    if (found.totpSecret === null) return
    const digits = code.replaceAll(/\s/g, '')
    const wrong =
      digits === ''
        ? 'Please enter the code from your authenticator app.'
        : 'This code is wrong or was already used. Please enter the next one.'
    if (digits === '' || !(await isCodeRight(kit, found, digits))) {
      throw invalid({ code: wrong })
    }
  })
}

/** Creates the secret of an authenticator app, which takes effect once a code confirms it. */
export async function startAuthenticator(kit: AdminKit, signedIn: SignedIn, password: string) {
  const found = await askPassword(kit, signedIn, password)
  if (found.totpSecret !== null) {
    throw failure('conflict', 'An authenticator app is already set up. Please turn it off first.')
  }
  const { Secret, TOTP } = await import('otpauth')
  const secret = new Secret({ size: 20 })
  const box = await boxOf(kit.secrets, NO_KEY)
  const totpPending = box.seal(secret.base32, aboutTotp(found.id))
  await store.changeAdmin(kit.db, found.id, { totpPending })
  const totp = new TOTP({ secret, issuer: SITE_NAME, label: found.username, period: TOTP_STEP_S })
  return { secret: secret.base32, uri: totp.toString() }
}

/** @returns the message to show, and the recovery codes */
export async function confirmAuthenticator(kit: AdminKit, signedIn: SignedIn, entered: string) {
  const { db, clock, secrets } = kit
  const found = await store.adminById(db, signedIn.admin.id)
  const pending = found?.totpPending ?? null
  if (!found || pending === null) {
    throw failure('conflict', 'Please start the setup again.')
  }
  const code = entered.replaceAll(/\s/g, '')
  const step = await stepOfCode(await totpOf(secrets, found.id, pending), code, clock.now())
  if (step === null) {
    const wrong = 'This code is wrong. Please check the clock of your device.'
    throw invalid({ code: wrong })
  }
  const { codes, hashes } = newRecoveryCodes()
  const message = await db.transaction(async (tx) => {
    await lockOwnAccount(tx, signedIn)
    await store.changeAdmin(tx, found.id, {
      totpSecret: pending,
      totpPending: null,
      recoveryCodes: hashes,
    })
    await store.takeTotpStep(tx, found.id, step)
    // The account's first second factor: ends everything created without one.
    const tokens = !signedIn.hasSecondFactor
    const ending = { sessions: true, exceptSession: signedIn.id, tokens }
    const ended = await endAccess(tx, found.id, isoNow(kit), ending)
    await noteAccount(kit, tx, signedIn.admin, 'second factor turned on', { after: ended })
    const hasEnded = ended.sessions + ended.tokens > 0
    return `The second factor is on.${hasEnded ? ` ${endedText(ended, true)}` : ''}`
  })
  return { message, recovery_codes: codes }
}

export async function renewOwnRecoveryCodes(kit: AdminKit, signedIn: SignedIn, proof: Proof) {
  const found = await proveOwner(kit, signedIn, proof)
  if (found.totpSecret === null) {
    throw failure('conflict', 'Recovery codes go with an authenticator app. Please set one up.')
  }
  const { codes, hashes } = newRecoveryCodes()
  await kit.db.transaction(async (tx) => {
    await lockOwnAccount(tx, signedIn)
    await store.changeAdmin(tx, found.id, { recoveryCodes: hashes })
    await noteAccount(kit, tx, signedIn.admin, 'recovery codes made')
  })
  return codes
}

export async function dropAuthenticator(kit: AdminKit, signedIn: SignedIn, proof: Proof) {
  const found = await proveOwner(kit, signedIn, proof)
  await kit.db.transaction(async (tx) => {
    await lockOwnAccount(tx, signedIn)
    await store.changeAdmin(tx, found.id, store.NO_SECOND_FACTOR)
    await noteAccount(kit, tx, signedIn.admin, 'second factor turned off')
  })
}

export async function adminOfEnvironment(db: Db, clock: Clock, first: AdminSettings['first']) {
  if (!first) return
  const at = new Date(clock.now()).toISOString()
  const { username, passwordHash } = first
  await db.transaction(async (tx) => {
    const note = (id: number, action: string) =>
      writeAudit(tx, {
        at,
        admin: null,
        username: 'environment',
        action,
        subject: { kind: 'admin', id },
        after: { username },
      })
    const added = await store.addAdmin(tx, {
      username,
      role: 'administrator',
      passwordHash,
      fromEnvironment: true,
      createdAt: at,
    })
    if (added !== null) return note(added, 'admin created')
    const found = await store.accountByName(tx, username)
    if (
      found?.disabledAt !== null ||
      (found.passwordHash === passwordHash && found.fromEnvironment)
    )
      return
    await store.changeAdmin(tx, found.id, { passwordHash, fromEnvironment: true, ...store.NO_LINK })
    if (found.passwordHash !== passwordHash) await endAccess(tx, found.id, at, EVERYTHING)
    await note(found.id, 'password set')
  })
}

export async function hasAdmins(db: Db): Promise<boolean> {
  return (await store.listAdmins(db)).length > 0
}

/** Settings that locate the key of second factors. */
type KeySettings = {
  readonly admin: Pick<AdminSettings, 'secretsKey'>
  readonly databaseUrl: string | null
  readonly dataDir: string
}

/** Seals second factors stored in the clear and reports unreadable ones. Reads the key only if any exist. */
export async function prepareSecondFactors(
  db: Db,
  secrets: Secrets,
  settings: KeySettings,
  log: { readonly warn: (text: string) => void; readonly error: (text: string) => void },
): Promise<void> {
  // With an external database the data folder may not persist, and the key in it would be lost.
  const keepsKey = settings.admin.secretsKey !== null || settings.databaseUrl === null
  const [unreadable, unsealed]: [string[], string[]] = [[], []]
  for (const { id, username, totpSecret, totpPending, disabledAt } of await store.listAdmins(db)) {
    if (totpPending !== null && !isSealed(totpPending))
      await store.changeAdmin(db, id, { totpPending: null })
    if (totpSecret === null) continue
    const about = aboutTotp(id)
    if (isSealed(totpSecret)) {
      const isReadable = (await secrets()).open(totpSecret, about) !== null
      if (!isReadable && disabledAt === null) unreadable.push(username)
    } else if (keepsKey) {
      await store.sealTotp(db, id, totpSecret, (await secrets()).seal(totpSecret, about))
    } else {
      unsealed.push(username)
    }
  }
  if (unreadable.length > 0) log.error(lostKeyText(unreadable, settings))
  if (unsealed.length > 0) {
    log.warn(
      `The authenticator secrets of ${unsealed.join(', ')} are not yet encrypted in the database. Set SECRETS_KEY, the same for every process, and restart. See .env.example.`,
    )
  }
}

function lostKeyText(names: readonly string[], { admin, dataDir }: KeySettings): string {
  const key = admin.secretsKey === null ? `secrets.key in ${dataDir}` : 'SECRETS_KEY'
  return `The authenticator apps of ${names.join(', ')} cannot be checked: they were set up with another key. Restore ${key} and restart, or reset their passwords with: admin password <name> --drop-second-factor`
}
