import { type AssetKey } from '#domain/asset.ts'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Config } from '#server/kit/settings/config.ts'
import { type Db } from '#server/kit/db.ts'
import { rowsOf } from '#server/kit/rows.ts'

/** One thing that the site does by itself, as the database shows it: true for all processes together. */
export type JobFacts = {
  readonly name: string
  readonly title: string
  /** How much waits for it, also what is not due yet. */
  readonly waiting: number
  readonly running: number
  readonly lastRun: string | null
  /** The failure that has not been followed by a success; null when all is well. */
  readonly lastError: string | null
  readonly lastErrorAt: string | null
  readonly nextRun: string | null
  /** The settings switch it off. */
  readonly isOff: boolean
}

const moment = z
  .string()
  .nullable()
  .transform((at) => (at === null ? null : new Date(at).toISOString()))
const Rows = z.array(
  z.object({
    name: z.string(),
    title: z.string(),
    waiting: z.int(),
    running: z.int(),
    last_run: moment,
    last_error: z.string().nullable(),
    last_error_at: moment,
    next_run: moment,
  }),
)

/** The loops of the project, each read from the rows it works on. */
export async function loopFacts(
  db: Db,
  { sourceChecks, proofs }: Pick<Config, 'sourceChecks' | 'proofs'>,
): Promise<JobFacts[]> {
  const result = await db.execute(sql`
    select 'payments' as name, 'Looking after invoices' as title,
      (count(*) filter (where next_look_at is not null))::int as waiting, 0 as running,
      max(last_look_at)::text as last_run,
      (array_agg(last_error order by last_look_at desc) filter (where last_error is not null and next_look_at is not null))[1] as last_error,
      (max(last_look_at) filter (where last_error is not null and next_look_at is not null))::text as last_error_at,
      min(next_look_at)::text as next_run
    from payments
    union all
    select 'notices', 'Notices to submitters',
      (count(*) filter (where status = 'waiting'))::int, (count(*) filter (where status = 'sending'))::int,
      max(sent_at)::text,
      (array_agg(last_error order by next_try_at desc) filter (where last_error is not null and status in ('waiting', 'sending')))[1],
      null, (min(next_try_at) filter (where status in ('waiting', 'sending')))::text
    from notices
    union all
    select 'queue', 'Reading queued posts',
      (count(*) filter (where status = 'pending' and wanted_at is not null))::int,
      (count(*) filter (where status = 'processing'))::int, max(processed_at)::text,
      (array_agg(error_message order by coalesce(processed_at, wanted_at) desc) filter (where status <> 'completed' and wanted_at is not null and error_message is not null))[1],
      null, (min(wanted_at) filter (where status = 'pending'))::text
    from tweet_queue where deleted_at is null
    union all
    select 'posts', 'Posting to X, Nostr and Bluesky',
      (count(*) filter (where next_try_at is not null))::int,
      (count(*) filter (where next_try_at is not null and lease is not null))::int, max(finished_at)::text,
      (array_agg(error order by next_try_at desc) filter (where error is not null and next_try_at is not null))[1],
      null, min(next_try_at)::text
    from social_results
    union all
    select 'relays', 'Sending events to relays',
      (count(*) filter (where state = 'waiting'))::int, 0,
      (max(updated_at) filter (where state <> 'waiting'))::text,
      (array_agg(reason order by updated_at desc) filter (where state = 'waiting' and attempts > 0))[1],
      (max(updated_at) filter (where state = 'waiting' and attempts > 0))::text,
      (min(next_try_at) filter (where state = 'waiting'))::text
    from nostr_deliveries
    union all
    select 'sources', 'Asking the addresses of sources', count(*)::int, 0, max(asked_at)::text, null, null,
      -- They are asked one after the other: one that waits for its turn is not late.
      greatest(min(next_ask_at), max(asked_at) + interval '1 minute')::text
    from source_checks
    union all
    select 'proofs', 'Stamping the signed record in Bitcoin', (count(*) filter (where height is null))::int, 0,
      (max(updated_at) filter (where attempts > 0))::text,
      (array_agg(last_error order by updated_at desc) filter (where last_error is not null))[1],
      (max(updated_at) filter (where last_error is not null))::text,
      (min(next_try_at) filter (where height is null))::text
    from proof_stamps
    union all
    select 'judging', 'Judging predictions', 0, 0, max(computed_at)::text, null, null, null from verdicts`)
  return Rows.parse(rowsOf(result)).map((row) => {
    const isOff =
      (row.name === 'sources' && sourceChecks === 'off') ||
      (row.name === 'proofs' && proofs.calendars.length === 0)
    return { ...factsOf(row), isOff, ...(isOff && { nextRun: null }) }
  })
}

/** The durable jobs, one row for each key; none before they were first set up. */
export async function durableJobFacts(db: Db): Promise<JobFacts[]> {
  if (!(await hasJobs(db))) return []
  const result = await db.execute(sql`
    select name || coalesce(' ' || singleton_key, '') as name,
      case name
        when 'price-history' then 'Reading prices: ' || coalesce(singleton_key, '')
        when 'scores' then 'Computing scores, ' || case singleton_key when 'close' then 'by daily closes' else 'by intraday prices' end
        else name || ' ' || coalesce(singleton_key, '') end as title,
      (count(*) filter (where state in ('created', 'retry')))::int as waiting,
      (count(*) filter (where state = 'active'))::int as running,
      max(completed_on)::text as last_run,
      (array_agg(output->>'message' order by started_on desc) filter (where state in ('retry', 'failed') and output is not null))[1] as last_error,
      (max(started_on) filter (where state in ('retry', 'failed')))::text as last_error_at,
      (min(start_after) filter (where state in ('created', 'retry')))::text as next_run
    from jobs.job where name not like '\\_\\_%' group by 1, 2 order by 1`)
  return Rows.parse(rowsOf(result)).map(factsOf)
}

/**
 * Has the reading of prices run now: that of one source, or of all sources of an asset.
 *
 * @returns how many waiting jobs were moved up, and how many run at this moment
 */
export async function hurryPriceJobs(
  tx: Db,
  asset: AssetKey,
  source: string | null,
): Promise<{ moved: number; running: number }> {
  if (!(await hasJobs(tx))) return { moved: 0, running: 0 }
  const mine = sql`name = 'price-history' and ${
    source === null
      ? sql`starts_with(singleton_key, ${`${asset} `})`
      : sql`singleton_key = ${`${asset} ${source}`}`
  }`
  const moved = await tx.execute(sql`
    update jobs.job set start_after = now() where ${mine} and state in ('created', 'retry') returning id`)
  const running = await tx.execute(sql`select id from jobs.job where ${mine} and state = 'active'`)
  return { moved: rowsOf(moved).length, running: rowsOf(running).length }
}

async function hasJobs(db: Db): Promise<boolean> {
  const result = await db.execute(sql`select to_regclass('jobs.job') is not null as there`)
  return z.array(z.object({ there: z.boolean() })).parse(rowsOf(result))[0]?.there ?? false
}

function factsOf(row: z.infer<typeof Rows>[number]): JobFacts {
  return {
    name: row.name,
    title: row.title,
    waiting: row.waiting,
    running: row.running,
    lastRun: row.last_run,
    lastError: row.last_error,
    lastErrorAt: row.last_error_at,
    nextRun: row.next_run,
    isOff: false,
  }
}
