import { setImmediate as breathe } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import * as contract from '#contracts/data-files.ts'
import { type SnapshotMetadata } from '#contracts/open-data.ts'
import { SNAPSHOT_COLUMNS } from '#contracts/snapshot-columns.ts'
import { ASSET_KEYS } from '#domain/asset.ts'
import { type Day, dayOfTime, isoDay, showDayInWords } from '#domain/day.ts'
import { byMode, RULE_VERSION } from '#domain/judging/verdict.ts'
import { correctionsOnRecord } from '#server/corrections/corrections-log.service.ts'
import { type StoredFile } from '#server/database/schema/proofs.ts'
import { type Db, readRows, rowsInParts } from '#server/kit/db.ts'
import { FORMULA_NOTE, pretty } from '#server/open-data/tables.ts'
import { termsOfBars } from '#server/prices/source-terms.ts'
import { type Prices, readPrices } from '#server/record/prices.ts'
import { judgedByIds } from '#server/record/record.service.ts'
import {
  type StoredScores,
  callYears,
  callsOfYear,
  figuresOfPeople,
} from '#server/scores/scores.rows.ts'
import { type ScoresService } from '#server/scores/scores.service.ts'
import { type PackedFile, packFile } from './archive.ts'
import {
  type RecordYear,
  type WholeRecord,
  csvText,
  jsonText,
  snapshotRows,
} from './snapshot-tables.ts'

const NOTES = [
  'A snapshot shows the record at the time in “made”; days that were not over then are marked as moving.',
  'No file contains price series; verdicts include the prices that prove them.',
  'Withdrawn predictions are included with the reason, and count in no score.',
  FORMULA_NOTE,
]

export type SnapshotFile = PackedFile & Pick<StoredFile, 'rows'>

/** Deterministic for the same record and time. @param made Unix time in milliseconds */
export async function makeSnapshot(
  record: WholeRecord,
  { made, origin }: { readonly made: number; readonly origin: string },
): Promise<SnapshotFile[]> {
  const rows = snapshotRows(record, origin)
  const files: SnapshotFile[] = []
  const counts = new Map<contract.SnapshotTable, number>()
  for (const table of contract.SNAPSHOT_TABLES) {
    const years = rows[table]
    const count = years.reduce((sum, year) => sum + year.count, 0)
    counts.set(table, count)
    files.push(
      { ...(await packFile(`${table}.csv`, csvText(table, years))), rows: count },
      { ...(await packFile(`${table}.json`, jsonText(years))), rows: count },
    )
  }
  const about = metadataOf(record, made, origin, counts)
  files.push({ ...(await packFile(contract.SNAPSHOT_METADATA, [[pretty(about)]])), rows: null })
  const sums = files.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join('')
  files.push({ ...(await packFile(contract.SNAPSHOT_CHECKSUMS, [[sums]])), rows: null })
  return files
}

function metadataOf(
  { prices, scores }: WholeRecord,
  made: number,
  origin: string,
  counts: ReadonlyMap<contract.SnapshotTable, number>,
): SnapshotMetadata {
  const day = dayOfTime(made)
  return {
    format: 1,
    title: contract.SNAPSHOT_TITLE,
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
    tables: contract.SNAPSHOT_TABLES.map((name) => ({
      name,
      rows: counts.get(name) ?? 0,
      columns: [...SNAPSHOT_COLUMNS[name]],
    })),
    scores: byMode((mode) => scores[mode].inputs),
    licence: contract.LICENCE,
    citation: snapshotCitation(isoDay(day), RULE_VERSION, origin),
    price_sources: termsOfBars(prices, ASSET_KEYS),
    notes: NOTES,
  }
}

export function snapshotCitation(day: string, rule: number, origin: string): string {
  return contract.citationOf({
    title: contract.SNAPSHOT_TITLE,
    day: showDayInWords(dayOfTime(Date.parse(day))),
    rule,
    url: `${origin}${contract.snapshotPath(day, contract.archiveName(day))}`,
  })
}

const AT_ONCE = 1_000

const YearOnRecord = z.object({ year: z.int(), predictions: z.int(), sources: z.int() })
const Stored = z.array(z.object({ id: z.string(), frozen: z.boolean() }))

/** A consistent read of the record; null while its scores are being computed. @param tx a transaction with one snapshot */
export async function readRecord(tx: Db, scores: Pick<ScoresService, 'ofRecord'>, today: Day) {
  const touch = await scores.ofRecord(tx, { asOf: today, mode: 'touch' })
  const close = touch && (await scores.ofRecord(tx, { asOf: today, mode: 'close' }))
  if (!close) return null
  const prices = await readPrices(tx, 0, today)
  const corrections = (await correctionsOnRecord(tx)).map(({ predictionId, at, kind, text }) => {
    return { prediction_id: predictionId, at, kind, text }
  })
  const scoresOf = async (of: StoredScores) => {
    return { ...of.about, people: await figuresOfPeople(tx, of) }
  }
  const years = await callYears(tx, touch.asOf)
  return {
    prices,
    years: await recordYears(tx, prices),
    corrections,
    scores: { touch: await scoresOf(touch), close: await scoresOf(close) },
    calls: years.map(({ year, count }) => ({
      count,
      [Symbol.asyncIterator]: () => callsOfYear(tx, touch.asOf, year),
    })),
  }
}

async function recordYears(tx: Db, prices: Prices): Promise<RecordYear[]> {
  const years = await readRows(tx, YearOnRecord)`
    select extract(year from target_date)::int as year, count(distinct predictions.id)::int as predictions,
      count(sources.id)::int as sources
    from predictions left join sources on sources.prediction_id = predictions.id
    group by 1 order by 1`
  return years.map(({ year, ...counts }) => ({
    ...counts,
    [Symbol.asyncIterator]: () => predictionsOfYear(tx, prices, year),
  }))
}

/** Predictions due in a year, by deadline. */
async function* predictionsOfYear(tx: Db, prices: Prices, year: number) {
  const query = sql`
    select id, frozen_at is not null as frozen from predictions
    where extract(year from target_date) = ${year} order by target_date, id collate "C"`
  for await (const part of rowsInParts(tx, query, AT_ONCE)) {
    const stored = Stored.parse(part)
    const frozen = new Set(stored.filter((one) => one.frozen).map(({ id }) => id))
    const ids = stored.map(({ id }) => id)
    for (const prediction of await judgedByIds(tx, prices, ids)) {
      yield { prediction, isFrozen: frozen.has(prediction.id) }
    }
    await breathe()
  }
}
