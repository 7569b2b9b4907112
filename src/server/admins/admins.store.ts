import { and, arrayContains, eq, isNull, lt, sql, or, type SQL } from 'drizzle-orm'
import {
  admins,
  passkeys,
  adminSessions,
  adminTokens,
  signInTries,
} from '#server/database/schema/admins.ts'
import { type Db, firstRow, hasEffect } from '#server/kit/db.ts'
import { isoOf } from '#server/kit/time.ts'

export type StoredAdmin = typeof admins.$inferSelect

export function foldUsername(username: string): string {
  return username.normalize('NFKC').trim().toLowerCase()
}

const isEnabled = (id: number) => and(eq(admins.id, id), isNull(admins.disabledAt))

function accountWhere(db: Db, which: SQL | undefined) {
  return firstRow(db.select().from(admins).where(which))
}

export function accountByName(db: Db, username: string) {
  return accountWhere(db, eq(admins.folded, foldUsername(username)))
}

export function accountByLink(db: Db, linkHash: string) {
  return accountWhere(db, eq(admins.linkHash, linkHash))
}

export function adminById(db: Db, id: number) {
  return accountWhere(db, isEnabled(id))
}

/** Locks the account's row until the transaction ends. @returns null when it is disabled */
export function lockAdmin(tx: Db, id: number) {
  return firstRow(tx.select().from(admins).where(isEnabled(id)).for('update'))
}

export function listAdmins(db: Db): Promise<StoredAdmin[]> {
  return db.select().from(admins).orderBy(admins.id)
}

type NewAdmin = Pick<
  StoredAdmin,
  'username' | 'role' | 'passwordHash' | 'fromEnvironment' | 'createdAt'
>

/** @returns the new id; null when the name is taken */
export async function addAdmin(db: Db, added: NewAdmin) {
  const [row] = await db
    .insert(admins)
    .values({ ...added, folded: foldUsername(added.username) })
    .onConflictDoNothing({ target: admins.folded })
    .returning({ id: admins.id })
  return row?.id ?? null
}

export const NO_LINK = { linkHash: null, linkExpiresAt: null } as const
export const NO_SECOND_FACTOR = { totpSecret: null, totpPending: null, recoveryCodes: [] }

export async function changeAdmin(
  db: Db,
  id: number,
  values: Partial<Omit<StoredAdmin, 'id' | 'username' | 'folded' | 'createdAt'>>,
): Promise<void> {
  await db.update(admins).set(values).where(eq(admins.id, id))
}

/** @returns false when this time step or a later one was already used */
export function takeTotpStep(db: Db, id: number, step: number): Promise<boolean> {
  const isEarlier = and(eq(admins.id, id), lt(admins.totpLastStep, step))
  return hasEffect(db.update(admins).set({ totpLastStep: step }).where(isEarlier))
}

export async function sealTotp(db: Db, id: number, plain: string, sealed: string): Promise<void> {
  await db
    .update(admins)
    .set({ totpSecret: sealed })
    .where(and(eq(admins.id, id), eq(admins.totpSecret, plain)))
}

/** Removes a recovery code. @param hash its SHA-256 @returns false when it is unknown or already used */
export function takeRecoveryCode(db: Db, id: number, hash: string): Promise<boolean> {
  const hasIt = and(eq(admins.id, id), arrayContains(admins.recoveryCodes, [hash]))
  const left = sql`array_remove(${admins.recoveryCodes}, ${hash})`
  return hasEffect(db.update(admins).set({ recoveryCodes: left }).where(hasIt))
}

/** drizzle omits the table name in single-table queries. */
const ID = sql.raw('admins.id')

/** All accounts in the order of creation, with their pending items, as the API sends them. */
export function accountRows(db: Db, input: { readonly now: string; readonly seenSince: string }) {
  const isOpen = sql`s.ended_at is null and s.expires_at > ${input.now}::timestamptz and s.seen_at > ${input.seenSince}::timestamptz`
  return db
    .select({
      id: admins.id,
      username: admins.username,
      role: admins.role,
      second_factor: sql<boolean>`(${admins.totpSecret} is not null or exists (select from ${passkeys} p where p.admin_id = ${ID}))`,
      from_environment: admins.fromEnvironment,
      created_at: isoOf(admins.createdAt),
      disabled_at: isoOf(admins.disabledAt),
      link_expires_at: isoOf(admins.linkExpiresAt),
      sessions: sql<number>`(select count(*)::int from ${adminSessions} s where s.admin_id = ${ID} and ${isOpen} and ${admins.disabledAt} is null)`,
      tokens: sql<number>`(select count(*)::int from ${adminTokens} t where t.admin_id = ${ID} and t.revoked_at is null and t.expires_at > ${input.now}::timestamptz and ${admins.disabledAt} is null)`,
      seen_at: isoOf(sql`(select max(s.seen_at) from ${adminSessions} s where s.admin_id = ${ID})`),
    })
    .from(admins)
    .orderBy(admins.id)
}

/** Locks all accounts in a fixed order, so that two administrators who disable each other cannot deadlock. */
export function lockAccounts(tx: Db): Promise<StoredAdmin[]> {
  return tx.select().from(admins).orderBy(admins.id).for('update')
}

/** Attempts without a pause. */
const FREE_TRIES = 4
const LONGEST_PAUSE_S = 900

/**
 * Counts an attempt as failed in advance, in one statement, so that concurrent attempts cannot bypass the limit.
 * @returns null if it may proceed, else the end of the lockout
 */
export async function countTry(db: Db, key: string, at: string) {
  // The pause doubles with each attempt beyond the free ones; a day without attempts resets the count.
  const failures = sql`case when ${signInTries.lastAt} < ${at}::timestamptz - interval '1 day' then 1 else ${signInTries.failures} + 1 end`
  const pauseS = sql`case when ${failures} < ${FREE_TRIES} then 0 else least(${LONGEST_PAUSE_S}::double precision, power(2, least(${failures} - ${FREE_TRIES}, 20))) end`
  const notBefore = sql`${at}::timestamptz + make_interval(secs => ${pauseS})`
  const counting = db
    .insert(signInTries)
    .values({ key, failures: 1, lastAt: at, notBefore: at })
    .onConflictDoUpdate({
      target: signInTries.key,
      set: { failures, lastAt: at, notBefore },
      setWhere: sql`${signInTries.notBefore} <= ${at}::timestamptz`,
    })
  if (await hasEffect(counting)) return null
  const [found] = await db.select().from(signInTries).where(eq(signInTries.key, key))
  return found?.notBefore ?? at
}

/** Undoes `countTry` for an attempt that neither failed nor succeeded; earlier failures stay counted. */
export async function uncountTry(db: Db, key: string, at: string): Promise<void> {
  await db
    .update(signInTries)
    .set({ failures: sql`greatest(${signInTries.failures} - 1, 0)`, notBefore: at })
    .where(eq(signInTries.key, key))
}

export async function forgetTries(db: Db, key: string, before: string): Promise<void> {
  const isOld = lt(signInTries.lastAt, before)
  await db.delete(signInTries).where(or(isOld, eq(signInTries.key, key)))
}
