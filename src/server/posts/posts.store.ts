import { Post, type PostSourceName } from './ports.ts'
import { eq } from 'drizzle-orm'
import { type Db } from '#server/kit/db.ts'
import { iso } from '#server/kit/iso.ts'
import { onlyTexts } from '#domain/clean-text.ts'
import { posts } from '#server/database/schema/posts.ts'

export type KeptPost = {
  readonly post: Post
  readonly source: PostSourceName
  /** ISO moment. */
  readonly fetchedAt: string
}

/** A post as it was read last; null where it never was, or by a version that kept it in another shape. */
export async function keptPost(db: Db, id: string): Promise<KeptPost | null> {
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

/** @returns it as it is kept */
export async function keepPost(db: Db, kept: KeptPost): Promise<KeptPost> {
  const { post, source, fetchedAt } = onlyTexts(kept)
  const values = { source, fetchedAt, content: post }
  await db
    .insert(posts)
    .values({ id: post.id, ...values })
    .onConflictDoUpdate({ target: posts.id, set: values })
  return { post, source, fetchedAt }
}
