import {
  type PostState,
  type ResultState,
  type SocialNetwork,
} from '#domain/publishing/social-post.ts'
import { and, count, eq, gte, sql } from 'drizzle-orm'
import { type Db } from '#server/kit/db.ts'
import { WAITS_FOR_PERSON } from './posts.store.ts'
import { socialPosts, socialResults } from '#server/database/schema/publishing.ts'

export async function countPosts(db: Db): Promise<{
  states: Partial<Record<PostState, number>>
  results: Partial<Record<ResultState, number>>
}> {
  const states = await db
    .select({ state: socialPosts.state, n: count() })
    .from(socialPosts)
    .groupBy(socialPosts.state)
  const results = await db
    .select({ state: socialResults.state, n: count() })
    .from(socialResults)
    .groupBy(socialResults.state)
  return {
    states: Object.fromEntries(states.map(({ state, n }) => [state, n])),
    results: Object.fromEntries(results.map(({ state, n }) => [state, n])),
  }
}

/** How many posts wait for a person. */
export async function countForPerson(db: Db): Promise<number> {
  const [row] = await db.select({ n: count() }).from(socialPosts).where(WAITS_FOR_PERSON)
  return row?.n ?? 0
}

/** What has been posted since a moment, for counting and for costs. */
export async function postedSince(
  db: Db,
  since: string,
): Promise<{ id: string; network: SocialNetwork; xText: string; alts: number; at: string }[]> {
  const rows = await db
    .select({
      id: socialResults.postId,
      network: socialResults.network,
      xText: socialPosts.xText,
      pictures: socialPosts.pictures,
      at: sql<string>`${socialResults.finishedAt}`,
    })
    .from(socialResults)
    .innerJoin(socialPosts, eq(socialPosts.id, socialResults.postId))
    .where(and(eq(socialResults.state, 'posted'), gte(socialResults.finishedAt, since)))
  return rows.map(({ pictures, ...row }) => ({
    ...row,
    alts: pictures.filter(({ alt }) => alt !== '').length,
  }))
}

/** When the next planned post is due. */
export async function nextPlanned(db: Db): Promise<string | null> {
  const [row] = await db
    .select({ at: sql<string | null>`min(${socialPosts.scheduledAt})` })
    .from(socialPosts)
    .where(eq(socialPosts.state, 'scheduled'))
  return row?.at ?? null
}
