import { and, desc, eq, gt, isNull } from 'drizzle-orm'
import { type Scope } from '#contracts/access.ts'
import { type Db } from '#server/kit/db.ts'
import { knownOf, WHO, type Known } from './admins.store.ts'
import { adminTokens, admins } from '#server/database/schema/admins.ts'

export type StoredToken = typeof adminTokens.$inferSelect

export async function addToken(
  db: Db,
  token: Omit<StoredToken, 'usedAt' | 'revokedAt'>,
): Promise<void> {
  await db.insert(adminTokens).values(token)
}

export async function tokenByHash(
  db: Db,
  tokenHash: string,
  now: string,
): Promise<(Known & { readonly scopes: Scope[]; readonly usedAt: string | null }) | null> {
  const rows = await db
    .select({
      ...WHO,
      id: adminTokens.id,
      usedAt: adminTokens.usedAt,
      scopes: adminTokens.scopes,
    })
    .from(adminTokens)
    .innerJoin(admins, eq(admins.id, adminTokens.adminId))
    .where(
      and(
        eq(adminTokens.tokenHash, tokenHash),
        isNull(adminTokens.revokedAt),
        isNull(admins.disabledAt),
        gt(adminTokens.expiresAt, now),
      ),
    )
  const row = rows[0]
  return row ? { ...knownOf(row), scopes: row.scopes, usedAt: row.usedAt } : null
}

export async function noteTokenUsed(db: Db, id: string, at: string): Promise<void> {
  await db.update(adminTokens).set({ usedAt: at }).where(eq(adminTokens.id, id))
}

export function listTokens(db: Db, adminId: number): Promise<StoredToken[]> {
  return db
    .select()
    .from(adminTokens)
    .where(and(eq(adminTokens.adminId, adminId), isNull(adminTokens.revokedAt)))
    .orderBy(desc(adminTokens.createdAt))
}

/** @returns the token's name; null when they have no such token */
export async function revokeToken(
  db: Db,
  adminId: number,
  id: string,
  at: string,
): Promise<string | null> {
  const rows = await db
    .update(adminTokens)
    .set({ revokedAt: at })
    .where(
      and(eq(adminTokens.id, id), eq(adminTokens.adminId, adminId), isNull(adminTokens.revokedAt)),
    )
    .returning({ name: adminTokens.name })
  return rows[0]?.name ?? null
}

/** Revokes all tokens of an admin. @returns how many of them had not ended by themselves */
export async function revokeTokens(db: Db, adminId: number, at: string): Promise<number> {
  const rows = await db
    .update(adminTokens)
    .set({ revokedAt: at })
    .where(and(eq(adminTokens.adminId, adminId), isNull(adminTokens.revokedAt)))
    .returning({ expiresAt: adminTokens.expiresAt })
  return rows.filter(({ expiresAt }) => Date.parse(expiresAt) > Date.parse(at)).length
}
