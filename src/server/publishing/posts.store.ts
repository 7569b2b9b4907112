import { and, asc, desc, eq, getTableColumns, inArray, min, or, sql, type SQL } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { z } from 'zod'
import {
  MOST_LISTED,
  NETWORKS_OF_POSTS,
  POST_STATES,
  RESULT_STATES,
  statesBefore,
  type PostState,
  type ResultState,
  type SocialNetwork,
} from '#domain/publishing/social-post.ts'
import { admins } from '#server/database/schema/admins.ts'
import { outbox } from '#server/database/schema/kit.ts'
import { socialPosts } from '#server/database/schema/publishing.ts'
import { type Admin } from '#server/kit/admin.ts'
import { hasEffect, readRows, type Db } from '#server/kit/db.ts'
import { merged, type Delivery } from '#server/kit/deliver.ts'
import { type NostrEvent, type RelayResult } from './ports.ts'

/** Kind of deliveries of posts; `ref` is the post, the lane its network. */
export const POSTS = 'post'

/** With the names of its author and sender. */
export type StoredPost = typeof socialPosts.$inferSelect & {
  readonly created_by: string
  readonly asker: string | null
}
export type PostValues = typeof socialPosts.$inferInsert

const Payload = z.object({
  /** The post's id on X, the event's id on Nostr; on Bluesky its address, stored before sending. */
  remoteId: z.string().nullable().default(null),
  /** A reason of refusal, `limited`, `unsent` or `unknown`. */
  fault: z.string().nullable().default(null),
  /** Nostr: the signed event, stored before sending, and each relay's answer. */
  event: z.custom<NostrEvent>().nullable().default(null),
  relays: z.custom<RelayResult[]>().nullable().default(null),
  finishedAt: z.string().nullable().default(null),
})

export type StoredResult = ReturnType<typeof storedResult>

/** A result on one network, with the API's field names. */
export function storedResult(row: Delivery) {
  const { remoteId, finishedAt, ...payload } = Payload.parse(row.payload)
  const state: ResultState = row.state === 'sent' ? 'posted' : row.state
  return {
    ...payload,
    network: z.enum(NETWORKS_OF_POSTS).parse(row.lane),
    state,
    remote_id: remoteId,
    error: row.lastError,
    attempts: row.tries,
    finished_at: finishedAt,
    row,
  }
}

export function keyOfResult(postId: string, network: SocialNetwork): string {
  return `${postId} ${network}`
}

/** The account that sent a post; null for an automatic one. */
export function askerOf(post: StoredPost): Admin | null {
  const { askedBy, asker, automatic, createdBy, created_by: author } = post
  if (askedBy !== null && asker !== null) return { id: askedBy, username: asker }
  return automatic ? null : { id: createdBy, username: author }
}

/** @returns false when the same Idempotency-Key, proposal or verdict already has a post */
export function addPost(db: Db, values: PostValues): Promise<boolean> {
  return hasEffect(db.insert(socialPosts).values(values).onConflictDoNothing())
}

const askers = alias(admins, 'askers')

function select(db: Db, where: SQL | undefined, ...order: readonly SQL[]): Promise<StoredPost[]> {
  return db
    .select({
      ...getTableColumns(socialPosts),
      created_by: admins.username,
      asker: askers.username,
    })
    .from(socialPosts)
    .innerJoin(admins, eq(admins.id, socialPosts.createdBy))
    .leftJoin(askers, eq(askers.id, socialPosts.askedBy))
    .where(where)
    .orderBy(...order)
    .limit(MOST_LISTED)
}

export async function postById(db: Db, id: string): Promise<StoredPost | null> {
  return (await select(db, eq(socialPosts.id, id)))[0] ?? null
}

export async function postByIdempotency(db: Db, hash: string): Promise<StoredPost | null> {
  return (await select(db, eq(socialPosts.idempotencyHash, hash)))[0] ?? null
}

