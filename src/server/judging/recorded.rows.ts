import { type Verdict } from '#domain/judging/verdict.ts'
import { sql, type SQL } from 'drizzle-orm'
import { type Db } from '#server/kit/db.ts'
import { rowsOf } from '#server/kit/rows.ts'
import {
  among,
  citedBy,
  storedOf,
  STORED,
  type Experts,
  type Some,
  type StoredPrediction,
  type StoredRow,
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
 * What is on record of these predictions. PostgreSQL notes with each row which transaction wrote it, the same on a
 * replica; the mark is a hash of those, cut to the 53 bits of a number in JavaScript.
 */
function recorded(some: Some, columns: SQL): SQL {
  const written = sql`, sum(sources.xmin::text::bigint) as written, sum(extract(epoch from dead_since)) as dead`
  return sql`
    select ${columns},
      (hashtextextended(row(predictions.xmin, influencers.xmin, named.xmin, cited.written, cited.dead)::text, 0)
        & 9007199254740991)::float8 as mark,
      coalesce(event, 0)::float8 as event
    from predictions
    join influencers on influencers.id = predictions.influencer_id
    left join influencer_names named on named.influencer_id = influencers.id and named.kind = 'handle' and named.main
    left join (${citedBy(some, written)}) cited on cited.prediction_id = predictions.id
    left join (
      select prediction_id, max(id) filter (where mode = 'touch') as touch, max(id) filter (where mode = 'close') as close
      from verdicts where ${among(some, 'prediction_id')} group by 1
    ) judged on judged.prediction_id = predictions.id
    left join verdicts touch on touch.id = judged.touch
    left join verdicts close on close.id = judged.close
    left join (
      select prediction_id, max(id) as event from prediction_events where ${among(some, 'prediction_id')} group by 1
    ) happened on happened.prediction_id = predictions.id
    where ${among(some, 'predictions.id')}
    order by predictions.id`
}

/** The marks of all predictions, in the order of ids. */
export async function allMarks(db: Db): Promise<readonly Mark[]> {
  const columns = sql`predictions.id, judged.touch::float8, judged.close::float8`
  return rowsOf(await db.execute(recorded('all', columns))) as readonly Mark[]
}

/** All predictions, in the order of ids, in parts of so many. */
export async function partsOfAll(db: Db, size: number): Promise<readonly Some[]> {
  const result = await db.execute(sql`
    select min(id) as from, max(id) as through
    from (select id, (row_number() over (order by id) - 1) / ${size}::int as part from predictions) parted
    group by part order by part`)
  return rowsOf(result) as readonly { from: string; through: string }[]
}

export type RecordedRow = StoredRow &
  Pick<Mark, 'mark' | 'event'> & { readonly touch: string | null; readonly close: string | null }

/** These predictions with what is on record of them, in the order of ids, to be read by `recordedPrediction`. */
export async function recordedOf(db: Db, some: Some): Promise<readonly RecordedRow[]> {
  const ruling = (of: string) =>
    sql.raw(`case when ${of}.id is null then null else
    concat_ws(' ', ${of}.id, ${of}.outcome, ${of}.reason, ${of}.rule, ${of}.change, ${of}.day - date '1970-01-01') end as ${of}`)
  const columns = sql`${STORED}, ${ruling('touch')}, ${ruling('close')}`
  return rowsOf(await db.execute(recorded(some, columns))) as readonly RecordedRow[]
}

/** @param experts with that of the row */
export function recordedPrediction(row: RecordedRow, experts: Experts): RecordedPrediction {
  const [touch, close] = [readRuling(row.touch), readRuling(row.close)]
  const { id, mark, event } = row
  return {
    stored: storedOf(row, experts),
    mark: { id, mark, touch: touch?.id ?? null, close: close?.id ?? null, event },
    touch,
    close,
  }
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
