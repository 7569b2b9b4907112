import { and, eq, gt, lte, sql } from 'drizzle-orm'
import { z } from 'zod'
import { sourceChecks } from '#server/database/schema/sources.ts'
import { hasEffect, readRows } from '#server/kit/db.ts'
import { type Kit, type SiteKit } from '#server/kit/kit.ts'
import { iso, isoIn, isoNow } from '#server/kit/time.ts'
import { messagesOf, recordChanged } from '#server/record/record-state.ts'
import { type PageReply, type SourcePages } from './web-pages.ts'

const MINUTE_MS = 60_000
const WEEK_MS = 7 * 86_400_000
/** All processes together check four addresses a minute, and no host twice a minute. */
const PACE_MS = 15_000
const HOST_PACE_MS = MINUTE_MS
/** Longer than any check; checks of a killed process are repeated after this. */
const ASKING_MS = 10 * MINUTE_MS
/** Delay before repeating a check that may have failed by our own connection. */
const OFFLINE_MS = 60 * MINUTE_MS
const MOST_DEAD = 100

/** Checks links of sources one at a time; the rows hold what is due. */
export function defineSourceChecks(kit: CheckKit & Pick<SiteKit, 'jobs'>): void {
  const job = kit.jobs.repeat({
    name: 'source-checks',
    title: 'Checking source links',
    seconds: 300,
    run: async (signal) => {
      const reply = await checkNext(kit, signal)
      if (reply !== null) await job.send(kit.db, {}, PACE_MS / 1_000)
    },
  })
}

type CheckKit = Pick<Kit, 'db' | 'clock'> & { readonly pages: SourcePages }

/** Checks one link of the record, if one is due and the pace allows it. @returns the address checked; null if none was */
export async function checkNext(kit: CheckKit, signal: AbortSignal): Promise<string | null> {
  const check = await claim(kit)
  if (!check) return null
  const reply = await kit.pages.ask(check.url, signal)
  const isOurs = reply.kind === 'failed' && !reply.isAnswer && !(await isOnline(kit, check, signal))
  const result = isOurs ? postponed(check, reply) : afterAsk(check, reply)
  await kit.db.transaction(async (tx) => {
    // Another process may have checked it since.
    const isLast = and(eq(sourceChecks.url, check.url), eq(sourceChecks.askedAt, check.askedAt))
    const isSaved = await hasEffect(tx.update(sourceChecks).set(result).where(isLast))
    const deadSince = result.deadSince ?? null
    // Pages of its predictions show the link's state.
    if (isSaved && !isOurs && deadSince !== check.deadSince) {
      const named = sql`predictions.id in (select prediction_id from sources where url = ${check.url})`
      await recordChanged(tx, { predictions: await messagesOf(tx, named) })
    }
  })
  return check.url
}

function claim(kit: CheckKit): Promise<SourceCheck | null> {
  const now = isoNow(kit)
  return kit.db.transaction(async (tx) => {
    // Future times are from a clock that was ahead.
    const isRecent = and(
      gt(sourceChecks.askedAt, isoIn(kit, -PACE_MS)),
      lte(sourceChecks.askedAt, now),
    )
    if ((await tx.$count(sourceChecks, isRecent)) > 0) return null
    // Unchecked links first, without hosts checked lately.
    const [due] = await readRows(tx, z.object({ url: z.string() }))`
      with resting as (
        select ${hostOf('url')} as host from source_checks where asked_at > ${isoIn(kit, -HOST_PACE_MS)} and asked_at <= ${now}
      )
      select s.url from ${ASKABLE} s left join source_checks c on c.url = s.url
      where (c.url is null or c.next_ask_at <= ${now} or c.next_ask_at > ${isoIn(kit, WEEK_MS)})
        and ${hostOf('s.url')} not in (select host from resting)
      order by c.next_ask_at nulls first, s.url limit 1`
    if (!due) {
      // Addresses that are no longer sources.
      await tx.execute(sql`
        delete from source_checks c where not exists
          (select from sources s where s.url = c.url and s.prediction_id is not null)`)
      return null
    }
    // The next attempt is in case this process is killed.
    const times = { askedAt: now, nextAskAt: isoIn(kit, ASKING_MS) }
    const [check = null] = await tx
      .insert(sourceChecks)
      .values({ url: due.url, ...times })
      .onConflictDoUpdate({ target: sourceChecks.url, set: times })
      .returning()
    return check
  })
}

