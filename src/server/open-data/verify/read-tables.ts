import { fileText } from '#server/kit/file-text.ts'
import { SNAPSHOT_ROWS, SnapshotMetadata, type SnapshotRowOf } from '#contracts/snapshots.ts'
import {
  SNAPSHOT_CHECKSUMS,
  SNAPSHOT_FILES,
  SNAPSHOT_METADATA,
  SNAPSHOT_TABLES,
  snapshotFolder,
  type SnapshotTable,
} from '#contracts/snapshots.paths.ts'
import { createHash } from 'node:crypto'
import { type z } from 'zod'
import { wholeText } from '#server/open-data/snapshots/packed-file.ts'
import { csvText } from '#server/open-data/snapshots/snapshot-tables.ts'
import { type Difference } from './difference.ts'
import { DamagedSnapshot, type RawSnapshot } from './read-snapshot.ts'

/** A snapshot that was read: what each table says. */
export type ReadTables = {
  readonly about: SnapshotMetadata
  readonly tables: { readonly [Table in SnapshotTable]: readonly SnapshotRowOf<Table>[] }
}

/**
 * Compares every file with its checksum, and reads them.
 *
 * @throws DamagedSnapshot that names each file that is not what it was
 */
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
      `${name} has ${String(found.length)} rows, and not ${String(expected)} as ${SNAPSHOT_METADATA} says.`,
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
  const named = new Map<string, string>()
  for (const line of textOf(files, SNAPSHOT_CHECKSUMS).split('\n').slice(0, -1)) {
    const [, sum, name] = /^([0-9a-f]{64}) {2}([^ ]+)$/.exec(line) ?? []
    if (sum === undefined || name === undefined) {
      throw new DamagedSnapshot(
        `${SNAPSHOT_CHECKSUMS} has the line “${line.slice(0, 90)}”, which is no checksum of a file.`,
      )
    }
    named.set(name, sum)
  }
  const wrong: string[] = []
  for (const name of SNAPSHOT_FILES) {
    if (name === SNAPSHOT_CHECKSUMS) continue
    const sum = createHash('sha256')
      .update(files.get(name) ?? '')
      .digest('hex')
    const expected = named.get(name)
    named.delete(name)
    if (expected === undefined) wrong.push(`${name} is not in ${SNAPSHOT_CHECKSUMS}`)
    else if (expected !== sum)
      wrong.push(`${name} does not have the checksum of ${SNAPSHOT_CHECKSUMS}`)
  }
  for (const name of named.keys())
    wrong.push(`${SNAPSHOT_CHECKSUMS} names ${name.slice(0, 60)}, which is no file of a snapshot`)
  if (!textOf(files, SNAPSHOT_CHECKSUMS).endsWith('\n'))
    wrong.push(`${SNAPSHOT_CHECKSUMS} breaks off`)
  if (wrong.length > 0) throw new DamagedSnapshot(`The snapshot was changed: ${wrong.join('; ')}.`)
}

/** The lines in which the CSV of a table says something else than its JSON. */
export async function compareCsv({ files }: RawSnapshot): Promise<Difference[]> {
  const all: Difference[] = []
  for (const table of SNAPSHOT_TABLES) {
    // Read again without the schema, which leaves out what it does not know.
    const rows = json(files, `${table}.json`) as Readonly<Record<string, unknown>>[]
    const ours = await wholeText(csvText(table, [rows]))
    const theirs = textOf(files, `${table}.csv`)
    if (ours === theirs) continue
    const [own, given] = [ours.split('\r\n'), theirs.split('\r\n')]
    const at = own.findIndex((line, i) => line !== given[i])
    const line = at < 0 ? own.length : at
    all.push({
      kind: 'files',
      table,
      id: `${table}.csv`,
      mode: null,
      field: `line ${String(line + 1)}`,
      snapshot: given[line] ?? '(no line)',
      ours: own[line] ?? '(no line)',
    })
  }
  return all
}

function json(files: RawSnapshot['files'], name: string): unknown {
  try {
    return JSON.parse(textOf(files, name))
  } catch {
    throw new DamagedSnapshot(`${name} is no JSON.`)
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
    `${name} is not as a snapshot has it, at “${at}”: ${issue?.message ?? 'unreadable'}.`,
  )
}
