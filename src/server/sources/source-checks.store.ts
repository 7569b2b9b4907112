import { sql } from 'drizzle-orm'
import { eq, and } from 'drizzle-orm'
import { z } from 'zod'
import { type Db } from '#server/kit/db.ts'
import { rowsOf } from '#server/kit/rows.ts'
import { sourceChecks } from '#server/database/schema/sources.ts'

export type SourceCheck = typeof sourceChecks.$inferSelect

/** Part of an address that identifies the host for rate limiting. */
const hostOf = (column: string) =>
  sql.raw(
    `regexp_replace(lower(substring(${column} from '^[A-Za-z]+://([^/?#:]+)')), '^www\\.', '')`,
  )
/** Published web addresses; unreviewed ones may be anything. */
const ASKABLE = sql`(select distinct url from sources where prediction_id is not null and url ~* '^https?://')`

const Addresses = z.array(z.object({ url: z.string() }))

/** Time of the last check, ignoring future times, as a clock may have jumped. */
export async function lastRequested(db: Db, now: string): Promise<string | null> {
  const result = await db.execute(
    sql`select max(asked_at) as url from source_checks where asked_at <= ${now}`,
  )
  return z.array(z.object({ url: z.string().nullable() })).parse(rowsOf(result))[0]?.url ?? null
}

/**
 * A link that is due, unchecked ones first.
 * @param hostFrom skips hosts checked since then
 * @param latest latest possible due time, as a clock may have jumped
 */
export async function dueAddress(
  db: Db,
  { now, hostFrom, latest }: { now: string; hostFrom: string; latest: string },
): Promise<string | null> {
  const result = await db.execute(sql`
    with resting as (
      select ${hostOf('url')} as host from source_checks where asked_at > ${hostFrom} and asked_at <= ${now}
    )
    select s.url from ${ASKABLE} s left join source_checks c on c.url = s.url
    where (c.url is null or c.next_ask_at <= ${now} or c.next_ask_at > ${latest})
      and ${hostOf('s.url')} not in (select host from resting)
    order by c.next_ask_at nulls first, s.url limit 1`)
  return Addresses.parse(rowsOf(result))[0]?.url ?? null
}

/** Marks a link as being checked, with the next attempt in case this process is killed. */
export async function beginCheck(
  db: Db,
  url: string,
  times: { askedAt: string; nextAskAt: string },
): Promise<SourceCheck> {
  const [row] = await db
    .insert(sourceChecks)
    .values({ url, ...times })
    .onConflictDoUpdate({ target: sourceChecks.url, set: times })
    .returning()
  if (!row) throw new Error('checked link has no row')
  return row
}

/** @returns false if another process has checked it since */
export async function endCheck(
  db: Db,
  check: Pick<SourceCheck, 'url' | 'askedAt'>,
  result: Partial<Omit<SourceCheck, 'url' | 'askedAt'>>,
): Promise<boolean> {
  const rows = await db
    .update(sourceChecks)
    .set(result)
    .where(and(eq(sourceChecks.url, check.url), eq(sourceChecks.askedAt, check.askedAt)))
    .returning({ url: sourceChecks.url })
  return rows.length > 0
}

/** The last successful link on another host. */
export async function lastAnswered(
  db: Db,
  url: string,
): Promise<{ url: string; answeredAt: string } | null> {
  const result = await db.execute(sql`
    select c.url, c.answered_at from source_checks c, (select ${url}::text as url) given
    where c.answered_at is not null and ${hostOf('c.url')} <> ${hostOf('given.url')}
    order by c.answered_at desc limit 1`)
  const row = z
    .array(z.object({ url: z.string(), answered_at: z.string() }))
    .parse(rowsOf(result))[0]
  return row ? { url: row.url, answeredAt: row.answered_at } : null
}

/** Deletes addresses that are no longer sources. */
export async function forgetOthers(db: Db): Promise<void> {
  await db.execute(sql`
    delete from source_checks c where not exists
      (select from sources s where s.url = c.url and s.prediction_id is not null)`)
}

const Summary = z.object({
  addresses: z.int(),
  asked: z.int(),
  waiting: z.int(),
  failing: z.int(),
  closed: z.int(),
  dead: z.int(),
  last_asked: z.string().nullable(),
  next_ask: z.string().nullable(),
})

/** Summary of all links on record. */
export async function checksSummary(db: Db, now: string): Promise<z.infer<typeof Summary>> {
  const result = await db.execute(sql`
    select count(*)::int as addresses, count(c.url)::int as asked,
      (count(*) filter (where c.url is null or c.next_ask_at <= ${now}))::int as waiting,
      (count(*) filter (where c.failing_since is not null and c.dead_since is null))::int as failing,
      (count(*) filter (where c.last_error is not null and c.failing_since is null))::int as closed,
      (count(c.dead_since))::int as dead,
      max(c.asked_at) as last_asked, min(c.next_ask_at) as next_ask
    from ${ASKABLE} s left join source_checks c on c.url = s.url`)
  return z.array(Summary).length(1).parse(rowsOf(result))[0] as z.infer<typeof Summary>
}

const Dead = z.array(
  z.object({
    url: z.string(),
    dead_since: z.string(),
    asked_at: z.string(),
    last_error: z.string().nullable(),
    archived_url: z.string().nullable(),
    predictions: z.array(z.string()),
  }),
)

/** Dead links, newest first, with the predictions they support. */
export async function deadAddresses(db: Db, most: number): Promise<z.infer<typeof Dead>> {
  const result = await db.execute(sql`
    select c.url, c.dead_since, c.asked_at, c.last_error, max(s.archived_url) as archived_url,
      json_agg(s.prediction_id order by s.prediction_id) as predictions
    from source_checks c join sources s on s.url = c.url and s.prediction_id is not null
    where c.dead_since is not null
    group by c.url order by c.dead_since desc, c.url limit ${most}`)
  return Dead.parse(rowsOf(result))
}
