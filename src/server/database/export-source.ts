import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { extract } from 'tar-stream'
import { codeOf } from './embedded/failure.ts'
import { ExportError, fileOf, MANIFEST, readManifest, type Manifest } from './export-format.ts'
import { troubleOf } from '#server/kit/trouble.ts'

const LONGEST_MANIFEST_BYTES = 1 << 20

/** First entry of a backup from before 23 November 2026, which holds PostgreSQL's own files. */
const OLD_BACKUP = 'proof-of-price-backup.json'

/** A file of an export; read it fully before the next one. */
export type ExportedFile = {
  readonly name: string
  /** For messages. */
  readonly path: string
  readonly bytes: AsyncIterable<Uint8Array>
}

export type ExportSource = {
  readonly path: string
  readonly manifest: Manifest
  /** Reads the table files from the start, on each call. Throws ExportError. */
  readonly files: () => AsyncIterable<ExportedFile>
}

/** Opens an export: a folder or a backup file. @throws ExportError if it is neither */
export async function openExport(path: string): Promise<ExportSource> {
  const found = await stat(path).catch((error: unknown) => {
    throw new ExportError(
      codeOf(error) === 'ENOENT'
        ? `There is no file or folder ${path}.`
        : `${path} cannot be read: ${troubleOf(error).message}`,
    )
  })
  return found.isDirectory() ? openFolder(path) : openFile(path)
}

async function openFolder(folder: string): Promise<ExportSource> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch(() => null)
  if (text === null) {
    throw new ExportError(`${folder} holds no complete export: ${MANIFEST} is missing.`)
  }
  const manifest = readManifest(join(folder, MANIFEST), text)
  async function* files(): AsyncGenerator<ExportedFile> {
    for (const name of manifest.tables.map(fileOf)) {
      const path = join(folder, name)
      yield { name, path, bytes: createReadStream(path) }
    }
  }
  return { path: folder, manifest, files }
}

async function openFile(file: string): Promise<ExportSource> {
  for await (const { name, bytes } of entriesOf(file)) {
    if (name === OLD_BACKUP) {
      throw new ExportError(
        `${file} was made by an older version of the site, as a copy of PostgreSQL's files. Restore it with the version that ` +
          'made it, then update as docs/operations.md says ("From a version before 23 November 2026").',
      )
    }
    if (name !== MANIFEST) break
    const manifest = readManifest(file, await textOf(bytes))
    async function* files(): AsyncGenerator<ExportedFile> {
      for await (const entry of entriesOf(file)) if (entry.name !== MANIFEST) yield entry
    }
    return { path: file, manifest, files }
  }
  throw noBackup(file)
}

async function textOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of bytes) {
    length += chunk.length
    if (length > LONGEST_MANIFEST_BYTES) return ''
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

async function* entriesOf(file: string): AsyncGenerator<ExportedFile> {
  const entries = extract()
  const reading = pipeline(createReadStream(file), createGunzip(), entries)
  // Its failure also ends the entries, with a less helpful message.
  const failure = reading.then(
    () => null,
    (error: unknown) => error,
  )
  const explained = async (error: unknown): Promise<ExportError> =>
    damageOf(file, (await failure) ?? error)
  async function* chunksOf(entry: AsyncIterable<unknown>): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of entry) if (chunk instanceof Uint8Array) yield chunk
    } catch (error) {
      throw await explained(error)
    }
  }
  try {
    for await (const entry of entries) {
      const { name } = entry.header
      yield { name, path: `${name} of ${file}`, bytes: chunksOf(entry) }
      entry.resume()
    }
    await reading
  } catch (error) {
    throw error instanceof ExportError ? error : await explained(error)
  } finally {
    entries.destroy()
  }
}

function damageOf(file: string, error: unknown): ExportError {
  const { message } = troubleOf(error)
  if (codeOf(error) === 'Z_BUF_ERROR' || message.includes('Unexpected end')) return cutOff(file)
  if (codeOf(error).startsWith('Z_') || message.includes('Invalid tar header'))
    return noBackup(file)
  return new ExportError(`${file} cannot be read: ${message}`)
}

function noBackup(file: string): ExportError {
  return new ExportError(`${file} is not a backup of this site, or it is damaged.`)
}

export function cutOff(path: string): ExportError {
  return new ExportError(`${path} is not complete; copy or make it again.`)
}
