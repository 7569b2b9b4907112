import { and, arrayContains, desc, eq, gt, inArray, isNull, lt, ne, or, sql } from 'drizzle-orm'
import { type Role, type Scope } from '#contracts/access.ts'
import { type Admin } from '#server/kit/ports.ts'
import { type Db } from '#server/kit/db.ts'
import {
  adminSessions,
  adminTokens,
  admins,
  passkeys,
  signInTries,
} from '#server/database/schema/admins.ts'

export type StoredAdmin = typeof admins.$inferSelect
export type StoredSession = typeof adminSessions.$inferSelect
export type StoredToken = typeof adminTokens.$inferSelect

/** User names differ by more than case and composition. */
export function foldUsername(username: string): string {
  return username.normalize('NFKC').trim().toLowerCase()
}

/** The account of a name, disabled or not. */
export async function accountByName(db: Db, username: string): Promise<StoredAdmin | null> {
  const rows = await db
    .select()
    .from(admins)
    .where(eq(admins.folded, foldUsername(username)))
  return rows[0] ?? null
}

export async function adminByName(db: Db, username: string): Promise<StoredAdmin | null> {
  const found = await accountByName(db, username)
  return found?.disabledAt === null ? found : null
}

export async function adminById(db: Db, id: number): Promise<StoredAdmin | null> {
  const rows = await db
    .select()
    .from(admins)
    .where(and(eq(admins.id, id), isNull(admins.disabledAt)))
  return rows[0] ?? null
}

/** The account, unless it is disabled; its row stays locked until the transaction ends. */
export async function lockAdmin(tx: Db, id: number): Promise<StoredAdmin | null> {
  const rows = await tx
    .select()
    .from(admins)
    .where(and(eq(admins.id, id), isNull(admins.disabledAt)))
    .for('update')
  return rows[0] ?? null
}

export function listAdmins(db: Db): Promise<StoredAdmin[]> {
  return db.select().from(admins).orderBy(admins.id)
}

/** @returns the new id; null when the name is taken */
export async function addAdmin(
  db: Db,
  given: {
    readonly username: string
    readonly role: Role
    readonly passwordHash: string
    readonly fromEnvironment: boolean
    readonly createdAt: string
  },
): Promise<number | null> {
  const rows = await db
    .insert(admins)
    .values({ ...given, folded: foldUsername(given.username) })
    .onConflictDoNothing({ target: admins.folded })
    .returning({ id: admins.id })
  return rows[0]?.id ?? null
}

/** Sets columns of an admin. */
export async function changeAdmin(
  db: Db,
  id: number,
  values: Partial<
    Pick<
      StoredAdmin,
      | 'role'
      | 'passwordHash'
      | 'totpSecret'
      | 'totpPending'
      | 'recoveryCodes'
      | 'disabledAt'
      | 'fromEnvironment'
    >
  >,
): Promise<void> {
  await db.update(admins).set(values).where(eq(admins.id, id))
}

/** @returns false when this time step, or a later one, was used already */
export async function takeTotpStep(db: Db, id: number, step: number): Promise<boolean> {
  const rows = await db
    .update(admins)
    .set({ totpLastStep: step })
    .where(and(eq(admins.id, id), lt(admins.totpLastStep, step)))
    .returning({ id: admins.id })
  return rows.length > 0
}

/** Replaces the secret of an authenticator app, unless it is another one by now. */
export async function sealTotp(db: Db, id: number, plain: string, sealed: string): Promise<void> {
  await db
    .update(admins)
    .set({ totpSecret: sealed })
    .where(and(eq(admins.id, id), eq(admins.totpSecret, plain)))
}

/** Takes a recovery code out. @param hash its SHA-256 @returns false when there is none such, or somebody was faster */
export async function takeRecoveryCode(db: Db, id: number, hash: string): Promise<boolean> {
  const rows = await db
    .update(admins)
    .set({ recoveryCodes: sql`array_remove(${admins.recoveryCodes}, ${hash})` })
    .where(and(eq(admins.id, id), arrayContains(admins.recoveryCodes, [hash])))
    .returning({ id: admins.id })
  return rows.length > 0
}

/** What a session or token says of whoever brings it. */
const WHO = {
  adminId: admins.id,
  username: admins.username,
  role: admins.role,
  hasSecondFactor: sql<boolean>`(${admins.totpSecret} is not null or exists (select from ${passkeys} where ${passkeys.adminId} = ${admins.id}))`,
} as const

export type Known = {
  readonly admin: Admin
  readonly role: Role
  /** An authenticator app or a passkey. */
  readonly hasSecondFactor: boolean
  readonly id: string
}

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

function knownOf(row: {
  adminId: number
  username: string
  role: Role
  hasSecondFactor: boolean
  id: string
}): Known {
  const { adminId, username, role, hasSecondFactor, id } = row
  return { admin: { id: adminId, username }, role, hasSecondFactor, id }
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

/** Whether this admin has signed in from this address since then. */
export async function hasSignedInFrom(
  db: Db,
  folded: string,
  address: string,
  since: string,
): Promise<boolean> {
  const rows = await db
    .select({ id: adminSessions.id })
    .from(adminSessions)
    .innerJoin(admins, eq(admins.id, adminSessions.adminId))
    .where(
      and(
        eq(admins.folded, folded),
        eq(adminSessions.address, address),
        gt(adminSessions.createdAt, since),
      ),
    )
    .limit(1)
  return rows.length > 0
}

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

/** Pauses between tries, in one expression, so that tries at the same moment cannot pass each other. */
export type TryRule = {
  /** Tries that wait for nothing. */
  readonly free: number
  readonly longestS: number
}

/**
 * Counts a try as failed before it is looked at.
 *
 * @returns null when it may go on, else until when no try is looked at
 */
export async function countTry(
  db: Db,
  key: string,
  at: string,
  { free, longestS }: TryRule,
): Promise<string | null> {
  // The pause doubles with each try beyond the free ones; a day without tries forgets them.
  const failures = sql`case when ${signInTries.lastAt} < ${at}::timestamptz - interval '1 day' then 1 else ${signInTries.failures} + 1 end`
  const pauseS = sql`case when ${failures} < ${free} then 0 else least(${longestS}::double precision, power(2, least(${failures} - ${free}, 20))) end`
  const rows = await db
    .insert(signInTries)
    .values({ key, failures: 1, lastAt: at, notBefore: at })
    .onConflictDoUpdate({
      target: signInTries.key,
      set: {
        failures,
        lastAt: at,
        notBefore: sql`${at}::timestamptz + make_interval(secs => ${pauseS})`,
      },
      setWhere: sql`${signInTries.notBefore} <= ${at}::timestamptz`,
    })
    .returning({ key: signInTries.key })
  if (rows.length > 0) return null
  const found = await db
    .select({ notBefore: signInTries.notBefore })
    .from(signInTries)
    .where(eq(signInTries.key, key))
  return found[0]?.notBefore ?? at
}

/** Takes back a try that turned out to be none; the failures before it stay counted. */
export async function uncountTry(db: Db, keys: readonly string[], at: string): Promise<void> {
  await db
    .update(signInTries)
    .set({ failures: sql`greatest(${signInTries.failures} - 1, 0)`, notBefore: at })
    .where(inArray(signInTries.key, [...keys]))
}

/** Forgets the failed tries of these keys, and old ones of all. */
export async function forgetTries(db: Db, keys: readonly string[], before: string): Promise<void> {
  await db
    .delete(signInTries)
    .where(or(lt(signInTries.lastAt, before), ...keys.map((key) => eq(signInTries.key, key))))
}
