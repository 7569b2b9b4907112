import { and, asc, gt, inArray, isNull, lt, sql } from 'drizzle-orm'
import { z } from 'zod'
import { addDays } from '#domain/day.ts'
import {
  NOTIFY_AFTER_MS,
  FOLLOW_CHANNELS,
  type Every,
  type FollowChannel,
  nextDue,
  REMIND_DAYS,
} from '#domain/publishing/following.ts'
import { followNews, followQuestions, follows } from '#server/database/schema/following.ts'
import { predictionEvents } from '#server/database/schema/predictions.ts'
import { eventsOf } from '#server/judging/verdicts.rows.ts'
import { acquireLock, type Db, readRows } from '#server/kit/db.ts'
import { readFact, recordFact } from '#server/kit/facts.ts'
import { isoNow } from '#server/kit/time.ts'
import { readState } from '#server/record/record-state.ts'
import { announceReplies } from '#server/replies/replies.rows.ts'
import { type FollowKit } from './followed-subject.ts'
import { NEWS } from './followers.store.ts'
import { NEWS_KINDS, newsKindOf, type NewsEvent } from './news-text.ts'

export type News = { readonly event: string; readonly predictionId: string }

type NewsFor = News & {
  /** Only followers from before this event are notified; null for deadlines and replies. */
  readonly number: number | null
  /** ISO day: only followers from before are notified; null for events. */
  readonly day: string | null
  /** Whether followers of the prediction itself are notified. */
  readonly isForOwn: boolean
}

const Range = z.object({ newest: z.coerce.number(), unsettled: z.coerce.number().nullable() })

/** The last event with no earlier one still uncommitted, and past the time to undo (`settledMs`). */
export async function lastSettledEvent(db: Db, settledMs: number): Promise<number> {
  return db.transaction(async (tx) => {
    await acquireLock(tx)
    const [row] = await readRows(tx, Range)`
      select coalesce(max(id), 0) as newest,
        min(id) filter (where at > clock_timestamp() - make_interval(secs => ${settledMs / 1_000})) as unsettled
      from prediction_events
      where id > coalesce((select max(id) from prediction_events), 0) - 5000`
    return row?.unsettled == null ? (row?.newest ?? 0) : row.unsettled - 1
  })
}

/** Adds news for the followers of each prediction, its asset and its person, including merged ones. */
export async function addNews(tx: Db, news: readonly NewsFor[], now: string): Promise<void> {
  if (news.length === 0) return
  await tx.execute(sql`
    insert into follow_news (follower_id, event, prediction_id, created_at)
    select distinct f.follower_id, n.event, p.id, ${now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(news)}::jsonb)
      as n(event text, "predictionId" text, number bigint, day date, "isForOwn" boolean)
    join predictions p on p.id = n."predictionId"
    join influencers own on own.id = p.influencer_id
    cross join lateral (
      select 'asset' as kind, p.asset as subject
      union all select 'prediction', p.id where n."isForOwn"
      union all select 'person', i.id::text from influencers i
        where coalesce(i.merged_into, i.id) = coalesce(own.merged_into, own.id)) about
    join follows f on f.kind = about.kind and f.subject = about.subject
    where (n.number is null or n.number > f.since_event) and (n.day is null or n.day >= f.since_day)
    on conflict (follower_id, prediction_id, event) do nothing`)
}

/**
 * Combines waiting news into one message per due follower without one in progress. Each follower's rows are looked up by
 * index: while thousands of rows are new, the planner has no statistics and would join whole tables.
 *
 * @returns their channels
 */
async function makeMessages(
  tx: Db,
  now: string,
  nextAt: Readonly<Record<Every, string>>,
  most: number,
): Promise<FollowChannel[]> {
  const made = await readRows(tx, z.object({ lane: z.enum(FOLLOW_CHANNELS) }))`
    with due as (
      select f.id, f.channel, f.every, waiting.news from followers f
      cross join lateral (
        select array_agg(n.id order by n.id) as news from follow_news n
        where n.follower_id = f.id and n.message_id is null) waiting
      where f.next_at <= ${now}::timestamptz and waiting.news is not null
        and (select o.id from outbox o
          where o.kind = ${NEWS} and o.ref = f.id::text and o.state in ('waiting', 'sending') limit 1) is null
      order by f.next_at limit ${most} for update of f
    ), made as (
      insert into outbox (kind, key, ref, lane, due, created_at, updated_at)
      select ${NEWS}, id || ' ' || news[1], id, channel, ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz
      from due returning id, ref, lane
    ), taken as (
      update follow_news n set message_id = made.id
      from made join due on due.id = made.ref::uuid cross join lateral unnest(due.news) as one
      where n.id = one and n.message_id is null
    ), next as (
      update followers f set next_at = (${JSON.stringify(nextAt)}::jsonb->>f.every)::timestamptz from due where f.id = due.id
    )
    select lane from made`
  return made.map(({ lane }) => lane)
}