/** Locks the post until the transaction ends. */
export async function lockPost(tx: Db, id: string): Promise<StoredPost | null> {
  await tx.select().from(socialPosts).where(eq(socialPosts.id, id)).for('update')
  return postById(tx, id)
}

/** Posts are sorted by when they were sent. */
const TIME = sql`case when ${socialPosts.state} = 'draft' then ${socialPosts.created_at}
  else coalesce(${socialPosts.scheduled_at}, ${socialPosts.created_at}) end`
const LATEST = [desc(TIME), desc(socialPosts.id)]

export type Page = { readonly at: string; readonly id: string }

/** @param before time and id of the last post on the previous page */
export function listPosts(db: Db, states: readonly PostState[] | null, before: Page | null) {
  const where = and(
    states === null ? undefined : inArray(socialPosts.state, [...states]),
    before === null
      ? undefined
      : sql`(${TIME}, ${socialPosts.id}) < (${before.at}::timestamptz, ${before.id}::uuid)`,
  )
  return select(db, where, ...LATEST)
}

/** Scheduled and missed posts, the earliest first. */
export function plannedPosts(db: Db): Promise<StoredPost[]> {
  const where = inArray(socialPosts.state, ['scheduled', 'missed'])
  return select(db, where, asc(socialPosts.scheduled_at), asc(socialPosts.id))
}

/** Whether a post has a matching delivery `r`. */
const hasResult = (which: SQL): SQL =>
  sql`exists (select from outbox r where r.kind = 'post' and r.ref = ${socialPosts.id}::text and (${which}))`
const IS_OPEN = hasResult(sql`r.state in ('waiting', 'sending')`)

/** Missed posts, posts that may be out, and failed ones not dismissed. */
const WAITS_FOR_PERSON = sql`(${socialPosts.state} = 'missed' or ${socialPosts.state} in ('sending', 'done')
  and ${hasResult(sql`r.state = 'unknown' or r.state = 'failed' and ${socialPosts.left_at} is null`)})`

/** Newest first. */
export function postsForPerson(db: Db): Promise<StoredPost[]> {
  return select(db, WAITS_FOR_PERSON, ...LATEST)
}

export function countForPerson(db: Db): Promise<number> {
  return db.$count(socialPosts, WAITS_FOR_PERSON)
}

export async function resultsOf(db: Db, postIds: readonly string[]): Promise<StoredResult[]> {
  if (postIds.length === 0) return []
  const rows = await db
    .select()
    .from(outbox)
    .where(and(eq(outbox.kind, POSTS), inArray(outbox.ref, [...postIds])))
    .orderBy(desc(outbox.lane))
  return rows.map(storedResult)
}

export async function changePost(
  tx: Db,
  id: string,
  values: Partial<Omit<PostValues, 'id' | 'state'>>,
): Promise<void> {
  await tx.update(socialPosts).set(values).where(eq(socialPosts.id, id))
}

/** Changes the state if the transition is allowed. */
export async function setPostState(
  db: Db,
  id: string,
  to: PostState,
  values: Partial<Omit<PostValues, 'id' | 'state'>>,
): Promise<void> {
  await db
    .update(socialPosts)
    .set({ ...values, state: to })
    .where(and(eq(socialPosts.id, id), inArray(socialPosts.state, statesBefore(to))))
}

/** Adds or restarts the deliveries of a post. */
export async function beginResults(
  tx: Db,
  postId: string,
  networks: readonly SocialNetwork[],
  now: string,
): Promise<void> {
  const fresh = {
    state: 'waiting' as const,
    due: now,
    tries: 0,
    askedAt: null,
    lastError: null,
    updatedAt: now,
  }
  const rows = networks.map((lane) => {
    const key = keyOfResult(postId, lane)
    return { kind: POSTS, key, ref: postId, lane, createdAt: now, ...fresh }
  })
  await tx
    .insert(outbox)
    .values(rows)
    .onConflictDoUpdate({
      target: [outbox.kind, outbox.key],
      set: {
        ...fresh,
        claim: sql`${outbox.claim} + 1`,
        payload: sql`${outbox.payload} || '{"fault":null,"finishedAt":null}'`,
      },
    })
}

