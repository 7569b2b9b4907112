import { and, asc, desc, eq, inArray, isNotNull, isNull, sql, type SQL } from 'drizzle-orm'
import { type PgUpdateSetSource } from 'drizzle-orm/pg-core'
import { type QueueItem } from '#contracts/posts.ts'
import { type QueueStatus } from '#domain/posts/post-url.ts'
import { extractions, tweetQueue } from '#server/database/schema/posts.ts'
import { type Db } from '#server/kit/db.ts'
import { sendSignal } from '#server/kit/signals.ts'
import { isoOf } from '#server/kit/time.ts'

export const POSTS_QUEUE = 'posts'

const columns = {
  id: tweetQueue.id,
  tweet_url: tweetQueue.url,
  status: tweetQueue.status,
  created_at: isoOf(tweetQueue.createdAt),
  processed_at: isoOf(tweetQueue.processedAt),
  expert_name: tweetQueue.expertName,
  error_message: tweetQueue.errorMessage,
  step: tweetQueue.step,
  attempts: tweetQueue.attempts,
  /** JSON; null until completed. */
  result_data: sql<string | null>`${extractions.result}::text`,
  submitted: sql<number>`(select count(*)::int from extraction_decisions d
    join extractions e on e.id = d.extraction_id where e.post_id = ${tweetQueue.postId})`,
  /** Of a waiting link, from its job. */
  next_try_at: sql<
    string | null
  >`case when ${tweetQueue.status} = 'pending' and ${tweetQueue.attempts} > 0 then (
    select ${isoOf(sql`max(start_after)`)} from jobs.job
    where name = ${POSTS_QUEUE} and state = 'retry' and singleton_key = ${tweetQueue.id}::text) end`,
}
const isThere = isNull(tweetQueue.deletedAt)

export async function queueItems(
  db: Db,
  { most, withResults }: { most: number; withResults: boolean },
  which?: SQL,
): Promise<QueueItem[]> {
  return db
    .select(withResults ? columns : { ...columns, result_data: sql<null>`null` })
    .from(tweetQueue)
    .leftJoin(extractions, eq(extractions.id, tweetQueue.extractionId))
    .where(and(isThere, which))
    .orderBy(desc(tweetQueue.id))
    .limit(most)
}

export async function queueItem(db: Db, id: number): Promise<QueueItem | null> {
  return (await queueItems(db, { most: 1, withResults: true }, eq(tweetQueue.id, id)))[0] ?? null
}

/** Number of items by status, and a version that rises with every change. */
export async function queueState(db: Db) {
  const count = (status: QueueStatus) =>
    sql<number>`(count(*) filter (where ${isThere} and ${tweetQueue.status} = ${status}))::int`
  const [row] = await db
    .select({
      version: sql<number>`coalesce(sum(${tweetQueue.version}), 0)::int`,
      total: sql<number>`(count(*) filter (where ${isThere}))::int`,
      pending: count('pending'),
      processing: count('processing'),
      completed: count('completed'),
      failed: count('failed'),
    })
    .from(tweetQueue)
  if (!row) throw new Error('count query returned no row')
  const { version, ...counts } = row
  return { version, counts }
}

/** Adds posts in order, skipping those already in the queue. @returns the ids of the new items */
export async function addToQueue(
  db: Db,
  links: readonly { readonly postId: string; readonly url: string }[],
  { now, links: withLinks }: { now: string; links: boolean },
): Promise<number[]> {
  if (links.length === 0) return []
  const rows = await db
    .insert(tweetQueue)
    .values(
      links.map((one) => ({
        ...one,
        status: 'pending' as const,
        step: withLinks ? WAITING : NOT_ASKED,
        wantedAt: withLinks ? now : null,
        createdAt: now,
      })),
    )
    .onConflictDoNothing()
    .returning({ id: tweetQueue.id })
  if (rows.length > 0) await sendSignal(db, 'queue')
  return rows.map((row) => row.id)
}

const WAITING = 'Waiting for its turn'
const NOT_ASKED = 'Not started: press Process'

/** Queue items by post id. */
export async function queuedPosts(db: Db, postIds: readonly string[]) {
  const rows = await db
    .select({ id: tweetQueue.id, postId: tweetQueue.postId })
    .from(tweetQueue)
    .where(and(isThere, inArray(tweetQueue.postId, [...postIds])))
  return new Map(rows.map((row) => [row.postId, row.id]))
}

