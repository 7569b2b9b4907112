import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const FILE = 'secrets.key'
const KEY = /^[\da-f]{64}$/i

/** Why the key of second factors cannot be used; the message says what to do. */
export class SecretsKeyError extends Error {
  override readonly name = 'SecretsKeyError'
}

/**
 * The key that second factors are sealed with, which stays out of the database and its backups: what SECRETS_KEY says, or a
 * file of the data folder that only its owner reads, made when there is none.
 *
 * @param given 64 hexadecimal digits; null for the file
 * @returns 32 bytes
 * @throws SecretsKeyError
 */
export async function secretsKey(given: string | null, dataDir: string): Promise<Buffer> {
  if (given !== null) return Buffer.from(given, 'hex')
  const file = join(dataDir, FILE)
  try {
    await mkdir(dataDir, { recursive: true })
    // Of two processes that start at once, both read what the first one wrote.
    await writeFile(file, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    if (code !== 'EEXIST') {
      throw new SecretsKeyError(
        `The key of second factors cannot be kept in ${file} (${code}). Make the folder writable, or set SECRETS_KEY.`,
      )
    }
  }
  const text = await readFile(file, 'utf8').catch(() => {
    throw new SecretsKeyError(
      `${file} cannot be read. It holds the key of second factors: make it readable for this user.`,
    )
  })
  if (!KEY.test(text.trim())) {
    throw new SecretsKeyError(
      `${file} does not hold a key (64 hexadecimal digits). Put the right one back; or, when it is lost, delete the file and set passwords with --drop-second-factor.`,
    )
  }
  return Buffer.from(text.trim(), 'hex')
}
