import { createCipheriv, createDecipheriv, randomBytes, randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from '#server/database/embedded/cluster.ts'

const MARK = 'v1.'
const NONCE_BYTES = 12
const TAG_BYTES = 16

export type SecretBox = ReturnType<typeof secretBox>

/**
 * Encrypts short secrets with AES-256-GCM and a key outside the database. Each has its own nonce and is bound to its
 * subject, so that it cannot be moved to another row.
 * @param key 32 bytes
 */
export function secretBox(key: Uint8Array) {
  return {
    seal(text: string, about: string): string {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(about))
      const bytes = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final()])
      return MARK + Buffer.concat([bytes, cipher.getAuthTag()]).toString('base64url')
    },

    /** @returns null if it was sealed with another key or for another subject, or not at all */
    open(sealed: string, about: string): string | null {
      if (!isSealed(sealed)) return null
      const bytes = Buffer.from(sealed.slice(MARK.length), 'base64url')
      if (bytes.length < NONCE_BYTES + TAG_BYTES) return null
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES))
        .setAAD(Buffer.from(about))
        .setAuthTag(bytes.subarray(-TAG_BYTES))
      try {
        const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES))
        return Buffer.concat([text, decipher.final()]).toString('utf8')
      } catch {
        return null
      }
    },
  }
}

/** Loads the key on first use: a site without secrets needs none. */
export type Secrets = () => Promise<SecretBox>

/** @param key loads the key; failures are thrown at each use until it succeeds */
export function secretsOf(key: () => Promise<Uint8Array>): Secrets {
  let box: SecretBox | null = null
  return async () => (box ??= secretBox(await key()))
}

/** Whether a text is sealed, with any key. */
export function isSealed(text: string): boolean {
  return text.startsWith(MARK)
}

const FILE = 'secrets.key'
const KEY = /^[\da-f]{64}$/i

/** Why the key of second factors cannot be used; the message says what to do. */
export class SecretsKeyError extends Error {
  override readonly name = 'SecretsKeyError'
}

/**
 * The encryption key of second factors, kept out of the database and its backups: SECRETS_KEY, or a file in the data
 * folder with owner-only access, created if missing.
 * @param setting 64 hexadecimal digits; null for the file
 * @returns 32 bytes
 * @throws SecretsKeyError
 */
export async function secretsKey(setting: string | null, dataDir: string): Promise<Buffer> {
  if (setting !== null) return Buffer.from(setting, 'hex')
  const file = join(dataDir, FILE)
  const text = (await textOf(file)) ?? (await make(dataDir, file))
  if (!KEY.test(text.trim())) {
    throw new SecretsKeyError(
      `${file} does not hold a key (64 hexadecimal digits). Put the right one back, or set SECRETS_KEY to it. If it is lost, move the file elsewhere and start again: a new key is made, and everyone who signs in with an authenticator app needs a recovery code, a passkey or admin password <name> --drop-second-factor.`,
    )
  }
  return Buffer.from(text.trim(), 'hex')
}

/** @returns null if there is no such file */
async function textOf(file: string): Promise<string | null> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return null
    throw new SecretsKeyError(
      `${file} cannot be read (${codeOf(error)}). It holds the key of second factors: make it readable for this user.`,
    )
  })
}

/** Creates the key atomically. @returns the content of the file, which another process may have created first */
async function make(dataDir: string, file: string): Promise<string> {
  const own = `${file}.${randomUUID()}`
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
    const text = `${randomBytes(32).toString('hex')}\n`
    await writeFile(own, text, { flag: 'wx', mode: 0o600, flush: true })
    await link(own, file).catch((error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw error
    })
    syncFolder(dataDir)
  } catch (error) {
    throw new SecretsKeyError(
      `The key of second factors cannot be stored in ${file} (${codeOf(error)}). Make sure that the folder can be written and its disk has room, or set SECRETS_KEY.`,
    )
  } finally {
    await rm(own, { force: true }).catch(() => {})
  }
  return (await textOf(file)) ?? ''
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
}
