import { type Verdict } from '#domain/judging/verdict.ts'
import { sql, type SQL } from 'drizzle-orm'
import { type Db } from '#server/kit/db.ts'
import { rowsOf } from '#server/kit/rows.ts'
import {
  among,
  storedOf,
  STORED,
  withSources,
  type Experts,
  type Some,
  type StoredCells,
  type StoredPrediction,
} from '#server/predictions/predictions.rows.ts'

/** By what a change of a prediction is noticed without reading it. */
export type Mark = {
  readonly id: string
  /** Another one when anything of it has changed, its sources and its expert included. */
  readonly mark: number
  /** The numbers of its verdicts in force; null before the first. */
  readonly touch: number | null
  readonly close: number | null
  /** The number of its newest event. */
  readonly event: number
}

/** A verdict in force, without its evidence. */
export type Ruling = Pick<Verdict, 'outcome' | 'reason' | 'rule'> & {
  readonly id: number
  readonly change: string
  /** Since 1970-01-01. */
  readonly day: number | null
}

/** A prediction with what is on record of it. */
export type RecordedPrediction = {
  readonly stored: StoredPrediction
  readonly mark: Mark
  readonly touch: Ruling | null
  readonly close: Ruling | null
}

/**
 * What is on record of these predictions, with a value of each verdict in force. PostgreSQL notes with each row which transaction wrote it, the same on a
 * replica; the mark is a hash of those, cut to the 53 bits of a number in JavaScript.
 */
function recorded(some: Some, columns: SQL, judged: SQL): SQL {
  return sql`
    select ${columns}
    from predictions
    join influencers on influencers.id = predictions.influencer_id
    left join influencer_names named on named.influencer_id = influencers.id and named.kind = 'handle' and named.main
    ${withSources(some)}
    left join (
      select prediction_id, max(value) filter (where mode = 'touch') as touch, max(value) filter (where mode = 'close') as close
      from (${judged}) by_mode group by 1
    ) judged on judged.prediction_id = predictions.id
    left join (
      select prediction_id, max(id) as event from prediction_events where ${among(some, 'prediction_id')} group by 1
    ) happened on happened.prediction_id = predictions.id
    where ${among(some, 'predictions.id')}
    order by predictions.id`
}

const MARK = sql`
  (hashtextextended(
    row(predictions.xmin, influencers.xmin, named.xmin, first.xmin, first_check.dead_since, more.written, more.dead)::text, 0
  ) & 9007199254740991)::float8`
const EVENT = sql`coalesce(event, 0)::float8`

/** The marks of all predictions, in the order of ids. */
export async function allMarks(db: Db): Promise<readonly Mark[]> {
  const columns = sql`
    predictions.id, judged.touch::float8, judged.close::float8, ${MARK} as mark, ${EVENT} as event`
  const numbers = sql`select prediction_id, mode, id as value from verdicts`
  return rowsOf(await db.execute(recorded('all', columns, numbers))) as readonly Mark[]
}

/** All predictions, in the order of ids, in parts of so many. */
export async function partsOfAll(db: Db, size: number): Promise<readonly Some[]> {
  const result = await db.execute(sql`
    select min(id) as from, max(id) as through
    from (select id, (row_number() over (order by id) - 1) / ${size}::int as part from predictions) parted
    group by part order by part`)
  return rowsOf(result) as readonly { from: string; through: string }[]
}

export type RecordedCells = readonly [
  touch: string | null,
  close: string | null,
  mark: number,
  event: number,
  ...stored: StoredCells,
]

/** These predictions with what is on record of them, in the order of ids, to be read by `recordedPrediction`. */
export async function recordedOf(db: Db, some: Some): Promise<readonly RecordedCells[]> {
  const cells = sql`json_build_array(judged.touch, judged.close, ${MARK}, ${EVENT}, ${STORED}) as cells`
  // In the order of their index: looking each one up by its number takes three times as long.
  const inForce = sql`
    select distinct on (prediction_id, mode) prediction_id, mode,
      concat_ws(' ', id, outcome, reason, rule, change, day - date '1970-01-01') as value
    from verdicts where ${among(some, 'prediction_id')}
    order by prediction_id, mode, id desc`
  const result = await db.execute(sql`
    select coalesce(json_agg(cells), '[]') as rows from (${recorded(some, cells, inForce)}) all_cells`)
  const [all] = rowsOf(result) as readonly { readonly rows: readonly RecordedCells[] }[]
  return all?.rows ?? []
}

/** @param experts with that of the prediction */
export function recordedPrediction(cells: RecordedCells, experts: Experts): RecordedPrediction {
  const [touchText, closeText, mark, event, ...given] = cells
  const stored = storedOf(given, experts)
  const [touch, close] = [readRuling(touchText), readRuling(closeText)]
  const numbers = { touch: touch?.id ?? null, close: close?.id ?? null }
  return { stored, mark: { id: stored.id, mark, ...numbers, event }, touch, close }
}

/** Reads `12 hit reached 1 prices 20423`, the day left out where nothing is decided. */
function readRuling(text: string | null): Ruling | null {
  if (text === null) return null
  const [id = '', outcome = '', reason = '', rule = '', change = '', day] = text.split(' ')
  return {
    id: Number(id),
    outcome: outcome as Ruling['outcome'],
    reason: reason as Ruling['reason'],
    rule: Number(rule),
    change,
    day: day === undefined ? null : Number(day),
  }
}