/** Whether another host answers: without internet all links would appear dead. */
async function isOnline(kit: CheckKit, check: SourceCheck, signal: AbortSignal): Promise<boolean> {
  const [other] = await readRows(kit.db, z.object({ url: z.string(), answered_at: z.string() }))`
    select c.url, c.answered_at from source_checks c, (select ${check.url}::text as url) given
    where c.answered_at is not null and ${hostOf('c.url')} <> ${hostOf('given.url')}
    order by c.answered_at desc limit 1`
  if (!other) return false
  const ago = kit.clock.now() - Date.parse(other.answered_at)
  if (ago >= 0 && ago < MINUTE_MS) return true
  const reply = await kit.pages.ask(other.url, signal)
  return reply.kind !== 'failed' || reply.isAnswer
}

type Result = Partial<Omit<SourceCheck, 'url' | 'askedAt'>>

function postponed({ askedAt }: SourceCheck, reply: PageReply): Result {
  const reason = reply.kind === 'failed' ? reply.reason : ''
  return {
    nextAskAt: later(askedAt, OFFLINE_MS),
    lastError: `${reason} Other pages do not answer either: this site may have no internet.`,
  }
}

/**
 * State of a link after a check. A link is dead once it failed twice, at least a week apart, without a success
 * in between; a blocked check changes nothing.
 */
function afterAsk(before: SourceCheck, reply: PageReply): Result {
  const { askedAt } = before
  const nextAskAt = later(askedAt, WEEK_MS)
  switch (reply.kind) {
    case 'page':
      return {
        nextAskAt,
        answeredAt: askedAt,
        failingSince: null,
        deadSince: null,
        lastError: null,
      }
    case 'closed':
      return { nextAskAt, deadSince: before.deadSince, lastError: reply.reason }
    case 'failed': {
      const failingSince = before.failingSince ?? askedAt
      const isDead = Date.parse(askedAt) - Date.parse(failingSince) >= WEEK_MS
      const deadSince = before.deadSince ?? (isDead ? failingSince : null)
      return { nextAskAt, failingSince, deadSince, lastError: reply.reason }
    }
  }
}

function later(moment: string, ms: number): string {
  return new Date(Date.parse(moment) + ms).toISOString()
}

const Moment = z.string().transform(iso)
const Summary = z.object({
  addresses: z.int(),
  asked: z.int(),
  waiting: z.int(),
  failing: z.int(),
  closed: z.int(),
  dead: z.int(),
  last_asked: Moment.nullable(),
  next_ask: Moment.nullable(),
})
const Dead = z.object({
  url: z.string(),
  dead_since: Moment,
  asked_at: Moment,
  note: z.string().nullable(),
  archived_url: z.string().nullable(),
  predictions: z.array(z.string()),
})

/** Link checks as shown to administrators; dead links newest first, with the predictions they support. */
export async function sourceChecksState(kit: Pick<Kit, 'db' | 'clock' | 'config'>) {
  const [summary] = await readRows(kit.db, Summary)`
    select count(*)::int as addresses, count(c.url)::int as asked,
      (count(*) filter (where c.url is null or c.next_ask_at <= ${isoNow(kit)}))::int as waiting,
      (count(*) filter (where c.failing_since is not null and c.dead_since is null))::int as failing,
      (count(*) filter (where c.last_error is not null and c.failing_since is null))::int as closed,
      (count(c.dead_since))::int as dead,
      max(c.asked_at) as last_asked, min(c.next_ask_at) as next_ask
    from ${ASKABLE} s left join source_checks c on c.url = s.url`
  const newest = await readRows(kit.db, Dead)`
    select c.url, c.dead_since, c.asked_at, c.last_error as note, max(s.archived_url) as archived_url,
      json_agg(s.prediction_id order by s.prediction_id) as predictions
    from source_checks c join sources s on s.url = c.url and s.prediction_id is not null
    where c.dead_since is not null
    group by c.url order by c.dead_since desc, c.url limit ${MOST_DEAD}`
  const { dead: total, ...counts } = Summary.parse(summary)
  return { mode: kit.config.sourceChecks, ...counts, dead: { total, newest } }
}

type SourceCheck = typeof sourceChecks.$inferSelect

/** Part of an address that identifies the host for rate limiting. */
const hostOf = (column: string) =>
  sql.raw(
    `regexp_replace(lower(substring(${column} from '^[A-Za-z]+://([^/?#:]+)')), '^www\\.', '')`,
  )
/** Published web addresses; unreviewed ones may be anything. */
const ASKABLE = sql`(select distinct url from sources where prediction_id is not null and url ~* '^https?://')`
