import { eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { onlyTexts } from '#domain/clean-text.ts'
import { foldHandle, foldName } from '#domain/people/name.ts'
import { extractions, posts } from '#server/database/schema/posts.ts'
import { type Db, readRows } from '#server/kit/db.ts'
import { iso } from '#server/kit/time.ts'
import { peopleNamed } from '#server/people/people.rows.ts'
import { Post, type PostSourceName } from './ports.ts'

type NewExtraction = typeof extractions.$inferInsert

/** @param resultOf receives the row's id, which is part of the result */
export async function addExtraction<T>(
  db: Db,
  extraction: Omit<NewExtraction, 'result'>,
  resultOf: (id: number) => T,
): Promise<T> {
  return db.transaction(async (tx) => {
    const [row] = await tx
      .insert(extractions)
      .values({ ...extraction, result: {} })
      .returning({ id: extractions.id })
    if (!row) throw new Error('inserted extraction has no id')
    const result = onlyTexts(resultOf(row.id))
    await tx.update(extractions).set({ result }).where(eq(extractions.id, row.id))
    return result
  })
}

export async function extractionResult(db: Db, id: number): Promise<unknown> {
  const [row] = await db
    .select({ result: extractions.result })
    .from(extractions)
    .where(eq(extractions.id, id))
  return row?.result ?? null
}

/** The influencer with this handle, or else with this name, including names of merged influencers. */
export async function knownInfluencer(
  db: Db,
  { name, handle }: { name: string | null; handle: string | null },
): Promise<{ id: number; name: string; isNamed: boolean } | null> {
  const conditions = [
    ...(handle === null ? [] : [{ kind: 'handle' as const, folded: foldHandle(handle) }]),
    ...(name === null ? [] : [{ kind: 'name' as const, folded: foldName(name) || name.trim() }]),
  ]
  const rows = await peopleNamed(db, conditions)
  const found = rows.find((row) => row.kind === 'handle') ?? rows[0]
  if (!found) return null
  const isNamed = rows.some((row) => row.id === found.id && row.kind === 'name')
  return { id: found.id, name: found.name, isNamed }
}

const Found = z.object({ id: z.string(), status: z.string() })

/** Submissions whose source is this post, newest first. */
export function submissionsOfPost(db: Db, postId: string, most: number) {
  return readRows(db, Found)`
    select id, status from submissions where status <> 'unpaid' and exists (
      select from sources s where s.submission_id = submissions.id and s.url ~ ${`/status(es)?/${postId}([/?#]|$)`})
    order by created_at desc limit ${most}`
}

const Decided = z.object({ submissionId: z.string(), draft: z.unknown() })

/** Decisions on the post of an extraction, including its other readings, oldest first. */
export function decisionsOnPost(db: Db, extractionId: number) {
  return readRows(db, Decided)`
    select d.submission_id as "submissionId", d.draft from extraction_decisions d
    join extractions e on e.id = d.extraction_id
    where e.id = ${extractionId} or e.post_id = (select post_id from extractions where id = ${extractionId})
    order by d.id`
}

/** Prevents concurrent decisions on this extraction until the transaction ends. */
export async function lockExtraction(tx: Db, extractionId: number): Promise<void> {
  await tx.execute(sql`select from extractions where id = ${extractionId} for update`)
}

const Fate = z.object({
  field: z.string().nullable(),
  method: z.string().nullable(),
  month: z.string().nullable(),
  decided: z.int(),
  kept: z.int(),
})

/** Numbers of drafted and unchanged fields: in total, by field, by method, and by all three; null means all. */
export async function fieldFates(db: Db): Promise<z.infer<typeof Fate>[]> {
  return readRows(db, Fate)`
    select field, method, month, count(*)::int as decided,
      (count(*) filter (where fate = 'kept'))::int as kept
    from (
      select f.key as field, f.value as fate, e.method,
        to_char(d.at at time zone 'UTC', 'YYYY-MM') as month
      from extraction_decisions d join extractions e on e.id = d.extraction_id,
        jsonb_each_text(d.differences) f
    ) fates
    group by grouping sets ((), (field), (method), (month, method, field))
    order by month, method, field`
}

export type CachedPost = {
  readonly post: Post
  readonly source: PostSourceName
  readonly fetchedAt: string
}

/** The last reading of a post; null without one, or if an earlier version stored it in another shape. */
export async function cachedPost(db: Db, id: string): Promise<CachedPost | null> {
  const [row] = await db.select().from(posts).where(eq(posts.id, id))
  if (!row) return null
  const post = Post.safeParse(row.content)
  if (!post.success) return null
  return {
    post: post.data,
    source: row.source,
    fetchedAt: iso(row.fetchedAt),
  }
}

/** @returns the stored post */
export async function cachePost(db: Db, cached: CachedPost): Promise<CachedPost> {
  const { post, source, fetchedAt } = onlyTexts(cached)
  const values = { source, fetchedAt, content: post }
  await db
    .insert(posts)
    .values({ id: post.id, ...values })
    .onConflictDoUpdate({ target: posts.id, set: values })
  return { post, source, fetchedAt }
}
