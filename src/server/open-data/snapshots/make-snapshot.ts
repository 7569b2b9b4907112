import {
  archiveName,
  SNAPSHOT_CHECKSUMS,
  SNAPSHOT_METADATA,
  SNAPSHOT_TABLES,
  SNAPSHOT_TITLE,
  snapshotPath,
  type SnapshotTable,
  citationOf,
  LICENCE,
} from '#contracts/data-files.ts'
import { type SnapshotMetadata } from '#contracts/open-data.ts'
import { SNAPSHOT_COLUMNS } from '#contracts/snapshot-columns.ts'
import { ASSET_KEYS } from '#domain/asset.ts'
import { dayOfTime, isoDay, showDayInWords } from '#domain/day.ts'
import { RULE_VERSION } from '#domain/judging/verdict.ts'
import { type StoredFile } from '#server/database/schema/proofs.ts'
import { sourceNames, termsOf } from '#server/prices/source-terms.ts'
import { FORMULA_NOTE, pretty } from '#server/open-data/tables.ts'
import { packFile, type PackedFile } from './archive.ts'
import { csvText, jsonText, snapshotRows, type WholeRecord } from './snapshot-tables.ts'

const NOTES = [
  'A snapshot is of the record at the moment that “made” names; days that were not over then are marked as moving.',
  'No file has a series of prices: verdicts carry those that prove them.',
  'Withdrawn predictions are in it with the reason; they count in no score.',
  FORMULA_NOTE,
]

/** A file ready to be kept. */
export type SnapshotFile = PackedFile & Pick<StoredFile, 'rows'>

/** The same record and moment give the same files. @param made milliseconds since 1970 */
export async function makeSnapshot(
  record: WholeRecord,
  { made, origin }: { readonly made: number; readonly origin: string },
): Promise<SnapshotFile[]> {
  const rows = snapshotRows(record, origin)
  const files: SnapshotFile[] = []
  const counts = new Map<SnapshotTable, number>()
  for (const table of SNAPSHOT_TABLES) {
    const years = rows[table]
    const count = years.reduce((sum, year) => sum + year.count, 0)
    counts.set(table, count)
    files.push(
      { ...(await packFile(`${table}.csv`, csvText(table, years))), rows: count },
      { ...(await packFile(`${table}.json`, jsonText(years))), rows: count },
    )
  }
  const about = metadataOf(record, { made, origin, rowsOf: (table) => counts.get(table) ?? 0 })
  files.push({ ...(await packFile(SNAPSHOT_METADATA, [[pretty(about)]])), rows: null })
  const sums = files.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join('')
  files.push({ ...(await packFile(SNAPSHOT_CHECKSUMS, [[sums]])), rows: null })
  return files
}

function metadataOf(
  { prices, scores }: WholeRecord,
  {
    made,
    origin,
    rowsOf,
  }: {
    readonly made: number
    readonly origin: string
    readonly rowsOf: (table: SnapshotTable) => number
  },
): SnapshotMetadata {
  const day = dayOfTime(made)
  const sources = new Set(
    ASSET_KEYS.flatMap((key) =>
      [...new Set(prices[key].series.bars.map(({ source }) => source))].flatMap(sourceNames),
    ),
  )
  return {
    format: 1,
    title: SNAPSHOT_TITLE,
    url: `${origin}/data`,
    as_of: isoDay(day),
    made: new Date(made).toISOString(),
    prices_through: Object.fromEntries(
      ASSET_KEYS.map((key) => {
        const { finalThrough } = prices[key].series
        return [key, finalThrough === null ? null : isoDay(finalThrough)]
      }),
    ),
    rule: RULE_VERSION,
    methodology: `${origin}/methodology`,
    tables: SNAPSHOT_TABLES.map((name) => ({
      name,
      rows: rowsOf(name),
      columns: [...SNAPSHOT_COLUMNS[name]],
    })),
    scores: { touch: scores.touch.inputs, close: scores.close.inputs },
    licence: LICENCE,
    citation: snapshotCitation(isoDay(day), RULE_VERSION, origin),
    price_sources: [...sources].toSorted((a, b) => a.localeCompare(b)).map(termsOf),
    notes: NOTES,
  }
}

export function snapshotCitation(day: string, rule: number, origin: string): string {
  return citationOf({
    title: SNAPSHOT_TITLE,
    day: showDayInWords(dayOfTime(Date.parse(day))),
    rule,
    url: `${origin}${snapshotPath(day, archiveName(day))}`,
  })
}
