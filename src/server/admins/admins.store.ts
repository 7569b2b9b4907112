import { and, arrayContains, eq, isNull, lt, sql } from 'drizzle-orm'
import { type Role } from '#contracts/access.ts'
import { type Admin } from '#server/kit/ports.ts'
import { type Db } from '#server/kit/db.ts'
import { admins, passkeys } from '#server/database/schema/admins.ts'

export type StoredAdmin = typeof admins.$inferSelect

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

/** No link by which a password could be chosen. */
export const NO_LINK = { linkHash: null, linkExpiresAt: null } as const

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
      | 'linkHash'
      | 'linkExpiresAt'
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

/** Takes a recovery code out. @param hash its SHA-256 @returns false when there is no such code, or it was used meanwhile */
export async function takeRecoveryCode(db: Db, id: number, hash: string): Promise<boolean> {
  const rows = await db
    .update(admins)
    .set({ recoveryCodes: sql`array_remove(${admins.recoveryCodes}, ${hash})` })
    .where(and(eq(admins.id, id), arrayContains(admins.recoveryCodes, [hash])))
    .returning({ id: admins.id })
  return rows.length > 0
}

/** What is read of the person behind a session or token. */
export const WHO = {
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

export function knownOf(row: {
  adminId: number
  username: string
  role: Role
  hasSecondFactor: boolean
  id: string
}): Known {
  const { adminId, username, role, hasSecondFactor, id } = row
  return { admin: { id: adminId, username }, role, hasSecondFactor, id }
}