/** The outcome found for an unknown delivery. */
export type Known = {
  readonly state: 'posted' | 'failed'
  readonly error: string | null
  readonly fault: string | null
  readonly finishedAt: string
  readonly remoteId?: string
}

/**
 * Stores the outcome of a delivery while it is unknown.
 * @param orDuplicate includes one that X refused as a duplicate: the first may be ours
 * @returns false if it was not unknown
 */
export function answerUnknown(
  db: Db,
  postId: string,
  network: SocialNetwork,
  { state, error, ...payload }: Known,
  orDuplicate = false,
): Promise<boolean> {
  const isUnknown = eq(outbox.state, 'unknown')
  const isDuplicate = and(
    eq(outbox.state, 'failed'),
    sql`${outbox.payload}->>'fault' = 'duplicate'`,
  )
  const isOfPost = and(eq(outbox.kind, POSTS), eq(outbox.key, keyOfResult(postId, network)))
  const values = {
    state: state === 'posted' ? ('sent' as const) : ('failed' as const),
    due: null,
    lastError: error,
    // Invalidates a search in progress.
    claim: sql`${outbox.claim} + 1`,
    payload: merged(payload),
  }
  const isOpen = orDuplicate ? or(isUnknown, isDuplicate) : isUnknown
  return hasEffect(db.update(outbox).set(values).where(and(isOfPost, isOpen)))
}

/** Ends a post once all of its networks have results. */
export async function endSent(db: Db, id: string, now: string): Promise<void> {
  await db
    .update(socialPosts)
    .set({ state: 'done', updated_at: now })
    .where(and(eq(socialPosts.id, id), eq(socialPosts.state, 'sending'), sql`not ${IS_OPEN}`))
}

/** Sent posts not ended yet, or with a submission still to be approved. */
export async function postsToEnd(db: Db): Promise<string[]> {
  const rows = await db
    .select({ id: socialPosts.id })
    .from(socialPosts)
    .where(
      sql`(${socialPosts.state} = 'sending' and not ${IS_OPEN})
        or (${socialPosts.state} = 'done' and ${socialPosts.approval} = 'waiting' and ${hasResult(sql`r.state = 'sent'`)})`,
    )
    .limit(MOST_LISTED)
  return rows.map((row) => row.id)
}

const Count = z.object({ state: z.enum([...POST_STATES, ...RESULT_STATES]), n: z.int() })

/** Number of posts and results by state. */
export async function countPosts(db: Db) {
  const rows = await readRows(db, Count)`
    select state, count(*)::int as n from social_posts group by state
    union all
    select case state when 'sent' then 'posted' else state end, count(*)::int from outbox
    where kind = ${POSTS} and state in ('sent', 'failed', 'unknown') group by state`
  const counts: Partial<Record<PostState | ResultState, number>> = {}
  for (const { state, n } of rows) counts[state] = n
  return counts
}

const Posted = z.object({
  id: z.string(),
  network: z.enum(NETWORKS_OF_POSTS),
  xText: z.string(),
  alts: z.int(),
  at: z.string(),
})

/** Posts published since a moment, with the number of alternative texts. */
export function postedSince(db: Db, since: string): Promise<z.output<typeof Posted>[]> {
  return readRows(db, Posted)`
    select o.ref as id, o.lane as network, x_text as "xText", o.payload->>'finishedAt' as at,
      (select count(*)::int from jsonb_array_elements(pictures) one where one->>'alt' <> '') as alts
    from outbox o join social_posts p on p.id::text = o.ref
    where o.kind = ${POSTS} and o.state = 'sent' and (o.payload->>'finishedAt')::timestamptz >= ${since}`
}

export async function nextPlanned(db: Db): Promise<string | null> {
  const [row] = await db
    .select({ at: min(socialPosts.scheduled_at) })
    .from(socialPosts)
    .where(eq(socialPosts.state, 'scheduled'))
  return row?.at ?? null
}
