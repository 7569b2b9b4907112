import { and, asc, count, desc, eq, gte, inArray, isNull, lt, lte, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Every, type FollowChannel, type FollowedKind } from '#domain/publishing/following.ts'
import { followers, followQuestions, follows } from '#server/database/schema/following.ts'
import { influencers, predictionEvents } from '#server/database/schema/predictions.ts'
import { type Db } from '#server/kit/db.ts'
import { rowsOf } from '#server/kit/rows.ts'

export type Follower = typeof followers.$inferSelect
/** A question to an address whether it wants news. */
export type Question = typeof followQuestions.$inferSelect
/** What is followed, as it is stored: a person by number. */
export type Followed = { readonly kind: FollowedKind; readonly subject: string }

/** How many browsers of a network have begun to follow since. */
export async function browsersOf(tx: Db, networkHash: string, since: string): Promise<number> {
  const [row] = await tx
    .select({ n: count() })
    .from(followers)
    .where(and(eq(followers.networkHash, networkHash), gte(followers.createdAt, since)))
  return row?.n ?? 0
}

export async function isFollowed(
  db: Db,
  followerId: string,
  { kind, subject }: Followed,
): Promise<boolean> {
  const rows = await db
    .select({ kind: follows.kind })
    .from(follows)
    .where(
      and(eq(follows.followerId, followerId), eq(follows.kind, kind), eq(follows.subject, subject)),
    )
  return rows.length > 0
}

export async function addQuestion(
  tx: Db,
  given: Pick<
    Question,
    | 'id'
    | 'tokenHash'
    | 'address'
    | 'addressHash'
    | 'networkHash'
    | 'kind'
    | 'subject'
    | 'every'
    | 'nextTryAt'
    | 'createdAt'
    | 'expiresAt'
  >,
): Promise<void> {
  await tx.insert(followQuestions).values(given)
}

/** How often an address was asked and how often a network asked since these moments, and how many questions there are. */
export async function questionLoad(
  tx: Db,
  of: { readonly addressHash: string; readonly networkHash: string },
  since: { readonly address: string; readonly network: string },
): Promise<{ address: number; network: number; all: number }> {
  const [address] = await tx
    .select({ n: count() })
    .from(followQuestions)
    .where(
      and(
        eq(followQuestions.addressHash, of.addressHash),
        gte(followQuestions.createdAt, since.address),
      ),
    )
  const [network] = await tx
    .select({ n: count() })
    .from(followQuestions)
    .where(
      and(
        eq(followQuestions.networkHash, of.networkHash),
        gte(followQuestions.createdAt, since.network),
      ),
    )
  const [all] = await tx.select({ n: count() }).from(followQuestions)
  return { address: address?.n ?? 0, network: network?.n ?? 0, all: all?.n ?? 0 }
}

export async function questionByToken(db: Db, tokenHash: string): Promise<Question | null> {
  const rows = await db
    .select()
    .from(followQuestions)
    .where(eq(followQuestions.tokenHash, tokenHash))
  return rows[0] ?? null
}

export async function followerByToken(db: Db, tokenHash: string): Promise<Follower | null> {
  const rows = await db.select().from(followers).where(eq(followers.tokenHash, tokenHash))
  return rows[0] ?? null
}

export async function followerById(db: Db, id: string): Promise<Follower | null> {
  const rows = await db.select().from(followers).where(eq(followers.id, id))
  return rows[0] ?? null
}

export async function followerByAddress(
  db: Db,
  channel: FollowChannel,
  addressHash: string,
): Promise<Follower | null> {
  const rows = await db
    .select()
    .from(followers)
    .where(and(eq(followers.channel, channel), eq(followers.addressHash, addressHash)))
  return rows[0] ?? null
}

/**
 * The follower with this address: a new one, or the one there is, which keeps its id and from now on gets news as it is said
 * here.
 */
export async function keepFollower(
  tx: Db,
  given: typeof followers.$inferInsert,
): Promise<{ id: string }> {
  const { every, address, pushKey, pushAuth, nextAt } = given
  const [kept] = await tx
    .insert(followers)
    .values(given)
    .onConflictDoUpdate({
      target: [followers.channel, followers.addressHash],
      set: {
        every,
        address,
        pushKey: pushKey ?? null,
        pushAuth: pushAuth ?? null,
        nextAt: sql`case when ${followers.every} = ${every} then ${followers.nextAt} else ${nextAt}::timestamptz end`,
      },
    })
    .returning({ id: followers.id })
  if (!kept) throw new Error('a follower that was neither added nor found')
  return kept
}

/** Begins to follow, from the newest event of the record on. What is followed already goes on as it is. */
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

