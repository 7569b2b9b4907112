import { randomBytes, randomUUID } from 'node:crypto'
import { and, eq, gt, isNull, ne, sql, type SQL } from 'drizzle-orm'
import { DAY_MS, plural } from '#domain/day.ts'
import { adminSessions, admins, adminTokens, passkeys } from '#server/database/schema/admins.ts'
import { type Admin, type SignedIn, writeAudit, type AuditState } from '#server/kit/admin.ts'
import { countChanged, type Db } from '#server/kit/db.ts'
import { failure } from '#server/kit/failure.ts'
import { type SiteKit } from '#server/kit/kit.ts'
import { type Passwords } from '#server/kit/passwords.ts'
import { type Secrets } from '#server/kit/secrets.ts'
import { isoNow, isoIn } from '#server/kit/time.ts'
import { sha256 } from '#server/kit/tokens.ts'
import { troubleOf } from '#server/kit/trouble.ts'
import { lockAdmin, type StoredAdmin } from './admins.store.ts'
import { type Refusals } from './refusals.service.ts'

export type AdminKit = SiteKit & {
  readonly secrets: Secrets
  readonly passwords: Passwords
  readonly refusals: Refusals
}

/** Numbers of ended sessions, tokens and passkeys. */
export type Ended = {
  readonly sessions: number
  readonly tokens: number
  readonly passkeys: number
}

/** Access to end, and the session to spare. */
export type Ending = {
  readonly sessions?: boolean
  readonly exceptSession?: string | null
  readonly tokens?: boolean
  readonly passkeys?: boolean
}

export const EVERYTHING: Ending = { sessions: true, tokens: true, passkeys: true }

/**
 * Locks the account of a session for a change.
 * @throws AppError `unauthorized` if the session was ended since the request began, as by a new password: access
 *   created concurrently must not survive that
 */
export async function lockOwnAccount(tx: Db, { admin, id }: Pick<SignedIn, 'admin' | 'id'>) {
  const found = await lockAdmin(tx, admin.id)
  const isOpen = and(eq(adminSessions.id, id), isNull(adminSessions.endedAt))
  if (!found || (await tx.$count(adminSessions, isOpen)) === 0)
    throw failure('unauthorized', 'Please sign in.')
  return found
}

export function noteAccount(
  kit: Pick<AdminKit, 'clock'>,
  tx: Db,
  { id, username }: Admin,
  action: string,
  state: { readonly before?: AuditState; readonly after?: AuditState } = {},
): Promise<void> {
  const subject = { kind: 'admin', id }
  return writeAudit(tx, { at: isoNow(kit), admin: { id, username }, action, subject, ...state })
}

/** Ends sessions, tokens and passkeys of an account. Call it in the transaction of the change. */
export async function endAccess(tx: Db, adminId: number, at: string, ending: Ending) {
  const { exceptSession = null } = ending
  return {
    sessions: ending.sessions
      ? await endSessions(
          tx,
          at,
          eq(adminSessions.adminId, adminId),
          exceptSession === null ? undefined : ne(adminSessions.id, exceptSession),
          gt(adminSessions.expiresAt, at),
        )
      : 0,
    tokens: ending.tokens ? await revokeTokens(tx, adminId, at) : 0,
    passkeys: ending.passkeys
      ? await countChanged(tx.delete(passkeys).where(eq(passkeys.adminId, adminId)))
      : 0,
  }
}

/** @returns how many were still valid */
async function revokeTokens(tx: Db, adminId: number, at: string): Promise<number> {
  const { revokedAt, expiresAt } = adminTokens
  const revoked = await tx
    .update(adminTokens)
    .set({ revokedAt: at })
    .where(ownTokens(adminId))
    .returning({ isValid: sql<boolean>`${expiresAt} > ${revokedAt}` })
  return revoked.filter(({ isValid }) => isValid).length
}

function endSessions(tx: Db, at: string, ...which: (SQL | undefined)[]): Promise<number> {
  const isEnded = and(isNull(adminSessions.endedAt), ...which)
  return countChanged(tx.update(adminSessions).set({ endedAt: at }).where(isEnded))
}

