import { lte, sql } from 'drizzle-orm'
import { postReads } from '#server/database/schema/replies.ts'
import { type Db } from '#server/kit/db.ts'

/** How many posts were read since a moment, for all and for one network; what is older is forgotten. */
export async function countPostReads(
  db: Db,
  networkHash: string,
  since: string,
): Promise<{ all: number; own: number }> {
  await db.delete(postReads).where(lte(postReads.at, since))
  const [row] = await db
    .select({
      all: sql<number>`count(*)::int`,
      own: sql<number>`(count(*) filter (where ${postReads.networkHash} = ${networkHash}))::int`,
    })
    .from(postReads)
  return row ?? { all: 0, own: 0 }
}

export async function addPostRead(db: Db, networkHash: string, at: string): Promise<void> {
  await db.insert(postReads).values({ networkHash, at })
}
