import { and, asc, eq, inArray, isNull, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { type FollowedKind } from '#domain/publishing/following.ts'
import { followers, followQuestions, follows } from '#server/database/schema/following.ts'
import { outbox } from '#server/database/schema/kit.ts'
import { predictionEvents } from '#server/database/schema/predictions.ts'
import { type Db, firstRow, hasEffect, readRows } from '#server/kit/db.ts'

/** Kind of deliveries to followers; `ref` is the follower, the lane its channel. */
export const NEWS = 'follow-news'
/** Kind of mails asking for confirmation; `ref` is the question. */
export const QUESTIONS = 'follow-question'

export type Follower = typeof followers.$inferSelect
export type Question = typeof followQuestions.$inferSelect
/** A followed subject as stored: people by id. */
export type Followed = { readonly kind: FollowedKind; readonly subject: string }

export async function isFollowed(db: Db, followerId: string, followed: Followed) {
  return (await db.$count(follows, and(eq(follows.followerId, followerId), isSame(followed)))) > 0
}

/** People are followed by all of their ids, including merged ones. */
function isSame({ kind, subject }: Followed): SQL | undefined {
  return and(
    eq(follows.kind, kind),
    kind === 'person'
      ? sql`${follows.subject} in (
          select ${subject} union
          select one.id::text from influencers given
          join influencers one on coalesce(one.merged_into, one.id) = coalesce(given.merged_into, given.id)
          where given.id::text = ${subject})`
      : eq(follows.subject, subject),
  )
}

export function questionBy(db: Db, key: 'id' | 'tokenHash', value: string) {
  return firstRow(db.select().from(followQuestions).where(eq(followQuestions[key], value)))
}

export function followerByToken(db: Db, tokenHash: string): Promise<Follower | null> {
  return firstRow(db.select().from(followers).where(eq(followers.tokenHash, tokenHash)))
}

export async function followersByIds(db: Db, ids: readonly string[]) {
  const rows = await db
    .select()
    .from(followers)
    .where(inArray(followers.id, [...ids]))
  return new Map(rows.map((row) => [row.id, row]))
}

export async function followerById(db: Db, id: string): Promise<Follower | null> {
  return (await followersByIds(db, [id])).get(id) ?? null
}

export function browserBy(
  db: Db,
  { addressHash, pushAuth }: Pick<Follower, 'addressHash' | 'pushAuth'>,
): Promise<Follower | null> {
  const isIt = and(
    eq(followers.channel, 'push'),
    eq(followers.addressHash, addressHash),
    sql`${followers.pushAuth} = ${pushAuth}`,
  )
  return firstRow(db.select().from(followers).where(isIt))
}

/** Adds a follower, or updates the one with this address, whose id stays. */
export async function keepFollower(tx: Db, row: typeof followers.$inferInsert) {
  const { every, address, pushKey, nextAt } = row
  const [stored] = await tx
    .insert(followers)
    .values(row)
    .onConflictDoUpdate({
      target: [followers.channel, followers.addressHash, followers.pushAuth],
      set: {
        every,
        address,
        pushKey: pushKey ?? null,
        nextAt: sql`case when ${followers.every} = ${every} then ${followers.nextAt} else ${nextAt}::timestamptz end`,
      },
    })
    .returning({ id: followers.id })
  if (!stored) throw new Error('follower was neither added nor found')
  return stored
}

/** Follows from the newest event on; an existing follow is unchanged. */
export async function addFollow(
  tx: Db,
  followerId: string,
  { kind, subject }: Followed,
  day: string,
): Promise<void> {
  await tx
    .insert(follows)
    .values({
      followerId,
      kind,
      subject,
      sinceEvent: sql`(select coalesce(max(${predictionEvents.id}), 0) from ${predictionEvents})`,
      sinceDay: day,
    })
    .onConflictDoNothing()
}

export async function moveBrowser(
  tx: Db,
  id: string,
  to: Pick<Follower, 'address' | 'addressHash' | 'pushKey' | 'pushAuth'>,
): Promise<void> {
  const there = await browserBy(tx, to)
  if (!there || there.id === id) {
    await tx.update(followers).set(to).where(eq(followers.id, id))
    return
  }
  await tx.execute(sql`
    insert into follows select ${there.id}, kind, subject, since_event, since_day from follows
    where follower_id = ${id} on conflict do nothing`)
  await dropFollower(tx, id)
}

export function countFollows(db: Db, followerId: string): Promise<number> {
  return db.$count(follows, eq(follows.followerId, followerId))
}

export async function followsOf(db: Db, followerId: string): Promise<Followed[]> {
  return db
    .select({ kind: follows.kind, subject: follows.subject })
    .from(follows)
    .where(eq(follows.followerId, followerId))
    .orderBy(asc(follows.kind), asc(follows.subject))
}

export async function dropFollow(db: Db, followerId: string, followed: Followed): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.delete(follows).where(and(eq(follows.followerId, followerId), isSame(followed)))
    await tx.execute(sql`
      delete from follow_news n using predictions p, influencers own
      where n.follower_id = ${followerId} and n.message_id is null
        and p.id = n.prediction_id and own.id = p.influencer_id
        and not exists (
          select from follows f where f.follower_id = n.follower_id and (
            (f.kind = 'asset' and f.subject = p.asset) or
            (f.kind = 'prediction' and f.subject = p.id) or
            (f.kind = 'person' and f.subject in (
              select one.id::text from influencers one
              where coalesce(one.merged_into, one.id) = coalesce(own.merged_into, own.id)))))`)
  })
}

export async function dropFollower(db: Db, id: string): Promise<void> {
  await dropFollowers(db, eq(followers.id, id))
}

async function dropFollowers(db: Db, which: SQL | undefined): Promise<void> {
  const gone = db
    .select({ id: sql<string>`${followers.id}::text` })
    .from(followers)
    .where(which)
  await db.delete(outbox).where(and(eq(outbox.kind, NEWS), inArray(outbox.ref, gone)))
  await db.delete(followers).where(which)
}

export function dropQuestion(db: Db, id: string): Promise<boolean> {
  return hasEffect(db.delete(followQuestions).where(eq(followQuestions.id, id)))
}

/** Deletes an address with its follows and unanswered questions. */
export async function forgetAddress(
  db: Db,
  { channel, addressHash }: Pick<Follower, 'channel' | 'addressHash'>,
): Promise<void> {
  await db.transaction(async (tx) => {
    const isIt = eq(followers.addressHash, addressHash)
    await dropFollowers(tx, and(eq(followers.channel, channel), isIt))
    const isOpen = isNull(followQuestions.followerId)
    const isTheirs = eq(followQuestions.addressHash, addressHash)
    await tx.delete(followQuestions).where(and(isTheirs, isOpen))
  })
}

export async function changeFollower(
  db: Db,
  id: string,
  to: Partial<Pick<Follower, 'tokenHash' | 'every' | 'nextAt'>>,
): Promise<void> {
  await db.update(followers).set(to).where(eq(followers.id, id))
}

const Known = z.object({ id: z.string(), name: z.string(), slug: z.string() })

/** People by id; merged ones by their target. */
export async function peopleBy(db: Db, ids: readonly number[]) {
  const found = await readRows(db, Known)`
    select given.id::text as id, own.name, own.slug
    from influencers given join influencers own on own.id = coalesce(given.merged_into, given.id)
    where given.id = any(${sql.param([...ids])}::bigint[])`
  return new Map(found.map(({ id, ...person }) => [id, person]))
}
