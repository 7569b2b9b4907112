import { failure } from '#server/kit/failure.ts'
import { SecretsKeyError } from '#server/kit/secrets-key.ts'
import { randomBytes } from 'node:crypto'
import { isSealed, type SecretBox, type Secrets } from '#server/kit/secret-box.ts'
import { sha256 } from '#server/kit/tokens.ts'

export const TOTP_STEP_S = 30
const RECOVERY_CODES = 10
/** Base32 without what looks alike, as people type them from paper. */
const LETTERS = 'ABCDEFGHJKMNPQRSTVWXYZ23456789'
const RECOVERY_LETTERS = 16

/** What the secret of an account's authenticator app is bound to. */
export function aboutTotp(adminId: number): string {
  return `totp of admin ${String(adminId)}`
}

const LOST_KEY =
  "Codes cannot be checked: this site's key for second factors is missing. Sign in with a recovery code or a passkey, or ask the operator to restore the key."
const NO_KEY =
  'An authenticator app cannot be set up: this site has no key for second factors. Please add a passkey, or ask the operator to set SECRETS_KEY.'

/**
 * @param kept sealed, or as an earlier version kept it where no key was set since
 * @returns base32
 * @throws AppError `unavailable` where the key has been lost
 */
export async function totpOf(secrets: Secrets, adminId: number, kept: string): Promise<string> {
  if (!isSealed(kept)) return kept
  const secret = (await boxOf(secrets, LOST_KEY)).open(kept, aboutTotp(adminId))
  if (secret === null) throw failure('unavailable', LOST_KEY)
  return secret
}

/** @param secret base32 @throws AppError `unavailable` where there is no key */
export async function sealedTotp(
  secrets: Secrets,
  adminId: number,
  secret: string,
): Promise<string> {
  return (await boxOf(secrets, NO_KEY)).seal(secret, aboutTotp(adminId))
}

function boxOf(secrets: Secrets, sentence: string): Promise<SecretBox> {
  return secrets().catch((error: unknown) => {
    throw error instanceof SecretsKeyError ? failure('unavailable', sentence) : error
  })
}

/**
 * The time step a code belongs to, one step early or late allowed; null for a wrong one.
 *
 * @param secret base32
 */
export async function stepOfCode(
  secret: string,
  code: string,
  nowMs: number,
): Promise<number | null> {
  if (!/^\d{6}$/.test(code)) return null
  const { Secret, TOTP } = await import('otpauth')
  const totp = new TOTP({ secret: Secret.fromBase32(secret), period: TOTP_STEP_S })
  const delta = totp.validate({ token: code, window: 1, timestamp: nowMs })
  return delta === null ? null : Math.floor(nowMs / 1_000 / TOTP_STEP_S) + delta
}

/** Codes for a lost authenticator, such as `K7QM-2F9A-…`, each for one use, with what is kept of them. */
export function newRecoveryCodes(): { codes: string[]; hashes: string[] } {
  const codes = Array.from({ length: RECOVERY_CODES }, () => {
    const letters = Array.from(randomLetters()).join('')
    return letters.replaceAll(/(.{4})(?=.)/g, '$1-')
  })
  return { codes, hashes: codes.map((code) => sha256(code.replaceAll('-', ''))) }
}

/** What is kept of a recovery code, however it is typed; null for anything else. */
export function recoveryHash(code: string): string | null {
  const bare = code.toUpperCase().replaceAll(/[\s-]/g, '')
  return bare.length === RECOVERY_LETTERS ? sha256(bare) : null
}

/** Each letter as likely as the others: bytes beyond a multiple of their number are left out. */
function* randomLetters(): Generator<string> {
  const most = 256 - (256 % LETTERS.length)
  for (let made = 0; made < RECOVERY_LETTERS;) {
    for (const byte of randomBytes(RECOVERY_LETTERS)) {
      if (byte >= most || made === RECOVERY_LETTERS) continue
      made += 1
      yield LETTERS.charAt(byte % LETTERS.length)
    }
  }
}
