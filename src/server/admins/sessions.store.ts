import { and, desc, eq, gt, isNull, ne } from 'drizzle-orm'
import { type Db } from '#server/kit/db.ts'
import { networkOf } from '#server/kit/network-of.ts'
import { knownOf, WHO, type Known } from './admins.store.ts'
import { adminSessions, admins } from '#server/database/schema/admins.ts'

export type StoredSession = typeof adminSessions.$inferSelect

export async function addSession(
  db: Db,
  session: Omit<StoredSession, 'seenAt' | 'endedAt'>,
): Promise<void> {
  await db.insert(adminSessions).values({ ...session, seenAt: session.createdAt })
}

/** Who a live session belongs to. */
export async function sessionByHash(
  db: Db,
  tokenHash: string,
  given: { readonly now: string; readonly seenSince: string },
): Promise<(Known & { readonly seenAt: string }) | null> {
  const rows = await db
    .select({ ...WHO, id: adminSessions.id, seenAt: adminSessions.seenAt })
    .from(adminSessions)
    .innerJoin(admins, eq(admins.id, adminSessions.adminId))
    .where(
      and(
        eq(adminSessions.tokenHash, tokenHash),
        isNull(adminSessions.endedAt),
        isNull(admins.disabledAt),
        gt(adminSessions.expiresAt, given.now),
        gt(adminSessions.seenAt, given.seenSince),
      ),
    )
  const row = rows[0]
  return row ? { ...knownOf(row), seenAt: row.seenAt } : null
}

export async function noteSeen(db: Db, sessionId: string, at: string): Promise<void> {
  await db.update(adminSessions).set({ seenAt: at }).where(eq(adminSessions.id, sessionId))
}

/** Whether this session has not been ended. */
export async function isSessionOpen(db: Db, id: string): Promise<boolean> {
  const open = and(eq(adminSessions.id, id), isNull(adminSessions.endedAt))
  return (await db.$count(adminSessions, open)) > 0
}

export function liveSessions(
  db: Db,
  adminId: number,
  given: { readonly now: string; readonly seenSince: string },
): Promise<StoredSession[]> {
  return db
    .select()
    .from(adminSessions)
    .where(
      and(
        eq(adminSessions.adminId, adminId),
        isNull(adminSessions.endedAt),
        gt(adminSessions.expiresAt, given.now),
        gt(adminSessions.seenAt, given.seenSince),
      ),
    )
    .orderBy(desc(adminSessions.seenAt))
}

/** Ends one session of an admin. @returns false when they have no such session */
export async function endSession(
  db: Db,
  adminId: number,
  id: string,
  at: string,
): Promise<boolean> {
  const rows = await db
    .update(adminSessions)
    .set({ endedAt: at })
    .where(
      and(
        eq(adminSessions.id, id),
        eq(adminSessions.adminId, adminId),
        isNull(adminSessions.endedAt),
      ),
    )
    .returning({ id: adminSessions.id })
  return rows.length > 0
}

/** Ends all sessions of an admin but one. @returns how many */
export async function endOtherSessions(
  db: Db,
  adminId: number,
  keptId: string | null,
  at: string,
): Promise<number> {
  const rows = await db
    .update(adminSessions)
    .set({ endedAt: at })
    .where(
      and(
        eq(adminSessions.adminId, adminId),
        isNull(adminSessions.endedAt),
        keptId === null ? undefined : ne(adminSessions.id, keptId),
        gt(adminSessions.expiresAt, at),
      ),
    )
    .returning({ id: adminSessions.id })
  return rows.length
}

/** Whether this admin has signed in from this network since then: privacy extensions change the rest of an address daily. */
export async function hasSignedInFrom(
  db: Db,
  folded: string,
  network: string,
  since: string,
): Promise<boolean> {
  const rows = await db
    .selectDistinct({ address: adminSessions.address })
    .from(adminSessions)
    .innerJoin(admins, eq(admins.id, adminSessions.adminId))
    .where(and(eq(admins.folded, folded), gt(adminSessions.createdAt, since)))
  return rows.some(({ address }) => networkOf(address) === network)
}
