import { eq, sql } from 'drizzle-orm'
import { type Role } from '#contracts/access.ts'
import { type Db } from '#server/kit/db.ts'
import { admins, adminSessions, adminTokens, passkeys } from '#server/database/schema/admins.ts'
import { type StoredAdmin } from './admins.store.ts'

export type AccountRow = {
  readonly id: number
  readonly username: string
  readonly role: Role
  readonly hasSecondFactor: boolean
  readonly fromEnvironment: boolean
  readonly createdAt: string
  readonly disabledAt: string | null
  readonly linkExpiresAt: string | null
  readonly sessions: number
  readonly tokens: number
  readonly seenAt: string | null
}

/** Of the account, in the queries of its row: a column alone would be named without its table. */
const ID = sql.raw('admins.id')

/** All accounts, in the order in which they were made, with what of them is open now. */
export function accountRows(
  db: Db,
  given: { readonly now: string; readonly seenSince: string },
): Promise<AccountRow[]> {
  const isOpen = sql`s.ended_at is null and s.expires_at > ${given.now}::timestamptz and s.seen_at > ${given.seenSince}::timestamptz`
  return db
    .select({
      id: admins.id,
      username: admins.username,
      role: admins.role,
      hasSecondFactor: sql<boolean>`(${admins.totpSecret} is not null or exists (select from ${passkeys} p where p.admin_id = ${ID}))`,
      fromEnvironment: admins.fromEnvironment,
      createdAt: admins.createdAt,
      disabledAt: admins.disabledAt,
      linkExpiresAt: admins.linkExpiresAt,
      sessions: sql<number>`(select count(*)::int from ${adminSessions} s where s.admin_id = ${ID} and ${isOpen})`,
      tokens: sql<number>`(select count(*)::int from ${adminTokens} t where t.admin_id = ${ID} and t.revoked_at is null and t.expires_at > ${given.now}::timestamptz)`,
      seenAt: sql<
        string | null
      >`(select max(s.seen_at) from ${adminSessions} s where s.admin_id = ${ID})`,
    })
    .from(admins)
    .orderBy(admins.id)
}

/** Locks all accounts, in one order: of two administrators who disable each other one is faster, and none waits for the other. */
export function lockAccounts(tx: Db): Promise<StoredAdmin[]> {
  return tx.select().from(admins).orderBy(admins.id).for('update')
}

/** The account whose password can be chosen by this link, expired or not. */
export async function accountByLink(db: Db, linkHash: string): Promise<StoredAdmin | null> {
  const rows = await db.select().from(admins).where(eq(admins.linkHash, linkHash))
  return rows[0] ?? null
}