/** `Ended: 2 sessions and 1 token.`, or `There was no …` if nothing was ended. */
export function endedText(ended: Ended, other = false, ending: Ending = EVERYTHING): string {
  const kinds = [
    ['sessions', other ? 'other session' : 'session'],
    ['tokens', 'token'],
    ['passkeys', 'passkey'],
  ] as const
  const listed = (type: 'conjunction' | 'disjunction', parts: string[]): string =>
    new Intl.ListFormat('en-GB', { type }).format(parts)
  const parts = kinds.flatMap(([kind, noun]) =>
    ended[kind] > 0 ? [plural(ended[kind], noun)] : [],
  )
  if (parts.length > 0) return `Ended: ${listed('conjunction', parts)}.`
  const nouns = kinds.filter(([kind]) => ending[kind]).map(([, noun]) => noun)
  return `There was no ${listed('disjunction', nouns)} to end.`
}

const MINUTE_MS = 60_000
/** Maximum age of a session, used or not. */
const SESSION_MS = 7 * DAY_MS
/** A session ends after this long without use. */
export const IDLE_MS = DAY_MS / 2
/** Resolution of the stored last use. */
const SEEN_EVERY_MS = MINUTE_MS

const CHANGED = 'This account has changed in the meantime. Please sign in again.'

type Way = { readonly how: 'password' } | { readonly how: 'passkey'; readonly passkeyId: string }

export type Visitor = { readonly address: string; readonly agent: string }

export type Session = { readonly token: string; readonly username: string }

/**
 * @param admin as read when the credentials were checked
 * @throws AppError `unauthorized` when the account has changed since
 */
export async function beginSession(
  kit: Pick<AdminKit, 'db' | 'clock'> & { readonly refusals: Pick<Refusals, 'signIn'> },
  admin: StoredAdmin,
  way: Way,
  { address, agent }: Visitor,
): Promise<Session> {
  const token = randomBytes(32).toString('base64url')
  const { how } = way
  await kit.db.transaction(async (tx) => {
    const found = await lockAdmin(tx, admin.id)
    if (!found || !(await isStillRight(tx, way, admin, found)))
      throw failure('unauthorized', CHANGED)
    const createdAt = isoNow(kit)
    await tx.insert(adminSessions).values({
      id: randomUUID(),
      tokenHash: sha256(token),
      adminId: admin.id,
      how,
      address,
      agent: agent.slice(0, 300),
      createdAt,
      seenAt: createdAt,
      expiresAt: isoIn(kit, SESSION_MS),
    })
    await noteAccount(kit, tx, admin, 'signed in', { after: { how, address } })
  })
  kit.refusals.signIn('signed in', admin, address)
  return { token, username: admin.username }
}

/** Whether these credentials are still valid for the account, whose row is locked. */
async function isStillRight(tx: Db, way: Way, seen: StoredAdmin, found: StoredAdmin) {
  if (way.how === 'passkey') {
    const isOwn = and(eq(passkeys.id, way.passkeyId), eq(passkeys.adminId, found.id))
    return (await tx.$count(passkeys, isOwn)) > 0
  }
  return seen.passwordHash === found.passwordHash && seen.totpSecret === found.totpSecret
}

const OWNER = {
  admin: { id: admins.id, username: admins.username },
  role: admins.role,
  hasSecondFactor: sql<boolean>`(${admins.totpSecret} is not null or exists (select from ${passkeys} where ${passkeys.adminId} = ${admins.id}))`,
} as const

/** Sessions that were used lately and have not ended. */
export function isLive(kit: Pick<AdminKit, 'clock'>) {
  const { endedAt, expiresAt, seenAt } = adminSessions
  return and(isNull(endedAt), gt(expiresAt, isoNow(kit)), gt(seenAt, isoIn(kit, -IDLE_MS)))
}

export function ownTokens(adminId: number) {
  return and(eq(adminTokens.adminId, adminId), isNull(adminTokens.revokedAt))
}

/** The owner of a session cookie; null if the session has ended or never existed. */
export async function signedInBySession(kit: AdminKit, token: string): Promise<SignedIn | null> {
  const { id, tokenHash, adminId, seenAt } = adminSessions
  const [found] = await kit.db
    .select({ ...OWNER, id, usedAt: seenAt })
    .from(adminSessions)
    .innerJoin(admins, eq(admins.id, adminId))
    .where(and(eq(tokenHash, sha256(token)), isLive(kit), isNull(admins.disabledAt)))
  return found ? noteUse(kit, { ...found, by: 'session' }) : null
}

