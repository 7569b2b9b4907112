import { type Picture } from '#server/publishing/ports.ts'
import { eq, inArray, sql } from 'drizzle-orm'
import { type Db } from '#server/kit/db.ts'
import { socialPictures } from '#server/database/schema/publishing.ts'

export type StoredPicture = Omit<typeof socialPictures.$inferSelect, 'bytes'>

export async function addPicture(
  db: Db,
  picture: Omit<Picture, 'alt'> & { readonly id: string; readonly createdAt: string },
): Promise<void> {
  const { id, bytes, type, width, height, createdAt } = picture
  await db.insert(socialPictures).values({ id, bytes, type, width, height, createdAt })
}

export async function pictureBytes(
  db: Db,
  id: string,
): Promise<typeof socialPictures.$inferSelect | null> {
  const rows = await db.select().from(socialPictures).where(eq(socialPictures.id, id))
  return rows[0] ?? null
}

export async function picturesKnown(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredPicture>> {
  if (ids.length === 0) return new Map()
  const { id, type, width, height, createdAt } = socialPictures
  const rows = await db
    .select({ id, type, width, height, createdAt })
    .from(socialPictures)
    .where(inArray(id, [...ids]))
  return new Map(rows.map((row) => [row.id, row]))
}

/** Deletes pictures from before a moment that no post or draft uses. */
export async function dropUnusedPictures(db: Db, before: string): Promise<void> {
  await db.execute(sql`
    delete from social_pictures p
    where p.created_at < ${before}::timestamptz and not exists (
      select from social_posts s
      where s.pictures @> jsonb_build_array(jsonb_build_object('id', p.id))
    )`)
}