/** Pending items, and those whose worker may have died. */
const IS_TO_DO = and(
  isThere,
  inArray(tweetQueue.status, ['pending', 'processing']),
  isNotNull(tweetQueue.wantedAt),
)

/** Items to read, oldest first. */
export async function itemsToDo(db: Db): Promise<number[]> {
  const rows = await db
    .select({ id: tweetQueue.id })
    .from(tweetQueue)
    .where(IS_TO_DO)
    .orderBy(asc(tweetQueue.id))
  return rows.map((row) => row.id)
}

/** Requests that an item be read, unless it is being read or was read. */
export async function wantItem(db: Db, id: number, now: string): Promise<void> {
  const isOpen = inArray(tweetQueue.status, ['pending', 'failed'])
  const fresh = { step: WAITING, wantedAt: now, attempts: 0, errorMessage: null }
  await change(db, and(eq(tweetQueue.id, id), isThere, isOpen), { ...fresh, status: 'pending' })
}

/** Completes an item with the reading of pasted text; a running attempt is discarded. */
export async function completeItem(db: Db, id: number, completed: TryChange): Promise<void> {
  const attempts = sql`${tweetQueue.attempts} + 1`
  await change(db, and(eq(tweetQueue.id, id), isThere), { ...completed, attempts })
}

/** Signals open pages that this extraction's post has a new submission. */
export async function noteSubmitted(tx: Db, extractionId: number): Promise<void> {
  const ofPost = sql`${tweetQueue.postId} = (select e.post_id from extractions e where e.id = ${extractionId})`
  await change(tx, and(ofPost, isThere), {})
}

export type ClaimedItem = { readonly id: number; readonly url: string; readonly attempt: number }

/**
 * Begins an attempt. Takes over items in "processing": call it only when their worker is gone.
 * @returns null when there is nothing left to do
 */
export async function claimItem(db: Db, id: number): Promise<ClaimedItem | null> {
  const [row] = await change(db, and(eq(tweetQueue.id, id), IS_TO_DO), {
    status: 'processing',
    attempts: sql`${tweetQueue.attempts} + 1`,
    step: 'Beginning',
  })
  return row ? { id, url: row.url, attempt: row.attempts } : null
}

export type TryChange = Partial<
  Pick<
    typeof tweetQueue.$inferInsert,
    'status' | 'step' | 'expertName' | 'extractionId' | 'errorMessage' | 'processedAt' | 'attempts'
  >
>

/** Does nothing if another attempt has begun or the item was deleted. @returns false in that case */
export async function changeTry(
  db: Db,
  { id, attempt }: Pick<ClaimedItem, 'id' | 'attempt'>,
  values: TryChange,
): Promise<boolean> {
  const isOurs = and(eq(tweetQueue.status, 'processing'), eq(tweetQueue.attempts, attempt))
  return isChanged(db, and(eq(tweetQueue.id, id), isThere, isOurs), values)
}

export async function deleteItem(db: Db, id: number, now: string): Promise<boolean> {
  return isChanged(db, and(eq(tweetQueue.id, id), isThere), { deletedAt: now })
}

/** @returns false if it is not deleted @throws Error of a constraint if the post was added again */
export function restoreItem(db: Db, id: number): Promise<boolean> {
  return isChanged(db, and(eq(tweetQueue.id, id), isNotNull(tweetQueue.deletedAt)), {
    deletedAt: null,
    // An item deleted while it was being read no longer has a worker.
    status: sql`case when ${tweetQueue.status} = 'processing' then 'pending' else ${tweetQueue.status} end`,
  })
}

async function change(
  db: Db,
  where: ReturnType<typeof and>,
  values: PgUpdateSetSource<typeof tweetQueue>,
) {
  const rows = await db
    .update(tweetQueue)
    .set({ ...values, version: sql`${tweetQueue.version} + 1` })
    .where(where)
    .returning({ url: tweetQueue.url, attempts: tweetQueue.attempts })
  if (rows.length > 0) await sendSignal(db, 'queue')
  return rows
}

async function isChanged(...args: Parameters<typeof change>): Promise<boolean> {
  return (await change(...args)).length > 0
}