/** The owner of a bearer token; null if it has ended or never existed. */
export async function signedInByToken(kit: AdminKit, token: string): Promise<SignedIn | null> {
  const { id, tokenHash, adminId, usedAt, revokedAt, expiresAt } = adminTokens
  const isValid = and(isNull(revokedAt), gt(expiresAt, isoNow(kit)), isNull(admins.disabledAt))
  const [found] = await kit.db
    .select({ ...OWNER, id, usedAt })
    .from(adminTokens)
    .innerJoin(admins, eq(admins.id, adminId))
    .where(and(eq(tokenHash, sha256(token)), isValid))
  return found ? noteUse(kit, { ...found, by: 'token' }) : null
}

/** Failures are only logged: administrators must still be able to read with a full disk. */
async function noteUse(kit: AdminKit, owner: SignedIn & { readonly usedAt: string | null }) {
  const { db, clock, outages, log } = kit
  const { by, id, usedAt } = owner
  if (usedAt !== null && Date.parse(usedAt) + SEEN_EVERY_MS >= clock.now()) return owner
  const at = isoNow(kit)
  const noted =
    by === 'session'
      ? db.update(adminSessions).set({ seenAt: at }).where(eq(adminSessions.id, id))
      : db.update(adminTokens).set({ usedAt: at }).where(eq(adminTokens.id, id))
  await noted.catch((error: unknown) => {
    if (outages.notice(error) !== null) return
    const { message } = troubleOf(error)
    log.warn({ said: message }, 'last use of a session or token could not be stored')
  })
  return owner
}

export async function signOut(kit: AdminKit, signedIn: SignedIn): Promise<void> {
  if (signedIn.by !== 'session') return
  await kit.db.transaction(async (tx) => {
    await endSessions(tx, isoNow(kit), eq(adminSessions.id, signedIn.id))
    await noteAccount(kit, tx, signedIn.admin, 'signed out')
  })
}

/** Ends all sessions, including this one, and all tokens. @returns the message to show */
export async function signOutOfAll(kit: AdminKit, { admin }: SignedIn): Promise<string> {
  return kit.db.transaction(async (tx) => {
    const ended = await endAccess(tx, admin.id, isoNow(kit), { sessions: true, tokens: true })
    await noteAccount(kit, tx, admin, 'signed out everywhere', { after: ended })
    return `${endedText(ended)} Passkeys stay.`
  })
}

/** @throws AppError `not_found` */
export async function endOwnSession(kit: AdminKit, { admin }: SignedIn, session: string) {
  await kit.db.transaction(async (tx) => {
    const isOwn = and(eq(adminSessions.id, session), eq(adminSessions.adminId, admin.id))
    if ((await endSessions(tx, isoNow(kit), isOwn)) === 0) {
      throw failure('not_found', 'You have no such session.')
    }
    await noteAccount(kit, tx, admin, 'session ended', { after: { session } })
  })
}

const MOST_TOKENS = 50

/** The owner must have been authenticated again before. @returns the token; only its hash is stored */
export async function createOwnToken(
  kit: Pick<AdminKit, 'db' | 'clock'>,
  signedIn: SignedIn,
  { name, days }: { name: string; days: number },
): Promise<string> {
  const { admin } = signedIn
  const token = `pop_${randomBytes(32).toString('base64url')}`
  await kit.db.transaction(async (tx) => {
    await lockOwnAccount(tx, signedIn)
    if ((await tx.$count(adminTokens, ownTokens(admin.id))) >= MOST_TOKENS) {
      throw failure('conflict', 'You have 50 tokens. Please revoke one first.')
    }
    await tx.insert(adminTokens).values({
      id: randomUUID(),
      tokenHash: sha256(token),
      adminId: admin.id,
      name,
      createdAt: isoNow(kit),
      expiresAt: isoIn(kit, days * DAY_MS),
    })
    await noteAccount(kit, tx, admin, 'token created', { after: { name, days } })
  })
  return token
}

/** @throws AppError `not_found` */
export async function revokeOwnToken(kit: AdminKit, { admin }: SignedIn, id: string) {
  await kit.db.transaction(async (tx) => {
    const [after] = await tx
      .update(adminTokens)
      .set({ revokedAt: isoNow(kit) })
      .where(and(eq(adminTokens.id, id), ownTokens(admin.id)))
      .returning({ name: adminTokens.name })
    if (!after) throw failure('not_found', 'You have no such token.')
    await noteAccount(kit, tx, admin, 'token revoked', { after })
  })
}
