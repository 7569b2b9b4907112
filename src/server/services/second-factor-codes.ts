import { failure } from '#server/errors.ts'
import { randomBytes } from 'node:crypto'
import { type SecretBox } from './secret-box.ts'
import { sha256 } from './tokens.ts'

export const TOTP_STEP_S = 30
const RECOVERY_CODES = 10
/** Base32 without what looks alike, as people type them from paper. */
const LETTERS = 'ABCDEFGHJKMNPQRSTVWXYZ23456789'
const RECOVERY_LETTERS = 16

/** What the secret of an account's authenticator app is bound to. */
export function aboutTotp(adminId: number): string {
  return `totp of admin ${String(adminId)}`
}

/** @returns base32 @throws AppError `unavailable` where the key has been lost */
export function totpOf(secrets: SecretBox, adminId: number, sealed: string): string {
  const secret = secrets.open(sealed, aboutTotp(adminId))
  if (secret === null) {
    throw failure(
      'unavailable',
      'Codes of authenticator apps cannot be checked: the key they are kept with is missing. A recovery code or a passkey works; or whoever runs the site puts the key back, or sets your password with --drop-second-factor.',
    )
  }
  return secret
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

/** What is kept of a recovery code, however it is typed; null for what is none. */
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
