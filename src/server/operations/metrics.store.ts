import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Db } from '#server/kit/db.ts'
import { rowsOf } from '#server/kit/rows.ts'

/** One number with what it is of; labels come from lists in the code, so there are few of them. */
export type Count = { readonly of: string; readonly state: string; readonly n: number }

const Counts = z.array(z.object({ of: z.string(), state: z.string(), n: z.int() }))

/** How many rows are in each state: payments, submissions, notices, posts to be read, predictions, questions. */
export async function stateCounts(db: Db): Promise<Count[]> {
  const result = await db.execute(sql`
    select 'payments' as of, status as state, count(*)::int as n from payments group by 2
    union all select 'submissions', status, count(*)::int from submissions group by 2
    union all select 'payments', 'removed', coalesce(sum(invoices), 0)::int from removed_unpaid
    union all select 'submissions', 'removed', coalesce(sum(submissions), 0)::int from removed_unpaid
    union all select 'notices', status, count(*)::int from notices group by 2
    union all select 'queue', status, count(*)::int from tweet_queue where deleted_at is null group by 2
    union all select 'predictions', case when withdrawn_at is not null then 'withdrawn'
      when frozen_at is not null then 'frozen' else 'live' end, count(*)::int from predictions group by 2
    union all select 'questions', 'open', count(*)::int from price_questions where answer is null
    union all select 'odd payments', 'open', count(*)::int from payments p
      where (p.status = 'overpaid' or p.received_msat < p.sats::bigint * 1000
          or (p.prediction_id is not null and p.credited_sats is null and p.status in ('paid', 'paid_late')))
        and not exists (select from payment_settlements s where s.payment_id = p.id)`)
  return Counts.parse(rowsOf(result))
}

/** The verdicts in force of what is not withdrawn, by `asset mode` and outcome. */
export async function verdictCounts(db: Db): Promise<Count[]> {
  const result = await db.execute(sql`
    select asset || ' ' || mode as of, outcome as state, count(*)::int as n from (
      select distinct on (v.prediction_id, v.mode) p.asset, v.mode, v.outcome
      from verdicts v join predictions p on p.id = v.prediction_id
      where p.withdrawn_at is null order by v.prediction_id, v.mode, v.id desc
    ) in_force group by 1, 2`)
  return Counts.parse(rowsOf(result))
}