/** News of these messages, oldest first. */
export function newsOf(db: Db, messageIds: readonly number[]) {
  return db
    .select({
      messageId: followNews.messageId,
      event: followNews.event,
      predictionId: followNews.predictionId,
    })
    .from(followNews)
    .where(inArray(followNews.messageId, [...messageIds]))
    .orderBy(asc(followNews.id))
}

const READ_FACT = 'follow news through event'
const MOST_AT_ONCE = 200
const MOST_MADE = 500
/** Items that are not events, such as reminders and replies, go to all followers. */
const FOR_ALL = { number: null, isForOwn: true } as const
/** Approximate rows per transaction: some seconds of work, which delays a stop of the process. */
const MOST_ROWS = 20_000

/** Reads the history of the record instead of being called on changes, so that none can be missed. */
export function newsService(
  kit: FollowKit,
  settledMs = NOTIFY_AFTER_MS,
  mostRows: number = MOST_ROWS,
) {
  const { db, record } = kit
  let reminded = ''

  async function readOn(through: number, atOnce: number): Promise<boolean> {
    return db.transaction(async (tx) => {
      await acquireLock(tx, 'proof-of-price follow news')
      const fact = await readFact(tx, READ_FACT)
      // Events from before following existed are not news.
      const after = fact === null ? through : Number(fact)
      const upTo = Math.min(through, after + atOnce)
      if (upTo > after) {
        const events = await eventsOf(tx, NEWS_KINDS, { after, through: upTo })
        await addNews(tx, events.flatMap(newsOfEvent), isoNow(kit))
      }
      if (fact === null || upTo > after) await recordFact(tx, READ_FACT, String(upTo))
      return upTo < through
    })
  }

  /** Reminds of open predictions with a close deadline, except followers of the last days before it. */
  async function remind(atOnce: number, isStopped: () => boolean): Promise<void> {
    const today = record.today()
    const now = `${String((await readState(db)).version)} ${String(today)}`
    if (reminded === now) return
    const due = await record.select(
      z.object({ id: z.string(), day: z.string() }),
      sql`predictions.id, (target_date - ${REMIND_DAYS}::int)::text as day`,
      { outcomes: ['pending'], due: { first: today, last: addDays(today, REMIND_DAYS) } },
    )
    for (let i = 0; i < due.length; i += atOnce) {
      if (isStopped()) return
      const news = due
        .slice(i, i + atOnce)
        .map(({ id: predictionId, day }) => ({ ...FOR_ALL, event: 'deadline', predictionId, day }))
      await addNews(db, news, isoNow(kit))
    }
    reminded = now
  }

  function addReplies(atOnce: number): Promise<boolean> {
    return db.transaction(async (tx) => {
      const found = await announceReplies(tx, atOnce)
      const news = found.map(({ id, predictionId, at }) => {
        return { ...FOR_ALL, event: `reply ${id}`, predictionId, day: at.slice(0, 10) }
      })
      await addNews(tx, news, isoNow(kit))
      return found.length > 0
    })
  }

  return {
    async write(isStopped: () => boolean = () => false): Promise<void> {
      // Answered questions stay as long as their follower.
      const { expiresAt, followerId } = followQuestions
      await db.delete(followQuestions).where(and(lt(expiresAt, isoNow(kit)), isNull(followerId)))
      // Upper limit of rows per event.
      const rows = Math.max(1, await db.$count(follows))
      const atOnce = Math.min(MOST_AT_ONCE, Math.max(1, Math.floor(mostRows / rows)))
      const fact = await readFact(db, READ_FACT)
      const isMore = gt(predictionEvents.id, Number(fact ?? 0))
      if (fact === null || (await db.$count(predictionEvents, isMore)) > 0) {
        const through = await lastSettledEvent(db, settledMs)
        while (!isStopped() && (await readOn(through, atOnce))) {}
      }
      while (!isStopped() && (await addReplies(atOnce))) {}
      await remind(atOnce, isStopped)
    },

    makeSome: () =>
      db.transaction(async (tx) => {
        const nextAt = (every: Every) => new Date(nextDue(every, kit.clock.now())).toISOString()
        const next = { now: nextAt('now'), day: nextAt('day'), week: nextAt('week') }
        const channels = await makeMessages(tx, isoNow(kit), next, MOST_MADE)
        for (const channel of new Set(channels)) await kit.outbox.wake(tx, NEWS, channel)
        return channels.length > 0
      }),
  }
}

function newsOfEvent(event: NewsEvent): NewsFor[] {
  const kind = newsKindOf(event)
  if (kind === null) return []
  const { event: number, predictionId } = event
  // Followers of a prediction already know of it.
  const isForOwn = kind !== 'call'
  return [{ event: `event ${String(number)}`, predictionId, number, day: null, isForOwn }]
}
