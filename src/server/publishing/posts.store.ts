import {
  MOST_LISTED,
  ONCE_ONLY,
  statesBefore,
  type PostState,
  type SocialNetwork,
} from '#domain/publishing/social-post.ts'
import { type Admin } from '#server/kit/ports.ts'
import { and, asc, desc, eq, gte, inArray, isNull, lt, lte, notInArray, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { type Db } from '#server/kit/db.ts'
import { admins } from '#server/database/schema/admins.ts'
import { socialPosts, socialResults } from '#server/database/schema/publishing.ts'

export type StoredPost = typeof socialPosts.$inferSelect & {
  readonly author: string
  /** Who had it sent; null for an automatic post. */
  readonly asker: Admin | null
}
export type StoredResult = typeof socialResults.$inferSelect
/** What a try, or an administrator, changes of a result. */
export type ResultValues = Partial<Omit<StoredResult, 'postId' | 'network' | 'lease'>>
export type PostValues = typeof socialPosts.$inferInsert

/** @returns false when the same Idempotency-Key, or the same verdict, has its post already */
export async function addPost(db: Db, values: PostValues): Promise<boolean> {
  const rows = await db
    .insert(socialPosts)
    .values(values)
    .onConflictDoNothing()
    .returning({ id: socialPosts.id })
  return rows.length > 0
}

export async function postById(db: Db, id: string): Promise<StoredPost | null> {
  const rows = await withAuthor(db).where(eq(socialPosts.id, id))
  return rows.map(flat)[0] ?? null
}

export async function postByIdempotency(db: Db, hash: string): Promise<StoredPost | null> {
  const rows = await withAuthor(db).where(eq(socialPosts.idempotencyHash, hash))
  return rows.map(flat)[0] ?? null
}

/** Locks the post until the transaction ends. */
export async function lockPost(tx: Db, id: string): Promise<StoredPost | null> {
  const locked = await tx
    .select({ id: socialPosts.id })
    .from(socialPosts)
    .where(eq(socialPosts.id, id))
    .for('update')
  return locked.length === 0 ? null : postById(tx, id)
}

/** A post that went out long after it was written is listed by when it went out. */
const TIME = sql`case when ${socialPosts.state} = 'draft' then ${socialPosts.createdAt}
  else coalesce(${socialPosts.scheduledAt}, ${socialPosts.createdAt}) end`

export async function listPosts(
  db: Db,
  {
    states,
    before,
  }: { states: readonly PostState[] | null; before: { at: string; id: string } | null },
): Promise<StoredPost[]> {
  const rows = await withAuthor(db)
    .where(
      and(
        states === null ? undefined : inArray(socialPosts.state, [...states]),
        before === null
          ? undefined
          : sql`(${TIME}, ${socialPosts.id}) < (${before.at}::timestamptz, ${before.id}::uuid)`,
      ),
    )
    .orderBy(desc(TIME), desc(socialPosts.id))
    .limit(MOST_LISTED)
  return rows.map(flat)
}

/** Posts whose time lies within a span, but for drafts and cancelled ones, the earliest first. */
export async function postsBetween(
  db: Db,
  { from, to, most }: { from: string; to: string; most: number },
): Promise<StoredPost[]> {
  const rows = await withAuthor(db)
    .where(
      and(
        inArray(socialPosts.state, ['scheduled', 'missed', 'sending', 'done']),
        gte(socialPosts.scheduledAt, from),
        lt(socialPosts.scheduledAt, to),
      ),
    )
    .orderBy(asc(socialPosts.scheduledAt), asc(socialPosts.id))
    .limit(most)
  return rows.map(flat)
}

/** Posts that wait for their time or have missed it, the earliest first. */
export async function plannedPosts(db: Db): Promise<StoredPost[]> {
  const rows = await withAuthor(db)
    .where(inArray(socialPosts.state, ['scheduled', 'missed']))
    .orderBy(asc(socialPosts.scheduledAt), asc(socialPosts.id))
    .limit(MOST_LISTED)
  return rows.map(flat)
}

/** What a person has to decide: a missed post, one that may be out, and a failed one until it is left as it is. */
export const WAITS_FOR_PERSON = sql`(${socialPosts.state} = 'missed' or ${socialPosts.state} in ('sending', 'done') and exists (
  select from social_results r where r.post_id = ${socialPosts.id}
  and (r.state = 'unknown' or r.state = 'failed' and ${socialPosts.leftAt} is null)))`

/** Posts that wait for a person, the latest first. */
export async function postsForPerson(db: Db): Promise<StoredPost[]> {
  const rows = await withAuthor(db)
    .where(WAITS_FOR_PERSON)
    .orderBy(desc(TIME), desc(socialPosts.id))
    .limit(MOST_LISTED)
  return rows.map(flat)
}

export async function noteLeft(tx: Db, id: string, at: string): Promise<void> {
  await tx.update(socialPosts).set({ leftAt: at, updatedAt: at }).where(eq(socialPosts.id, id))
}

export async function resultsOf(db: Db, postIds: readonly string[]): Promise<StoredResult[]> {
  if (postIds.length === 0) return []
  return db
    .select()
    .from(socialResults)
    .where(inArray(socialResults.postId, [...postIds]))
    .orderBy(desc(socialResults.network))
}

/** @returns false when the post is not in a state from which it may go to that one */
export async function turnPost(
  db: Db,
  id: string,
  to: PostState,
  values: Partial<Omit<PostValues, 'id' | 'state'>>,
): Promise<boolean> {
  const rows = await db
    .update(socialPosts)
    .set({ ...values, state: to })
    .where(and(eq(socialPosts.id, id), inArray(socialPosts.state, statesBefore(to))))
    .returning({ id: socialPosts.id })
  return rows.length > 0
}

/** Begins the results of a post, or begins again those that are to be tried once more. */
export async function beginResults(
  tx: Db,
  postId: string,
  networks: readonly SocialNetwork[],
  now: string,
): Promise<void> {
  const fresh = {
    state: 'waiting' as const,
    lease: null,
    nextTryAt: now,
    attempts: 0,
    postingAt: null,
    error: null,
    fault: null,
    finishedAt: null,
  }
  for (const network of networks) {
    await tx
      .insert(socialResults)
      .values({ postId, network, ...fresh })
      .onConflictDoUpdate({ target: [socialResults.postId, socialResults.network], set: fresh })
  }
}

/**
 * Begins the post that has been due for longest: its results wait from now on, or it is missed.
 *
 * @param missedBefore a post that was due before this is missed instead of sent
 * @returns null when no post is due
 */
export async function beginDuePost(
  db: Db,
  { now, missedBefore }: { now: string; missedBefore: string },
): Promise<{ id: string; isMissed: boolean } | null> {
  return db.transaction(async (tx) => {
    const [due] = await tx
      .select()
      .from(socialPosts)
      .where(and(eq(socialPosts.state, 'scheduled'), lte(socialPosts.scheduledAt, now)))
      .orderBy(asc(socialPosts.scheduledAt))
      .limit(1)
      .for('update', { skipLocked: true })
    if (!due) return null
    const isMissed = Date.parse(due.scheduledAt ?? now) < Date.parse(missedBefore)
    const approval = due.submissionId === null ? null : ('waiting' as const)
    await turnPost(tx, due.id, isMissed ? 'missed' : 'sending', {
      updatedAt: now,
      ...(isMissed ? {} : { approval }),
    })
    if (!isMissed) await beginResults(tx, due.id, due.networks, now)
    return { id: due.id, isMissed }
  })
}

/**
 * Marks as unknown what a process left behind that died, or lost the database, after it had begun to ask a network to publish
 * that does not know a post again: it may be out.
 */
export async function markLost(db: Db, now: string, error: string): Promise<string[]> {
  const rows = await db
    .update(socialResults)
    .set({ state: 'unknown', nextTryAt: null, finishedAt: now, fault: 'unknown', error })
    .where(
      and(
        inArray(socialResults.network, [...ONCE_ONLY]),
        eq(socialResults.state, 'sending'),
        lte(socialResults.nextTryAt, now),
        sql`${socialResults.postingAt} is not null`,
      ),
    )
    .returning({ postId: socialResults.postId })
  return rows.map((row) => row.postId)
}

/** One network's part of a post, for the process that holds its lease. */
export type TakenResult = StoredResult & { readonly lease: string }

/**
 * Takes the part that has waited longest, for this process alone until `until`.
 *
 * @param only parts of this post or this network
 */
export async function takeResult(
  db: Db,
  { now, until, lease }: { now: string; until: string; lease: string },
  only: { readonly postId?: string; readonly network?: SocialNetwork | undefined } = {},
): Promise<TakenResult | null> {
  return db.transaction(async (tx) => {
    const [due] = await tx
      .select()
      .from(socialResults)
      .where(
        and(
          lte(socialResults.nextTryAt, now),
          // What may be out already is for markLost alone.
          or(notInArray(socialResults.network, [...ONCE_ONLY]), isNull(socialResults.postingAt)),
          only.postId === undefined ? undefined : eq(socialResults.postId, only.postId),
          only.network === undefined ? undefined : eq(socialResults.network, only.network),
        ),
      )
      .orderBy(asc(socialResults.nextTryAt))
      .limit(1)
      .for('update', { skipLocked: true })
    if (!due) return null
    const [taken] = await tx
      .update(socialResults)
      .set({
        lease,
        nextTryAt: until,
        attempts: due.attempts + 1,
        state: due.state === 'waiting' ? 'sending' : due.state,
      })
      .where(ofResult(due))
      .returning()
    return taken ? { ...taken, lease } : null
  })
}

/** Notes that the one request that publishes comes next. @returns false when another process has the lease */
export async function beginPosting(db: Db, taken: TakenResult, now: string): Promise<boolean> {
  const rows = await db
    .update(socialResults)
    .set({ postingAt: now })
    .where(
      and(
        ofResult(taken),
        eq(socialResults.lease, taken.lease),
        eq(socialResults.state, 'sending'),
      ),
    )
    .returning({ postId: socialResults.postId })
  return rows.length > 0
}

/** Stores what is about to be sent, or the outcome. @returns false when another process has the lease */
export async function noteResult(
  db: Db,
  taken: TakenResult,
  values: ResultValues,
): Promise<boolean> {
  const rows = await db
    .update(socialResults)
    .set(values)
    .where(and(ofResult(taken), eq(socialResults.lease, taken.lease)))
    .returning({ postId: socialResults.postId })
  return rows.length > 0
}

/**
 * Answers an unknown outcome; only while it is unknown.
 *
 * @param orDuplicate also one that X refused as a second post of the same: the first may be ours
 */
export async function answerUnknown(
  db: Db,
  postId: string,
  network: SocialNetwork,
  values: ResultValues,
  { orDuplicate = false }: { readonly orDuplicate?: boolean } = {},
): Promise<boolean> {
  const isUnknown = eq(socialResults.state, 'unknown')
  const isDuplicate = and(eq(socialResults.state, 'failed'), eq(socialResults.fault, 'duplicate'))
  const rows = await db
    .update(socialResults)
    // A look that is under way has nothing more to say.
    .set({ ...values, lease: null })
    .where(
      and(
        eq(socialResults.postId, postId),
        eq(socialResults.network, network),
        orDuplicate ? or(isUnknown, isDuplicate) : isUnknown,
      ),
    )
    .returning({ postId: socialResults.postId })
  return rows.length > 0
}

/** Ends a post once each of its networks has its result. */
export async function markPostDone(db: Db, id: string, now: string): Promise<boolean> {
  const rows = await db
    .update(socialPosts)
    .set({ state: 'done', updatedAt: now })
    .where(
      and(
        eq(socialPosts.id, id),
        eq(socialPosts.state, 'sending'),
        sql`not exists (select from social_results r where r.post_id = ${id} and r.state in ('waiting', 'sending'))`,
      ),
    )
    .returning({ id: socialPosts.id })
  return rows.length > 0
}

export async function noteApproval(
  tx: Db,
  id: string,
  values: { readonly approval: 'done' | 'failed'; readonly approvalError: string | null },
): Promise<void> {
  await tx.update(socialPosts).set(values).where(eq(socialPosts.id, id))
}

/** Sent posts that have not been ended, or whose submission has not been approved yet. */
export async function postsToEnd(db: Db): Promise<string[]> {
  const rows = await db
    .select({ id: socialPosts.id })
    .from(socialPosts)
    .where(
      sql`(${socialPosts.state} = 'sending' and not exists (select from social_results r where r.post_id = ${socialPosts.id} and r.state in ('waiting', 'sending')))
        or (${socialPosts.state} = 'done' and ${socialPosts.approval} = 'waiting' and exists (select from social_results r where r.post_id = ${socialPosts.id} and r.state = 'posted'))`,
    )
    .limit(MOST_LISTED)
  return rows.map((row) => row.id)
}

function ofResult({ postId, network }: Pick<StoredResult, 'postId' | 'network'>) {
  return and(eq(socialResults.postId, postId), eq(socialResults.network, network))
}

const askers = alias(admins, 'askers')

function withAuthor(db: Db) {
  return db
    .select({ post: socialPosts, author: admins.username, asker: askers.username })
    .from(socialPosts)
    .innerJoin(admins, eq(admins.id, socialPosts.createdBy))
    .leftJoin(askers, eq(askers.id, socialPosts.askedBy))
    .$dynamic()
}

function flat({
  post,
  author,
  asker,
}: {
  post: typeof socialPosts.$inferSelect
  author: string
  asker: string | null
}): StoredPost {
  const { askedBy, createdBy, isAutomatic } = post
  const own = isAutomatic ? null : { id: createdBy, username: author }
  const other = askedBy !== null && asker !== null ? { id: askedBy, username: asker } : null
  return { ...post, author, asker: other ?? own }
}
