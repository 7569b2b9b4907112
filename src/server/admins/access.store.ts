import { and, desc, eq, gt, isNull, ne, lt, sql, type SQL } from 'drizzle-orm'
import {
  adminSessions,
  admins,
  adminTokens,
  passkeyChallenges,
  passkeys,
} from '#server/database/schema/admins.ts'
import { type SignedIn } from '#server/kit/admin.ts'
import { type Db, countChanged, firstRow, hasEffect } from '#server/kit/db.ts'
import { networkOf } from '#server/kit/reach.ts'
import { isoOf } from '#server/kit/time.ts'

/** The owner of a session or token, and its last use. */
export type Owner = SignedIn & { readonly usedAt: string | null }

const OWNER = {
  admin: { id: admins.id, username: admins.username },
  role: admins.role,
  hasSecondFactor: sql<boolean>`(${admins.totpSecret} is not null or exists (select from ${passkeys} where ${passkeys.adminId} = ${admins.id}))`,
} as const

/** Sessions that were used lately and have not ended; moments are ISO. */
type Live = { readonly now: string; readonly seenSince: string }

function isLive({ now, seenSince }: Live): SQL | undefined {
  const { endedAt, expiresAt, seenAt } = adminSessions
  return and(isNull(endedAt), gt(expiresAt, now), gt(seenAt, seenSince))
}

export async function sessionByHash(db: Db, tokenHash: string, live: Live): Promise<Owner | null> {
  const rows = await db
    .select({ ...OWNER, id: adminSessions.id, usedAt: adminSessions.seenAt })
    .from(adminSessions)
    .innerJoin(admins, eq(admins.id, adminSessions.adminId))
    .where(and(eq(adminSessions.tokenHash, tokenHash), isLive(live), isNull(admins.disabledAt)))
  return rows[0] ? { ...rows[0], by: 'session' } : null
}

export async function isSessionOpen(db: Db, id: string): Promise<boolean> {
  const open = and(eq(adminSessions.id, id), isNull(adminSessions.endedAt))
  return (await db.$count(adminSessions, open)) > 0
}

export function liveSessions(db: Db, adminId: number, live: Live) {
  return db
    .select({
      id: adminSessions.id,
      how: adminSessions.how,
      address: adminSessions.address,
      agent: adminSessions.agent,
      created_at: isoOf(adminSessions.createdAt),
      seen_at: isoOf(adminSessions.seenAt),
    })
    .from(adminSessions)
    .where(and(eq(adminSessions.adminId, adminId), isLive(live)))
    .orderBy(desc(adminSessions.seenAt))
}

/** @returns the number of sessions ended */
function endWhere(db: Db, at: string, ...which: (SQL | undefined)[]): Promise<number> {
  const isEnded = and(isNull(adminSessions.endedAt), ...which)
  return countChanged(db.update(adminSessions).set({ endedAt: at }).where(isEnded))
}

/** @returns false when the admin has no such session */
export async function endSession(db: Db, adminId: number, id: string, at: string) {
  const isIt = eq(adminSessions.id, id)
  return (await endWhere(db, at, isIt, eq(adminSessions.adminId, adminId))) > 0
}

/** @returns the number of sessions ended */
export function endOtherSessions(db: Db, adminId: number, exceptId: string | null, at: string) {
  const isOther = exceptId === null ? undefined : ne(adminSessions.id, exceptId)
  return endWhere(
    db,
    at,
    eq(adminSessions.adminId, adminId),
    isOther,
    gt(adminSessions.expiresAt, at),
  )
}

/** Compares networks: privacy extensions change the rest of an IPv6 address daily. */
export async function hasSignedInFrom(db: Db, folded: string, network: string, since: string) {
  const rows = await db
    .selectDistinct({ address: adminSessions.address })
    .from(adminSessions)
    .innerJoin(admins, eq(admins.id, adminSessions.adminId))
    .where(and(eq(admins.folded, folded), gt(adminSessions.createdAt, since)))
  return rows.some(({ address }) => networkOf(address) === network)
}