/** Notes that a question was answered: its address is with the follower now, and nowhere else. */
export async function answerQuestion(tx: Db, id: string, followerId: string): Promise<void> {
  await tx
    .update(followQuestions)
    .set({ address: null, followerId, status: 'sent' })
    .where(eq(followQuestions.id, id))
}

export async function countFollows(db: Db, followerId: string): Promise<number> {
  const [row] = await db
    .select({ n: count() })
    .from(follows)
    .where(eq(follows.followerId, followerId))
  return row?.n ?? 0
}

export async function followsOf(db: Db, followerId: string): Promise<Followed[]> {
  return db
    .select({ kind: follows.kind, subject: follows.subject })
    .from(follows)
    .where(eq(follows.followerId, followerId))
    .orderBy(asc(follows.kind), asc(follows.subject))
}

export async function dropFollow(
  db: Db,
  followerId: string,
  { kind, subject }: Followed,
): Promise<void> {
  await db
    .delete(follows)
    .where(
      and(eq(follows.followerId, followerId), eq(follows.kind, kind), eq(follows.subject, subject)),
    )
}

/** Deletes a follower with all it followed, and the news that waits for it. */
export async function dropFollower(db: Db, id: string): Promise<void> {
  await db.delete(followers).where(eq(followers.id, id))
}

export async function dropQuestion(db: Db, id: string): Promise<void> {
  await db.delete(followQuestions).where(eq(followQuestions.id, id))
}

/** Deletes an address wherever it is kept for news. */
export async function forgetAddress(db: Db, addressHash: string): Promise<void> {
  await db.transaction(async (tx) => {
    await tx
      .delete(followers)
      .where(and(eq(followers.channel, 'email'), eq(followers.addressHash, addressHash)))
    await tx
      .delete(followQuestions)
      .where(and(eq(followQuestions.addressHash, addressHash), isNull(followQuestions.followerId)))
  })
}

export async function setTokenHash(db: Db, id: string, tokenHash: string): Promise<void> {
  await db.update(followers).set({ tokenHash }).where(eq(followers.id, id))
}

export async function setEvery(
  db: Db,
  id: string,
  given: { every: Every; nextAt: string },
): Promise<void> {
  await db.update(followers).set(given).where(eq(followers.id, id))
}

export async function dropExpired(db: Db, now: string): Promise<void> {
  await db.delete(followQuestions).where(lt(followQuestions.expiresAt, now))
}

/** Takes the question whose mail has waited longest, for this process alone until `until`. */
export async function takeQuestion(
  db: Db,
  { now, until }: { now: string; until: string },
): Promise<Question | null> {
  const due = db
    .select({ id: followQuestions.id })
    .from(followQuestions)
    .where(
      and(
        inArray(followQuestions.status, ['waiting', 'sending']),
        lte(followQuestions.nextTryAt, now),
      ),
    )
    .orderBy(asc(followQuestions.nextTryAt))
    .limit(1)
    .for('update', { skipLocked: true })
  const [taken] = await db
    .update(followQuestions)
    .set({ status: 'sending', nextTryAt: until, attempts: sql`${followQuestions.attempts} + 1` })
    .where(inArray(followQuestions.id, due))
    .returning()
  return taken ?? null
}

export async function updateQuestion(
  db: Db,
  id: string,
  {
    status,
    attempts,
    nextTryAt,
    lastError,
  }: Partial<Pick<Question, 'status' | 'attempts' | 'nextTryAt' | 'lastError'>>,
): Promise<void> {
  const set = { status, attempts, nextTryAt, lastError }
  await db.update(followQuestions).set(set).where(eq(followQuestions.id, id))
}

/** People by number; under the one they were found to be, where two were found to be one. */
export async function peopleBy(
  db: Db,
  ids: readonly number[],
): Promise<Map<string, { name: string; slug: string }>> {
  if (ids.length === 0) return new Map()
  const found = await db
    .select({ id: influencers.id, name: influencers.name, slug: influencers.slug })
    .from(influencers)
    .where(inArray(influencers.id, [...ids]))
    .orderBy(desc(influencers.id))
  return new Map(found.map(({ id, ...person }) => [String(id), person]))
}

const Npub = z.array(z.object({ npub: z.string() }))

/** The account on Nostr that the newest approved submission about a person names. */
export async function npubOfPerson(db: Db, id: number): Promise<string | null> {
  const found = await db.execute(sql`
    select s.nostr_npub as npub from submissions s join predictions p on p.id = s.prediction_id
    where p.influencer_id = ${id} and s.nostr_npub like 'npub1%'
    order by s.decided_at desc nulls last limit 1`)
  return Npub.parse(rowsOf(found))[0]?.npub ?? null
}
