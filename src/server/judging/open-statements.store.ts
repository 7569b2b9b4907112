import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { type AssetKey } from '#domain/asset.ts'
import { DIRECTIONS, TIMINGS } from '#domain/claim/claim.ts'
import { PREDICTION_TYPES, claimOfRow } from '#domain/claim/fields.ts'
import { DATE_PRECISIONS, day, type Day } from '#domain/day.ts'
import { JUDGE_MODES } from '#domain/judging/verdict.ts'
import { type Db, readRows } from '#server/kit/db.ts'
import { Evidence } from './verdicts.rows.ts'

const StoredDay = z.iso.date().transform(day)

const Row = z.object({
  id: z.string(),
  type: z.enum(PREDICTION_TYPES),
  price_target: z.number().nullable(),
  price_min: z.number().nullable(),
  price_max: z.number().nullable(),
  timing: z.enum(TIMINGS),
  direction: z.enum(DIRECTIONS).nullable(),
  made: StoredDay,
  made_precision: z.enum(DATE_PRECISIONS),
  start_date: StoredDay.nullable(),
  target_date: StoredDay,
  mode: z.enum(JUDGE_MODES),
  outcome: z.string().nullable(),
  change: z.string().nullable(),
  rule: z.number().nullable(),
  /** Null while pending, as it is not needed then. */
  evidence: Evidence.nullable(),
})

/**
 * Pending statements, and decided ones whose window ends on or after `from`, each with its verdict in force by each mode.
 * @param from null for pending ones only
 */
export async function openStatements(db: Db, asset: AssetKey, from: Day | null) {
  const rows = await readRows(db, Row)`
    select p.id, p.type, p.price_target, p.price_min, p.price_max, p.timing,
      p.direction, p.made::text as made, p.made_precision,
      p.start_date::text as start_date, p.target_date::text as target_date,
      m.mode, v.outcome, v.change, v.rule,
      case when v.outcome = 'pending' then null else v.evidence end as evidence
    from predictions p
    cross join (values ('touch'), ('close')) as m(mode)
    left join lateral (
      select outcome, change, rule, evidence from verdicts
      where prediction_id = p.id and mode = m.mode order by id desc limit 1
    ) v on true
    where p.asset = ${asset} and p.withdrawn_at is null
      and (p.frozen_at is null or v.outcome is null)
      and (v.outcome is null or v.outcome = 'pending' or ${
        from === null ? sql`false` : sql`(v.evidence->'window'->>'to')::int >= ${from}::int`
      })`
  return rows.map((row) => ({
    id: row.id,
    asset,
    statedClaim: claimOfRow(row),
    made: row.made,
    madePrecision: row.made_precision,
    from: row.start_date,
    by: row.target_date,
    mode: row.mode,
    before:
      row.change === null || row.rule === null
        ? null
        : { change: row.change, rule: row.rule, decided: row.evidence },
  }))
}