export async function tokenByHash(db: Db, tokenHash: string, now: string): Promise<Owner | null> {
  const rows = await db
    .select({ ...OWNER, id: adminTokens.id, usedAt: adminTokens.usedAt })
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
  return rows[0] ? { ...rows[0], by: 'token' } : null
}

export function listTokens(db: Db, adminId: number) {
  return db
    .select({
      id: adminTokens.id,
      name: adminTokens.name,
      created_at: isoOf(adminTokens.createdAt),
      used_at: isoOf(adminTokens.usedAt),
      expires_at: isoOf(adminTokens.expiresAt),
    })
    .from(adminTokens)
    .where(and(eq(adminTokens.adminId, adminId), isNull(adminTokens.revokedAt)))
    .orderBy(desc(adminTokens.createdAt))
}

/** @returns the token's name; null when the admin has no such token */
export async function revokeToken(db: Db, adminId: number, id: string, at: string) {
  const rows = await db
    .update(adminTokens)
    .set({ revokedAt: at })
    .where(
      and(eq(adminTokens.id, id), eq(adminTokens.adminId, adminId), isNull(adminTokens.revokedAt)),
    )
    .returning({ name: adminTokens.name })
  return rows[0]?.name ?? null
}

/** @returns the number of unexpired tokens revoked */
export async function revokeTokens(db: Db, adminId: number, at: string): Promise<number> {
  const rows = await db
    .update(adminTokens)
    .set({ revokedAt: at })
    .where(and(eq(adminTokens.adminId, adminId), isNull(adminTokens.revokedAt)))
    .returning({ expiresAt: adminTokens.expiresAt })
  return rows.filter(({ expiresAt }) => Date.parse(expiresAt) > Date.parse(at)).length
}

export type StoredPasskey = typeof passkeys.$inferSelect

export function passkeysOf(db: Db, adminId: number) {
  return db
    .select({
      id: passkeys.id,
      name: passkeys.name,
      created_at: isoOf(passkeys.createdAt),
      used_at: isoOf(passkeys.usedAt),
    })
    .from(passkeys)
    .where(eq(passkeys.adminId, adminId))
    .orderBy(desc(passkeys.createdAt))
}

export function passkeyById(db: Db, id: string): Promise<StoredPasskey | null> {
  return firstRow(db.select().from(passkeys).where(eq(passkeys.id, id)))
}

/** @returns false when this passkey is already registered */
export function addPasskey(db: Db, passkey: Omit<StoredPasskey, 'usedAt'>): Promise<boolean> {
  return hasEffect(db.insert(passkeys).values(passkey).onConflictDoNothing())
}

/** @returns its name; null when the admin has no such passkey */
export async function dropPasskey(db: Db, adminId: number, id: string): Promise<string | null> {
  const rows = await db
    .delete(passkeys)
    .where(and(eq(passkeys.id, id), eq(passkeys.adminId, adminId)))
    .returning({ name: passkeys.name })
  return rows[0]?.name ?? null
}

/** @returns the number of passkeys removed */
export function dropPasskeys(db: Db, adminId: number): Promise<number> {
  return countChanged(db.delete(passkeys).where(eq(passkeys.adminId, adminId)))
}

export async function addChallenge(
  db: Db,
  challenge: typeof passkeyChallenges.$inferInsert,
  now: string,
): Promise<void> {
  await db.delete(passkeyChallenges).where(lt(passkeyChallenges.expiresAt, now))
  await db.insert(passkeyChallenges).values(challenge)
}

/** Marks a challenge as used. @returns false when it is unknown, used or expired */
export async function spendChallenge(db: Db, id: string, adminId: number | null, now: string) {
  const isIt = eq(passkeyChallenges.id, id)
  const row = await firstRow(db.delete(passkeyChallenges).where(isIt).returning())
  return row?.adminId === adminId && Date.parse(row.expiresAt) > Date.parse(now)
}
