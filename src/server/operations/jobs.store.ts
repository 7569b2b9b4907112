import { z } from 'zod'
import { type Db, readRows } from '#server/kit/db.ts'
import { type Config } from '#server/kit/settings/config.ts'
import { IS_ODD } from '#server/payments/payments.rows.ts'

const moment = z
  .string()
  .nullable()
  .transform((at) => (at === null ? null : new Date(at).toISOString()))
/** A background task as the database shows it, for all processes together. */
export type JobFacts = z.infer<typeof Facts> & {
  readonly isOff?: boolean
}
const Facts = z.object({
  name: z.string(),
  title: z.string(),
  /** Queued tasks, including those not due yet. */
  waiting: z.int(),
  running: z.int(),
  last_run: moment,
  /** The last failure without a later success; null without one. */
  last_error: z.string().nullable(),
  last_error_at: moment,
  next_run: moment,
})

/** Deliveries, by the kinds of the outbox. */
const DELIVERIES = [
  { name: 'notices', title: 'Notices to submitters', kinds: ['notice'] },
  { name: 'news', title: 'News to followers', kinds: ['follow-news', 'follow-question'] },
  { name: 'posts', title: 'Posting to X, Nostr and Bluesky', kinds: ['post'] },
  { name: 'relays', title: 'Sending events to relays', kinds: ['relay', 'zap-relay'] },
  { name: 'proofs', title: 'Stamping the signed record in Bitcoin', kinds: ['stamp'] },
]

export async function loopFacts(
  db: Db,
  { sourceChecks, proofs }: Pick<Config, 'sourceChecks' | 'proofs'>,
): Promise<JobFacts[]> {
  const rows = await readRows(db, Facts)`
    select 'payments' as name, 'Open invoices' as title,
      (count(*) filter (where next_look_at is not null))::int as waiting, 0 as running,
      max(last_look_at)::text as last_run,
      (array_agg(last_error order by last_look_at desc) filter (where last_error is not null and next_look_at is not null))[1] as last_error,
      (max(last_look_at) filter (where last_error is not null and next_look_at is not null))::text as last_error_at,
      min(next_look_at)::text as next_run
    from payments
    union all
    select job.name, job.title, (count(*) filter (where state = 'waiting'))::int, (count(*) filter (where state = 'sending'))::int,
      (max(updated_at) filter (where updated_at > created_at))::text,
      (array_agg(last_error order by updated_at desc) filter (where last_error is not null and due is not null))[1],
      (max(updated_at) filter (where last_error is not null and due is not null))::text, min(due)::text
    from jsonb_to_recordset(${JSON.stringify(DELIVERIES)}::jsonb) as job(name text, title text, kinds text[])
    left join outbox on kind = any(kinds) group by 1, 2
    union all
    select 'queue', 'Reading queued posts',
      (count(*) filter (where status = 'pending' and wanted_at is not null))::int,
      (count(*) filter (where status = 'processing'))::int, max(processed_at)::text,
      (array_agg(error_message order by coalesce(processed_at, wanted_at) desc) filter (where status <> 'completed' and wanted_at is not null and error_message is not null))[1],
      null, (min(wanted_at) filter (where status = 'pending'))::text
    from tweet_queue where deleted_at is null
    union all
    select 'sources', 'Checking source links', count(*)::int, 0, max(asked_at)::text, null, null,
      -- They are asked one after the other: one that waits for its turn is not late.
      greatest(min(next_ask_at), max(asked_at) + interval '1 minute')::text
    from source_checks
    union all
    select 'judging', 'Judging predictions', 0, 0, max(computed_at)::text, null, null, null from verdicts`
  return rows.map((row) => {
    const isOff =
      (row.name === 'sources' && sourceChecks === 'off') ||
      (row.name === 'proofs' && proofs.calendars.length === 0)
    return { ...row, isOff, ...(isOff && { next_run: null }) }
  })
}

export async function queuedJobFacts(db: Db, titleOf: (name: string) => string) {
  const rows = await readRows(db, Facts)`
    select name || coalesce(' ' || singleton_key, '') as name, name as title,
      (count(*) filter (where state in ('created', 'retry')))::int as waiting,
      (count(*) filter (where state = 'active'))::int as running,
      max(completed_on)::text as last_run,
      (array_agg(coalesce(output->>'message', output->'value'->>'message') order by started_on desc) filter (where state in ('retry', 'failed') and output is not null))[1] as last_error,
      (max(started_on) filter (where state in ('retry', 'failed')))::text as last_error_at,
      (min(start_after) filter (where state in ('created', 'retry')))::text as next_run
    from jobs.job where name not like 'outbox%' and name not in ('failed', 'posts') group by name, singleton_key order by 1`
  return rows.map((row) => {
    const key = row.name.slice(row.title.length + 1)
    const ways: Readonly<Record<string, string>> = {
      'scores touch': ', by intraday prices',
      'scores close': ', by daily closes',
    }
    const about = ways[row.name] ?? (key === '' || key === 'all' ? '' : `: ${key}`)
    return { ...row, title: titleOf(row.title) + about }
  })
}

/** A labelled number; labels come from lists in the code, so their number is bounded. */
export type Count = z.infer<typeof Count>
const Count = z.object({ of: z.string(), state: z.string(), n: z.int() })

export async function stateCounts(db: Db): Promise<Count[]> {
  return readRows(db, Count)`
    select 'payments' as of, status as state, count(*)::int as n from payments group by 2
    union all select 'submissions', status, count(*)::int from submissions group by 2
    union all select 'payments', 'removed', coalesce(sum(invoices), 0)::int from removed_unpaid
    union all select 'submissions', 'removed', coalesce(sum(submissions), 0)::int from removed_unpaid
    union all select 'notices', state, count(*)::int from outbox where kind = 'notice' group by 2
    union all select 'queue', status, count(*)::int from tweet_queue where deleted_at is null group by 2
    union all select 'predictions', case when withdrawn_at is not null then 'withdrawn'
      when frozen_at is not null then 'frozen' else 'live' end, count(*)::int from predictions group by 2
    union all select 'questions', 'open', count(*)::int from price_questions where answer is null
    union all select 'odd payments', 'open', count(*)::int from payments where ${IS_ODD}`
}

/** Current verdicts of predictions not withdrawn, by `asset mode` and outcome. */
export async function verdictCounts(db: Db): Promise<Count[]> {
  return readRows(db, Count)`
    select asset || ' ' || mode as of, outcome as state, count(*)::int as n from (
      select distinct on (v.prediction_id, v.mode) p.asset, v.mode, v.outcome
      from verdicts v join predictions p on p.id = v.prediction_id
      where p.withdrawn_at is null order by v.prediction_id, v.mode, v.id desc
    ) in_force group by 1, 2`
}
