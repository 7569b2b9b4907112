import { randomBytes, randomUUID } from 'node:crypto'
import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from '#server/database/embedded/cluster.ts'

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
  const text = (await textOf(file)) ?? (await make(dataDir, file))
  if (!KEY.test(text.trim())) {
    throw new SecretsKeyError(
      `${file} does not hold a key (64 hexadecimal digits). Put the right one back, or set SECRETS_KEY to it. If it is lost, move the file elsewhere and start again: a new key is made, and everyone who signs in with an authenticator app needs a recovery code, a passkey or admin password <name> --drop-second-factor.`,
    )
  }
  return Buffer.from(text.trim(), 'hex')
}

/** @returns null where there is no such file */
async function textOf(file: string): Promise<string | null> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return null
    throw new SecretsKeyError(
      `${file} cannot be read (${codeOf(error)}). It holds the key of second factors: make it readable for this user.`,
    )
  })
}

/** Makes the key whole or not at all. @returns what the file holds: of processes that start at once, the key of the first */
async function make(dataDir: string, file: string): Promise<string> {
  const own = `${file}.${randomUUID()}`
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
    await writeThrough(own, `${randomBytes(32).toString('hex')}\n`)
    await link(own, file).catch((error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw error
    })
    syncFolder(dataDir)
  } catch (error) {
    throw new SecretsKeyError(
      `The key of second factors cannot be kept in ${file} (${codeOf(error)}). Make sure that the folder can be written and its disk has room, or set SECRETS_KEY.`,
    )
  } finally {
    await rm(own, { force: true }).catch(() => {})
  }
  return (await textOf(file)) ?? ''
}

async function writeThrough(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
}
