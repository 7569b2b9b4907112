import { CORRECTION_KINDS, type CorrectionsView } from '#contracts/corrections-log.ts'
import { type Db } from '#server/kit/db.ts'
import { rowsOf } from '#server/kit/rows.ts'
import { and, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'

/** Which corrections are asked for. */
export type AskedCorrections = Omit<CorrectionsView, 'page'> & {
  /** Only those of these predictions. */
  readonly predictions?: readonly string[]
}

/** See `changesRecord`; `was` is the verdict before. */
const CHANGES_RECORD = sql`(
  event.kind <> 'changed' or event.verdict_id is null or was.change = 'override'
  or was.outcome is not null and not (was.outcome = 'pending' and now.change in ('prices', 'range'))
    and (now.outcome <> was.outcome or now.day is distinct from was.day))`

function corrections({ kind, asset, person, predictions }: AskedCorrections): SQL {
  const wanted = and(
    sql`event.kind = any(${sql.param(kind === null ? [...CORRECTION_KINDS] : [kind])}::text[])`,
    CHANGES_RECORD,
    asset === null ? undefined : sql`predictions.asset = ${asset}`,
    person === null ? undefined : sql`influencers.slug = ${person}`,
    predictions && sql`predictions.id = any(${sql.param([...predictions])}::text[])`,
  )
  return sql`
    from prediction_events event
    join predictions on predictions.id = event.prediction_id
    join influencers on influencers.id = predictions.influencer_id
    left join verdicts now on now.id = event.verdict_id
    left join lateral (
      select outcome, change, day from verdicts
      where prediction_id = now.prediction_id and mode = now.mode and id < now.id
      order by id desc limit 1
    ) was on event.kind = 'changed'
    where ${wanted}`
}

export async function countCorrections(db: Db, asked: AskedCorrections): Promise<number> {
  const found = await db.execute(sql`select count(*)::int as n ${corrections(asked)}`)
  return z.array(z.object({ n: z.int() })).parse(rowsOf(found))[0]?.n ?? 0
}

/** The numbers of their events, newest first. */
export async function correctionNumbers(
  db: Db,
  asked: AskedCorrections,
  { skip, most }: { readonly skip: number; readonly most: number | null } = { skip: 0, most: null },
): Promise<number[]> {
  const found = await db.execute(sql`
    select event.id::float8 as id ${corrections(asked)}
    order by event.id desc limit ${most} offset ${skip}`)
  return z
    .array(z.object({ id: z.number() }))
    .parse(rowsOf(found))
    .map(({ id }) => id)
}
