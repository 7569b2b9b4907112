import { and, desc, eq } from 'drizzle-orm'
import { type Db } from '#server/kit/db.ts'
import { nostrEvents, recordEvents } from '#server/database/schema/nostr.ts'
import { socialPosts, socialResults } from '#server/database/schema/publishing.ts'

/** The prediction that an event of ours is about: one of its signed record, or a post about it; null for any other. */
export async function predictionOfEvent(db: Db, eventId: string): Promise<string | null> {
  const [signed] = await db
    .select({ id: recordEvents.predictionId })
    .from(recordEvents)
    .where(eq(recordEvents.eventId, eventId))
  if (signed) return signed.id
  const [posted] = await db
    .select({ id: socialPosts.predictionId })
    .from(socialResults)
    .innerJoin(nostrEvents, eq(nostrEvents.id, socialResults.remoteId))
    .innerJoin(socialPosts, eq(socialPosts.id, socialResults.postId))
    .where(eq(socialResults.remoteId, eventId))
  return posted?.id ?? null
}

/** The same for the address of an event of the signed record. */
export async function predictionOfAddress(
  db: Db,
  { kind, pubkey, d }: { readonly kind: number; readonly pubkey: string; readonly d: string },
): Promise<string | null> {
  const [found] = await db
    .select({ id: recordEvents.predictionId })
    .from(recordEvents)
    .where(and(eq(recordEvents.pubkey, pubkey), eq(recordEvents.kind, kind), eq(recordEvents.d, d)))
    .orderBy(desc(recordEvents.id))
    .limit(1)
  return found?.id ?? null
}
