import {
  and,
  asc,
  count,
  desc,
  eq,
  inArray,
  isNotNull,
  isNull,
  lt,
  ne,
  not,
  sql,
} from 'drizzle-orm'
import { z } from 'zod'
import { type PublicReply } from '#contracts/replies.ts'
import { type ReplyState } from '#domain/reply.ts'
import { influencerNames, influencers } from '#server/database/schema/predictions.ts'
import { replies } from '#server/database/schema/replies.ts'
import { type Db, firstRow, hasEffect, readRows } from '#server/kit/db.ts'
import { iso, isoOrNull } from '#server/kit/time.ts'

export type StoredReply = typeof replies.$inferSelect
export type NewReply = Omit<
  StoredReply,
  'state' | 'publishedAt' | 'announced' | 'endedAt' | 'decidedBy' | 'reason' | 'note'
>

/** A person's confirmed accounts on X, with `@`. */
export async function handlesOnRecord(db: Db, influencerId: number): Promise<string[]> {
  const rows = await db
    .select({ text: influencerNames.text })
    .from(influencerNames)
    .where(
      and(
        eq(influencerNames.kind, 'handle'),
        eq(influencerNames.confirmed, true),
        eq(influencerNames.influencerId, influencerId),
      ),
    )
    .orderBy(desc(influencerNames.main), asc(influencerNames.folded))
  return rows.map(({ text }) => `@${text.replace(/^@/, '')}`)
}

/** @returns false if its challenge or code was already used */
export function addReply(tx: Db, reply: NewReply): Promise<boolean> {
  const isFree = { target: replies.proof }
  return hasEffect(tx.insert(replies).values(reply).onConflictDoNothing(isFree))
}

type Of = Pick<StoredReply, 'influencerId' | 'predictionId'>

const isAbout = ({ influencerId, predictionId }: Of) =>
  predictionId === null
    ? and(isNull(replies.predictionId), eq(replies.influencerId, influencerId))
    : eq(replies.predictionId, predictionId)

/** Whether the proof was verified automatically, in SQL. */
const isMatched = sql`(${replies.way} = 'nostr' or coalesce((${replies.evidence} ->> 'isMatch')::boolean, false))`

/** @param isProven only replies with a valid proof, or only those without */
export function waitingAt(db: Db, of: Of, isProven?: boolean) {
  const isOfKind = isProven ? isMatched : not(isMatched)
  return db.$count(
    replies,
    and(
      isAbout(of),
      eq(replies.state, 'waiting'),
      isProven === undefined ? undefined : and(ne(replies.way, 'email'), isOfKind),
    ),
  )
}

export function replyBy(db: Db, key: 'id' | 'tokenHash', value: string) {
  return firstRow(db.select().from(replies).where(eq(replies[key], value)))
}

/** @param overdueBefore replies waiting since before then are overdue */
export async function countReplies(db: Db, overdueBefore: string) {
  const rows = await db
    .select({ state: replies.state, n: count() })
    .from(replies)
    .groupBy(replies.state)
  const of = (state: ReplyState): number => rows.find((row) => row.state === state)?.n ?? 0
  const isOverdue = and(eq(replies.state, 'waiting'), lt(replies.receivedAt, overdueBefore))
  return {
    waiting: of('waiting'),
    overdue: await db.$count(replies, isOverdue),
    published: of('published'),
    declined: of('declined'),
    withdrawn: of('withdrawn'),
  }
}

/** Changes a reply if it is in one of these states. @returns false otherwise */
export function changeReply(
  tx: Db,
  id: string,
  from: readonly ReplyState[],
  set: Partial<Omit<StoredReply, 'id' | 'way' | 'proof'>> & { readonly state: ReplyState },
): Promise<boolean> {
  const isIt = and(eq(replies.id, id), inArray(replies.state, [...from]))
  return hasEffect(tx.update(replies).set(set).where(isIt))
}

/** A withdrawn reply is deleted except for its place on the page. */
export const ERASED = { text: '', link: null, evidence: null, note: null } as const

const Published = z.object({
  id: z.string(),
  predictionId: z.string(),
  text: z.string(),
  at: z.string().transform(iso),
})

/** Replies to listed predictions, last published first. */
export function publishedReplies(
  db: Db,
  of: { readonly since: string } | { readonly ids: readonly string[] },
  most: number,
) {
  const isAmong =
    'since' in of
      ? sql`published_at >= ${of.since}`
      : sql`id = any(${sql.param([...of.ids])}::uuid[])`
  return readRows(db, Published)`
    select id, prediction_id as "predictionId", text, published_at as at from replies
    where state = 'published' and prediction_id is not null and ${isAmong}
    order by published_at desc, id desc limit ${most}`
}

/** Marks published replies to predictions as announced. @returns those newly marked */
export function announceReplies(tx: Db, most: number) {
  return readRows(tx, Published)`
    update replies set announced = true
    where not announced and id in (
      select id from replies where state = 'published' and not announced and prediction_id is not null
      order by published_at limit ${most})
    returning id, prediction_id as "predictionId", text, published_at as at`
}

export async function publicReplies(
  db: Db,
  of: Pick<StoredReply, 'influencerId' | 'predictionId'>,
): Promise<PublicReply[]> {
  const rows = await db
    .select({ reply: replies, name: influencers.name })
    .from(replies)
    .innerJoin(influencers, eq(influencers.id, replies.influencerId))
    .where(and(isAbout(of), isNotNull(replies.publishedAt)))
    .orderBy(asc(replies.publishedAt), asc(replies.id))
  return rows.flatMap(({ reply, name }) => publicReply(reply, name) ?? [])
}

function publicReply(reply: StoredReply, name: string): PublicReply | null {
  const { id, way, state, evidence, publishedAt } = reply
  if (publishedAt === null || state === 'waiting') return null
  const isPublished = state === 'published'
  const proof = isPublished ? evidence : null
  return {
    id,
    state: state === 'declined' ? 'taken-down' : state,
    name,
    text: isPublished ? reply.text : null,
    link: isPublished ? reply.link : null,
    way,
    received_at: iso(reply.receivedAt),
    published_at: iso(publishedAt),
    ended_at: isoOrNull(reply.endedAt),
    reason: reply.state === 'declined' ? reply.reason : null,
    event: proof?.way === 'nostr' ? plainEvent(proof.event) : null,
    post: proof?.way === 'post' ? proof.url : null,
  }
}

function plainEvent(event: { readonly tags: readonly (readonly string[])[] }) {
  const signed = event as NonNullable<PublicReply['event']>
  return { ...signed, tags: event.tags.map((tag) => [...tag]) }
}
