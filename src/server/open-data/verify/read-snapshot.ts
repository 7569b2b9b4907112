import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { lstat, readdir, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { extract } from 'tar-stream'
import { type z } from 'zod'
import {
  SNAPSHOT_FILES,
  SNAPSHOT_CHECKSUMS,
  SNAPSHOT_METADATA,
  SNAPSHOT_TABLES,
  snapshotFolder,
  type SnapshotTable,
} from '#contracts/data-files.ts'
import { SNAPSHOT_ROWS, SnapshotMetadata, type SnapshotRowOf } from '#contracts/open-data.ts'
import { type JudgeMode } from '#domain/judging/verdict.ts'
import { fileText } from '#server/kit/text.ts'
import { GZIP_HEADER, wholeText } from '#server/open-data/snapshots/archive.ts'
import { csvText } from '#server/open-data/snapshots/snapshot-tables.ts'

/** A file that is not a snapshot, or a damaged one; the message is a sentence. */
class DamagedSnapshot extends Error {
  override readonly name = 'DamagedSnapshot'
}

/** Maximum size of a file, against malicious archives. */
const MOST_BYTES = 400_000_000
const MOST_BYTES_TOGETHER = 1_200_000_000

/** The folder in an archive; rejects other paths. */
const FOLDER = /^proof-of-price-\d{4}-\d\d-\d\d$/

export type RawSnapshot = {
  readonly files: ReadonlyMap<string, Buffer>
  /** The name of the folder in an archive, or of the unpacked folder. */
  readonly folder: string
  /** Checksum of the archive, to compare with the site's list; null for a folder. */
  readonly sha256: string | null
}

/** Reads an archive or an unpacked folder, bounded in size. @throws DamagedSnapshot with a sentence */
export async function readSnapshot(path: string): Promise<RawSnapshot> {
  const found = await stat(path).catch(() => null)
  if (!found) throw new DamagedSnapshot(`There is no file or folder ${path}.`)
  return found.isDirectory() ? readFolder(path) : readArchive(path, found.size)
}

async function readFolder(path: string): Promise<RawSnapshot> {
  const files = new Map<string, Buffer>()
  let together = 0
  for (const name of (await readdir(path)).toSorted()) {
    // Files that operating systems add to folders.
    if (name.startsWith('.')) continue
    refuseForeign(name, path)
    const found = await lstat(join(path, name))
    if (!found.isFile()) throw new DamagedSnapshot(`${name} in ${path} is not a file.`)
    refuseLarge(found.size, (together += found.size), name)
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
      if (type === 'directory') {
        throw new DamagedSnapshot(
          `${path} was packed again by another program. Please unpack it and check the folder.`,
        )
      }
      if (type !== 'file' || deeper.length > 0 || place === undefined || !FOLDER.test(place)) {
        throw foreign(name, path)
      }
      refuseForeign(file, path)
      if (files.has(file) || (folder ?? place) !== place) {
        throw new DamagedSnapshot(`${path} contains ${file} twice.`)
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
    const damage = [error, cause].find((one) => one instanceof DamagedSnapshot)
    throw (
      damage ??
      new DamagedSnapshot(
        `${path} is not a complete archive of a snapshot: it is damaged or truncated.`,
      )
    )
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
  if (!SNAPSHOT_FILES.includes(name)) throw foreign(name, path)
}

function foreign(name: string, path: string): DamagedSnapshot {
  return new DamagedSnapshot(
    `${path} contains “${name.slice(0, 80)}”, which does not belong to a snapshot.`,
  )
}

function refuseLarge(bytes: number, together: number, name: string): void {
  if (bytes > MOST_BYTES || together > MOST_BYTES_TOGETHER)
    throw new DamagedSnapshot(tooLarge(name))
}

function tooLarge(name: string): string {
  return `${name} is larger than any file of a snapshot.`
}

export type ReadTables = {
  readonly about: SnapshotMetadata
  readonly tables: { readonly [Table in SnapshotTable]: readonly SnapshotRowOf<Table>[] }
}

/** Verifies the checksum of every file. @throws DamagedSnapshot naming each damaged file */
export function readTables({ files, folder, sha256 }: RawSnapshot): ReadTables {
  checkSums(files)
  const about = parsed(SnapshotMetadata, json(files, SNAPSHOT_METADATA), SNAPSHOT_METADATA)
  if (sha256 !== null && folder !== snapshotFolder(about.as_of)) {
    throw new DamagedSnapshot(`The folder ${folder} does not fit a snapshot of ${about.as_of}.`)
  }
  const rows = <Row>(table: SnapshotTable, schema: z.ZodType<Row>): Row[] => {
    const name = `${table}.json`
    const found = parsed(schema.array(), json(files, name), name)
    const expected = about.tables.find((one) => one.name === table)?.rows
    if (expected === found.length) return found
    throw new DamagedSnapshot(
      `${name} has ${String(found.length)} rows instead of ${String(expected)} as in ${SNAPSHOT_METADATA}.`,
    )
  }
  return {
    about,
    tables: {
      predictions: rows('predictions', SNAPSHOT_ROWS.predictions.strict()),
      sources: rows('sources', SNAPSHOT_ROWS.sources.strict()),
      verdicts: rows('verdicts', SNAPSHOT_ROWS.verdicts.strict()),
      scores: rows('scores', SNAPSHOT_ROWS.scores.strict()),
      'scored-calls': rows('scored-calls', SNAPSHOT_ROWS['scored-calls'].strict()),
      corrections: rows('corrections', SNAPSHOT_ROWS.corrections.strict()),
    },
  }
}

function checkSums(files: RawSnapshot['files']): void {
  const lines = new Set(textOf(files, SNAPSHOT_CHECKSUMS).split(/(?<=\n)/))
  const wrong: string[] = []
  for (const name of SNAPSHOT_FILES) {
    if (name === SNAPSHOT_CHECKSUMS) continue
    const hash = createHash('sha256').update(files.get(name) ?? '')
    if (!lines.delete(`${hash.digest('hex')}  ${name}\n`))
      wrong.push(`${name} does not match its checksum in ${SNAPSHOT_CHECKSUMS}`)
  }
  if (wrong.length === 0 && lines.size > 0) wrong.push(`${SNAPSHOT_CHECKSUMS} has other lines`)
  if (wrong.length > 0) throw new DamagedSnapshot(`The snapshot was changed: ${wrong.join('; ')}.`)
}

/** Lines of a CSV file that contradict its JSON file. */
export async function compareCsv({ files }: RawSnapshot): Promise<Difference[]> {
  const all: Difference[] = []
  for (const table of SNAPSHOT_TABLES) {
    // Parsed without the schema, which drops unknown fields.
    const rows = json(files, `${table}.json`) as Readonly<Record<string, unknown>>[]
    const ours = await wholeText(csvText(table, [rows]))
    const theirs = textOf(files, `${table}.csv`)
    if (ours === theirs) continue
    const [own, theirLines] = [ours.split('\r\n'), theirs.split('\r\n')]
    const at = own.findIndex((line, i) => line !== theirLines[i])
    const line = at < 0 ? own.length : at
    all.push({
      kind: 'files',
      table,
      id: `${table}.csv`,
      mode: null,
      field: `line ${String(line + 1)}`,
      snapshot: theirLines[line] ?? '(no line)',
      ours: own[line] ?? '(no line)',
    })
  }
  return all
}

function json(files: RawSnapshot['files'], name: string): unknown {
  try {
    return JSON.parse(textOf(files, name))
  } catch {
    throw new DamagedSnapshot(`${name} is not valid JSON.`)
  }
}

function textOf(files: RawSnapshot['files'], name: string): string {
  return fileText(files.get(name) ?? '')
}

function parsed<T>(schema: z.ZodType<T>, value: unknown, name: string): T {
  const found = schema.safeParse(value)
  if (found.success) return found.data
  const [issue] = found.error.issues
  const at = issue?.path.map(String).join('.') ?? ''
  throw new DamagedSnapshot(
    `${name} does not have the format of a snapshot, at “${at}”: ${issue?.message ?? 'unreadable'}.`,
  )
}

/** A difference between a snapshot and its recalculation. */
export type Difference = {
  /** `verdict`: other outcome or day; `evidence`: the same by other prices; `scores`; `files`: CSV and JSON disagree. */
  readonly kind: 'verdict' | 'evidence' | 'scores' | 'files'
  readonly table: SnapshotTable
  /** The prediction, the person, or the file. */
  readonly id: string
  readonly mode: JudgeMode | null
  readonly field: string
  readonly snapshot: string
  readonly ours: string
}
