import { and, desc, eq, lt } from 'drizzle-orm'
import { type Db } from '#server/kit/db.ts'
import { passkeyChallenges, passkeys } from '#server/database/schema/admins.ts'

export type StoredPasskey = typeof passkeys.$inferSelect

export function passkeysOf(db: Db, adminId: number): Promise<StoredPasskey[]> {
  return db
    .select()
    .from(passkeys)
    .where(eq(passkeys.adminId, adminId))
    .orderBy(desc(passkeys.createdAt))
}

export async function hasPasskey(db: Db, adminId: number): Promise<boolean> {
  return (await db.$count(passkeys, eq(passkeys.adminId, adminId))) > 0
}

export async function passkeyById(db: Db, id: string): Promise<StoredPasskey | null> {
  const rows = await db.select().from(passkeys).where(eq(passkeys.id, id))
  return rows[0] ?? null
}

/** @returns false when this passkey is registered already */
export async function addPasskey(db: Db, passkey: Omit<StoredPasskey, 'usedAt'>): Promise<boolean> {
  const rows = await db
    .insert(passkeys)
    .values(passkey)
    .onConflictDoNothing()
    .returning({ id: passkeys.id })
  return rows.length > 0
}

export async function notePasskeyUsed(
  db: Db,
  id: string,
  given: { readonly counter: number; readonly usedAt: string },
): Promise<void> {
  await db.update(passkeys).set(given).where(eq(passkeys.id, id))
}

/** @returns its name; null when they have no such passkey */
export async function dropPasskey(db: Db, adminId: number, id: string): Promise<string | null> {
  const rows = await db
    .delete(passkeys)
    .where(and(eq(passkeys.id, id), eq(passkeys.adminId, adminId)))
    .returning({ name: passkeys.name })
  return rows[0]?.name ?? null
}

/** Takes all passkeys of an admin away. @returns how many there were */
export async function dropPasskeys(db: Db, adminId: number): Promise<number> {
  const rows = await db
    .delete(passkeys)
    .where(eq(passkeys.adminId, adminId))
    .returning({ id: passkeys.id })
  return rows.length
}

/** Notes a challenge by its SHA-256, and forgets those that are over. */
export async function addChallenge(
  db: Db,
  challenge: typeof passkeyChallenges.$inferInsert,
  now: string,
): Promise<void> {
  await db.delete(passkeyChallenges).where(lt(passkeyChallenges.expiresAt, now))
  await db.insert(passkeyChallenges).values(challenge)
}

/** Uses a challenge up. @returns false when it was never given, was used, or is over */
export async function spendChallenge(
  db: Db,
  id: string,
  adminId: number | null,
  now: string,
): Promise<boolean> {
  const rows = await db
    .delete(passkeyChallenges)
    .where(eq(passkeyChallenges.id, id))
    .returning({ adminId: passkeyChallenges.adminId, expiresAt: passkeyChallenges.expiresAt })
  const row = rows[0]
  return row !== undefined && row.adminId === adminId && Date.parse(row.expiresAt) > Date.parse(now)
}
