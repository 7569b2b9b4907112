import { and, desc, eq } from 'drizzle-orm'
import { plural } from '#domain/day.ts'
import { adminSessions, adminTokens, passkeys } from '#server/database/schema/admins.ts'
import { type Admin, type SignedIn } from '#server/kit/admin.ts'
import { failure, AppError, invalid } from '#server/kit/failure.ts'
import { isoIn, isoNow, isoOf } from '#server/kit/time.ts'
import * as store from './admins.store.ts'
import { passwordFault } from './common-passwords.ts'
import * as sessions from './sessions.service.ts'

const FORGET_AFTER_MS = 2 * 86_400_000

export function noteSuccess(kit: sessions.AdminKit, key: string) {
  return store.forgetTries(kit.db, key, isoIn(kit, -FORGET_AFTER_MS))
}

/** @param until ISO moment of the next attempt allowed */
export function tooMany(sentence: string, until: string, nowMs: number): AppError {
  const seconds = Math.max(1, Math.ceil((Date.parse(until) - nowMs) / 1_000))
  const wait = seconds < 90 ? plural(seconds, 'second') : plural(Math.ceil(seconds / 60), 'minute')
  return failure('too_many', `${sentence} Try again in ${wait}.`, null, seconds)
}

async function ownAccount(kit: sessions.AdminKit, admin: Admin): Promise<store.StoredAdmin> {
  const { db } = kit
  const found = await store.adminById(db, admin.id)
  if (!found) throw failure('unauthorized', 'Please sign in.')
  return found
}

/**
 * Asks for the password again, so that somebody at an unattended browser can neither lock out the owner nor guess the
 * password.
 * @param field its name in the form
 * @param andThen further checks that count as part of the same attempt
 */
export async function askPassword(
  kit: sessions.AdminKit,
  signedIn: SignedIn,
  password: string,
  field: 'password' | 'current' = 'password',
  andThen: (found: store.StoredAdmin) => Promise<void> = async () => {},
): Promise<store.StoredAdmin> {
  const { db, clock, passwords } = kit
  const found = await ownAccount(kit, signedIn.admin)
  const key = `account ${String(found.id)}`
  const until = await store.countTry(db, key, isoNow(kit))
  if (until !== null) throw tooMany('Too many wrong passwords.', until, clock.now())
  if (!(await passwords.matches(password, found.passwordHash, true))) {
    const wrong = 'This is not your password.'
    throw invalid({ [field]: wrong })
  }
  await andThen(found).catch(async (error: unknown) => {
    // An unavailable second factor does not count as an attempt.
    const isTry = error instanceof AppError && error.code !== 'unavailable'
    if (!isTry) await store.uncountTry(db, key, isoNow(kit))
    throw error
  })
  await noteSuccess(kit, key)
  return found
}

export async function accountOf(kit: sessions.AdminKit, { admin, by, id, role }: SignedIn) {
  const { db } = kit
  const found = await ownAccount(kit, admin)
  const account = {
    username: found.username,
    role,
    second_factor: found.totpSecret !== null,
    recovery_codes: found.recoveryCodes.length,
    from_environment: found.fromEnvironment,
  }
  if (by === 'token') return { ...account, passkeys: [], sessions: [], tokens: [] }
  const { how, address, agent, createdAt, seenAt } = adminSessions
  const open = await db
    .select({
      id: adminSessions.id,
      how,
      address,
      agent,
      created_at: isoOf(createdAt),
      seen_at: isoOf(seenAt),
    })
    .from(adminSessions)
    .where(and(eq(adminSessions.adminId, admin.id), sessions.isLive(kit)))
    .orderBy(desc(seenAt))
  const named = (of: typeof adminTokens | typeof passkeys) => ({
    name: of.name,
    created_at: isoOf(of.createdAt),
    used_at: isoOf(of.usedAt),
  })
  return {
    ...account,
    sessions: open.map((one) => ({ ...one, current: one.id === id })),
    passkeys: await db
      .select({ id: passkeys.id, ...named(passkeys) })
      .from(passkeys)
      .where(eq(passkeys.adminId, admin.id))
      .orderBy(desc(passkeys.createdAt)),
    tokens: await db
      .select({
        id: adminTokens.id,
        ...named(adminTokens),
        expires_at: isoOf(adminTokens.expiresAt),
      })
      .from(adminTokens)
      .where(sessions.ownTokens(admin.id))
      .orderBy(desc(adminTokens.createdAt)),
  }
}

/** @returns the message to show; ends all other sessions, tokens and passkeys */
export async function changeOwnPassword(
  kit: sessions.AdminKit,
  signedIn: SignedIn,
  input: { current: string; next: string; keep_passkeys: boolean },
): Promise<string> {
  const { db, passwords } = kit
  const found = await askPassword(kit, signedIn, input.current, 'current')
  if (found.fromEnvironment) {
    throw failure(
      'conflict',
      'This password comes from ADMIN_PASSWORD_HASH in the environment. Please change it there and restart.',
    )
  }
  const fault = passwordFault(input.next, found.username)
  if (fault !== null) throw invalid({ next: fault })
  const passwordHash = await passwords.hash(input.next)
  return db.transaction(async (tx) => {
    // Throws if the password was changed elsewhere meanwhile, which ended this session.
    await sessions.lockOwnAccount(tx, signedIn)
    await store.changeAdmin(tx, found.id, { passwordHash })
    const ending: sessions.Ending = {
      ...sessions.EVERYTHING,
      exceptSession: signedIn.id,
      passkeys: !input.keep_passkeys,
    }
    const ended = await sessions.endAccess(tx, found.id, isoNow(kit), ending)
    await sessions.noteAccount(kit, tx, signedIn.admin, 'password changed', { after: ended })
    return `Password changed. ${sessions.endedText(ended, true, ending)}`
  })
}
