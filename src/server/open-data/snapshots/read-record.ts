import { type Day } from '#domain/day.ts'
import { correctionsOnRecord } from '#server/corrections/corrections-log.service.ts'
import { type Db } from '#server/kit/db.ts'
import { rowsInParts, rowsOf } from '#server/kit/rows.ts'
import { judgedByIds } from '#server/record/judged.ts'
import { readPrices, type Prices } from '#server/record/prices.ts'
import { type ScoresService } from '#server/scores/scores.service.ts'
import {
  callsOfYear,
  callYears,
  figuresOfPeople,
  type StoredScores,
} from '#server/scores/scores.rows.ts'
import { sql } from 'drizzle-orm'
import { setImmediate as breathe } from 'node:timers/promises'
import { z } from 'zod'
import { type RecordYear, type SnapshotPrediction, type WholeRecord } from './snapshot-tables.ts'

const AT_ONCE = 1_000

const Years = z.array(z.object({ year: z.int(), predictions: z.int(), sources: z.int() }))
const Stored = z.array(z.object({ id: z.string(), frozen: z.boolean() }))

/** The record at one moment; null while its scores are being computed. @param tx sees one moment, also while rows are written */
export async function readRecord(
  tx: Db,
  scores: Pick<ScoresService, 'ofRecord'>,
  today: Day,
): Promise<WholeRecord | null> {
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
  const answer = await tx.execute(sql`
    select extract(year from target_date)::int as year, count(distinct predictions.id)::int as predictions,
      count(sources.id)::int as sources
    from predictions left join sources on sources.prediction_id = predictions.id
    group by 1 order by 1`)
  return Years.parse(rowsOf(answer)).map(({ year, ...counts }) => ({
    ...counts,
    [Symbol.asyncIterator]: () => predictionsOfYear(tx, prices, year),
  }))
}

/** Predictions due in a year, by deadline. */
async function* predictionsOfYear(
  tx: Db,
  prices: Prices,
  year: number,
): AsyncGenerator<SnapshotPrediction> {
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
