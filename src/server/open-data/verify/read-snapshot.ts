import { SNAPSHOT_FILES } from '#contracts/snapshots.paths.ts'
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { lstat, readdir, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { extract } from 'tar-stream'
import { GZIP_HEADER } from '#server/http/gzip-frame.ts'

/** A snapshot that is no snapshot, or a damaged one, in a sentence. */
export class DamagedSnapshot extends Error {
  override readonly name = 'DamagedSnapshot'
}

/** What a file of ours may weigh; an archive that holds more is none of ours. */
const MOST_BYTES = 400_000_000
const MOST_BYTES_TOGETHER = 1_200_000_000

/** The folder of an archive; names that lead elsewhere are none. */
const FOLDER = /^proof-of-price-\d{4}-\d\d-\d\d$/

/** A snapshot as it lies there: its files by name, unread. */
export type RawSnapshot = {
  readonly files: ReadonlyMap<string, Buffer>
  /** The name of the folder inside an archive, or of the unpacked one. */
  readonly folder: string
  /** Of the archive, to be compared with the list of the site; null for a folder. */
  readonly sha256: string | null
}

/**
 * Reads an archive or an unpacked folder. What it holds is bounded before it is read, and is never written anywhere.
 *
 * @throws DamagedSnapshot with a sentence
 */
export async function readSnapshot(path: string): Promise<RawSnapshot> {
  const found = await stat(path).catch(() => null)
  if (!found) throw new DamagedSnapshot(`There is no file or folder ${path}.`)
  return found.isDirectory() ? readFolder(path) : readArchive(path, found.size)
}

async function readFolder(path: string): Promise<RawSnapshot> {
  const files = new Map<string, Buffer>()
  let together = 0
  for (const name of (await readdir(path)).toSorted()) {
    // What a system leaves behind in folders.
    if (name.startsWith('.')) continue
    refuseForeign(name, path)
    const { size } = await lstat(join(path, name)).then((found) => {
      if (!found.isFile()) throw new DamagedSnapshot(`${name} in ${path} is no file.`)
      return found
    })
    refuseLarge(size, (together += size), name)
    files.set(name, await readFile(join(path, name)))
  }
  refuseIncomplete(files, path)
  return { files, folder: basename(path), sha256: null }
}

async function readArchive(path: string, size: number): Promise<RawSnapshot> {
  refuseLarge(size, size, path)
  const files = new Map<string, Buffer>()
  let [folder, together, inside]: [string | null, number, number] = [null, 0, 0]
  const hash = createHash('sha256')
  let [first, last] = [Buffer.alloc(0), Buffer.alloc(0)]
  const seen = new Transform({
    transform(chunk: Buffer, _, done) {
      hash.update(chunk)
      if (first.length < GZIP_HEADER.length) first = Buffer.concat([first, chunk]).subarray(0, 64)
      last = Buffer.concat([last, chunk]).subarray(-4)
      done(null, chunk)
    },
  })
  const bounded = new Transform({
    transform(chunk: Buffer, _, done) {
      inside += chunk.length
      if (inside > MOST_BYTES_TOGETHER) done(new DamagedSnapshot(tooLarge(path)))
      else done(null, chunk)
    },
  })
  const entries = extract()
  const reading = pipeline(createReadStream(path), seen, createGunzip(), bounded, entries)
  const ended = reading.catch((error: unknown) => error)
  try {
    for await (const entry of entries) {
      const { name, size: bytes, type } = entry.header
      const [place, file = '', ...deeper] = name.split('/')
      if (type === 'directory') throw new DamagedSnapshot(repacked(path))
      if (type !== 'file' || deeper.length > 0 || place === undefined || !FOLDER.test(place)) {
        throw new DamagedSnapshot(
          `${path} holds “${name.slice(0, 80)}”, which is no file of a snapshot.`,
        )
      }
      refuseForeign(file, path)
      if (files.has(file) || (folder ?? place) !== place) {
        throw new DamagedSnapshot(`${path} holds ${file} twice.`)
      }
      folder = place
      refuseLarge(bytes, (together += bytes), file)
      const chunks: Uint8Array[] = []
      for await (const chunk of entry) if (chunk instanceof Uint8Array) chunks.push(chunk)
      files.set(file, Buffer.concat(chunks))
    }
    await reading
  } catch (error) {
    entries.destroy()
    const cause = await ended
    throw damageOf(path, error instanceof DamagedSnapshot ? error : (cause ?? error))
  }
  refuseIncomplete(files, path)
  const isOurs = first.subarray(0, GZIP_HEADER.length).equals(GZIP_HEADER)
  if (!isOurs || last.readUInt32LE(0) !== inside % 2 ** 32) {
    throw new DamagedSnapshot(`${path} was changed at its beginning or its end.`)
  }
  return { files, folder: folder ?? '', sha256: hash.digest('hex') }
}

function refuseIncomplete(files: RawSnapshot['files'], path: string): void {
  const missing = SNAPSHOT_FILES.filter((name) => !files.has(name))
  if (missing.length > 0) {
    throw new DamagedSnapshot(
      `${path} is not complete: ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing.`,
    )
  }
}

function refuseForeign(name: string, path: string): void {
  if (SNAPSHOT_FILES.includes(name)) return
  throw new DamagedSnapshot(`${path} holds “${name.slice(0, 80)}”, which is no file of a snapshot.`)
}

function refuseLarge(bytes: number, together: number, name: string): void {
  if (bytes > MOST_BYTES || together > MOST_BYTES_TOGETHER)
    throw new DamagedSnapshot(tooLarge(name))
}

function repacked(path: string): string {
  return `${path} was packed again by another program. Please unpack it and check the folder.`
}

function tooLarge(name: string): string {
  return `${name} is larger than any snapshot.`
}

function damageOf(path: string, error: unknown): DamagedSnapshot {
  if (error instanceof DamagedSnapshot) return error
  return new DamagedSnapshot(
    `${path} is not a whole archive of a snapshot: it is damaged or cut off.`,
  )
}
