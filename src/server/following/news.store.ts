import { and, asc, eq, inArray, isNull, lt, lte, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type FollowChannel, type FollowedKind } from '#domain/publishing/following.ts'
import {
  followers,
  followMessages,
  followNews,
  follows,
} from '#server/database/schema/following.ts'
import { predictionEvents } from '#server/database/schema/predictions.ts'
import { takeTurn, type Db } from '#server/kit/db.ts'
import { rowsOf } from '#server/kit/rows.ts'
import { type Follower } from './followers.store.ts'

export type Message = typeof followMessages.$inferSelect
export type News = { readonly event: string; readonly predictionId: string }

/** Something new, with one thing by whose followers it is heard of. */
export type NewsFor = News & {
  readonly kind: FollowedKind
  readonly subject: string
  /** Who followed before this event hears of it; null where days count. */
  readonly number: number | null
  /** As ISO: who followed on this day or earlier hears of it; null where events count. */
  readonly day: string | null
}

const Range = z.array(
  z.object({ newest: z.coerce.number(), unsettled: z.coerce.number().nullable() }),
)

/**
 * The last event that no other can come before any more, and none of which may be taken back: those who write events take turns.
 *
 * @param settledMs how long an event may be taken back
 */
export async function lastSettledEvent(db: Db, settledMs: number): Promise<number> {
  return db.transaction(async (tx) => {
    await takeTurn(tx)
    const found = await tx.execute(sql`
      select coalesce(max(id), 0) as newest,
        min(id) filter (where at > clock_timestamp() - make_interval(secs => ${settledMs / 1_000})) as unsettled
      from prediction_events
      where id > coalesce((select max(id) from prediction_events), 0) - 5000`)
    const [row] = Range.parse(rowsOf(found))
    return row?.unsettled == null ? (row?.newest ?? 0) : row.unsettled - 1
  })
}

export async function newestEvent(db: Db): Promise<number> {
  const [row] = await db
    .select({ newest: sql<number>`coalesce(max(${predictionEvents.id}), 0)::float8` })
    .from(predictionEvents)
  return row?.newest ?? 0
}

/** How many rows an event has at the most: no follower hears of one thing twice. */
export function countFollows(db: Db): Promise<number> {
  return db.$count(follows)
}

const Person = z.array(
  z.object({ id: z.string(), asset: z.string(), person: z.string(), others: z.array(z.string()) }),
)

/** By what followers hear of predictions: their assets, and their people under every number they have had. */
export async function subjectsOf(
  db: Db,
  ids: readonly string[],
): Promise<Map<string, { asset: string; people: readonly string[] }>> {
  const found = await db.execute(sql`
    select p.id, p.asset, i.id::text as person,
      array(select o.id::text from influencers o where o.merged_into = i.id) as others
    from predictions p
    join influencers own on own.id = p.influencer_id
    join influencers i on i.id = coalesce(own.merged_into, own.id)
    where p.id in (select jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))`)
  return new Map(
    Person.parse(rowsOf(found)).map(({ id, asset, person, others }) => [
      id,
      { asset, people: [person, ...others] },
    ]),
  )
}

/** Writes news down for everyone who follows them; what has been written before is passed over. */
export async function addNews(tx: Db, news: readonly NewsFor[], now: string): Promise<void> {
  if (news.length === 0) return
  const rows = news.map(({ event, predictionId, kind, subject, number, day }) => ({
    event,
    prediction: predictionId,
    kind,
    subject,
    number,
    day,
  }))
  await tx.execute(sql`
    insert into follow_news (follower_id, event, prediction_id, created_at)
    select distinct f.follower_id, n.event, n.prediction, ${now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as n(event text, prediction text, kind text, subject text, number bigint, day date)
    join follows f on f.kind = n.kind and f.subject = n.subject
    join predictions p on p.id = n.prediction
    where (n.number is null or n.number > f.since_event) and (n.day is null or n.day >= f.since_day)
    on conflict (follower_id, prediction_id, event) do nothing`)
}

/**
 * Makes a message of all that waits for one follower who is due. While a message is on its way to someone no other is made:
 * what happens while a mail server is away comes as one mail.
 *
 * @param nextAt when that follower is due again
 * @returns false where no one is due
 */
export async function makeMessage(
  db: Db,
  now: string,
  nextAt: (follower: Pick<Follower, 'every'>) => string,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [due] = await tx
      .select()
      .from(followers)
      .where(
        and(
          lte(followers.nextAt, now),
          sql`exists (select from ${followNews} where ${followNews.followerId} = ${followers.id} and ${followNews.messageId} is null)`,
          sql`not exists (select from ${followMessages} where ${followMessages.followerId} = ${followers.id} and ${followMessages.status} in ('waiting', 'sending'))`,
        ),
      )
      .orderBy(asc(followers.nextAt))
      .limit(1)
      .for('update', { skipLocked: true })
    if (!due) return false
    const [made] = await tx
      .insert(followMessages)
      .values({ followerId: due.id, nextTryAt: now, createdAt: now })
      .returning({ id: followMessages.id })
    if (!made) throw new Error('a message that was not added')
    await tx
      .update(followNews)
      .set({ messageId: made.id })
      .where(and(eq(followNews.followerId, due.id), isNull(followNews.messageId)))
    await tx
      .update(followers)
      .set({ nextAt: nextAt(due) })
      .where(eq(followers.id, due.id))
    return true
  })
}

/** Takes the message of a channel that has waited longest, for this process alone until `until`. */
export async function takeMessage(
  db: Db,
  channel: FollowChannel,
  { now, until }: { now: string; until: string },
): Promise<Message | null> {
  const due = db
    .select({ id: followMessages.id })
    .from(followMessages)
    .innerJoin(followers, eq(followers.id, followMessages.followerId))
    .where(
      and(
        inArray(followMessages.status, ['waiting', 'sending']),
        lte(followMessages.nextTryAt, now),
        eq(followers.channel, channel),
      ),
    )
    .orderBy(asc(followMessages.nextTryAt))
    .limit(1)
    .for('update', { of: followMessages, skipLocked: true })
  const [taken] = await db
    .update(followMessages)
    .set({ status: 'sending', nextTryAt: until, attempts: sql`${followMessages.attempts} + 1` })
    .where(inArray(followMessages.id, due))
    .returning()
  return taken ?? null
}

/** Who a message was for; null where it is gone. */
export async function messageFollower(db: Db, id: number): Promise<string | null> {
  const [found] = await db
    .select({ followerId: followMessages.followerId })
    .from(followMessages)
    .where(eq(followMessages.id, id))
  return found?.followerId ?? null
}

export async function newsOf(db: Db, messageId: number): Promise<News[]> {
  return db
    .select({ event: followNews.event, predictionId: followNews.predictionId })
    .from(followNews)
    .where(eq(followNews.messageId, messageId))
    .orderBy(asc(followNews.id))
}

export async function updateMessage(
  db: Db,
  id: number,
  set: Partial<Pick<Message, 'status' | 'attempts' | 'nextTryAt' | 'lastError' | 'sentAt'>>,
): Promise<void> {
  await db.update(followMessages).set(set).where(eq(followMessages.id, id))
}

/** Deletes messages that have ended, with their news: the record has what they said. */
export async function dropOldMessages(db: Db, before: string): Promise<void> {
  await db
    .delete(followMessages)
    .where(
      and(
        inArray(followMessages.status, ['sent', 'failed', 'unknown']),
        lt(followMessages.createdAt, before),
      ),
    )
}
