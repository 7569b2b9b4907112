import { isoIn, isoNow } from '#server/kit/now.ts'
import { type Kit } from '#server/kit/kit.ts'
import { scopesOf, type Scope } from '#contracts/access.ts'
import { type me } from '#contracts/admins.ts'
import { AppError, failure } from '#server/kit/failure.ts'
import { iso, isoOrNull } from '#server/kit/iso.ts'
import { type Admin } from '#server/kit/ports.ts'
import {
  addToken,
  adminById,
  changeAdmin,
  countTry,
  endSession,
  forgetTries,
  listTokens,
  liveSessions,
  uncountTry,
  revokeToken,
  type StoredAdmin,
} from './admins.store.ts'
import { writeAudit, type AuditState } from '#server/kit/audit.ts'
import { type Db } from '#server/kit/db.ts'
import { passkeysOf } from './passkeys.store.ts'
import { randomBytes, randomUUID } from 'node:crypto'
import { type z } from 'zod'
import {
  endAccess,
  endedText,
  EVERYTHING,
  lockOwnAccount,
  type Ending,
} from './account-access.service.ts'
import { passwordFault } from './password-fault.ts'
import { type Passwords } from '#server/kit/passwords.ts'
import { BY_NAME, FORGET_TRIES_MS, IDLE_MS, tooMany } from './sign-in.service.ts'
import { NEED_SECOND_FACTOR } from '#contracts/access.ts'
import { type SignedIn } from '#server/kit/ports.ts'
import { sha256 } from '#server/kit/tokens.ts'

const DAY_MS = 86_400_000
const MOST_TOKENS = 50

/** What people do with their own account; the right to do so is asked for before. */
export type AccountKit = Pick<Kit, 'db' | 'clock'> & {
  readonly passwords: Passwords
  readonly needsSecondFactor: boolean
}

async function ownAccount(kit: AccountKit, admin: Admin): Promise<StoredAdmin> {
  const { db } = kit
  const found = await adminById(db, admin.id)
  if (!found) throw failure('unauthorized', 'Please sign in.')
  return found
}

/**
 * Whoever finds an open browser must not be able to lock its owner out, nor to guess the password at leisure.
 *
 * @param field what the form calls it
 * @param andThen what else is asked for, as part of the same try
 */
export async function askPassword(
  kit: AccountKit,
  signedIn: SignedIn,
  password: string,
  field: 'password' | 'current' = 'password',
  andThen: (found: StoredAdmin) => Promise<void> = async () => {},
): Promise<StoredAdmin> {
  const { db, clock, passwords } = kit
  const found = await ownAccount(kit, signedIn.admin)
  const key = `account ${String(found.id)}`
  const until = await countTry(db, key, isoNow(kit), BY_NAME)
  if (until !== null) throw tooMany('Too many wrong passwords.', until, clock.now())
  if (!(await passwords.matches(password, found.passwordHash))) {
    const wrong = 'This is not your password.'
    throw failure('invalid', wrong, { [field]: wrong })
  }
  await andThen(found).catch(async (error: unknown) => {
    // Nothing was tried where codes cannot be checked.
    const isTry = error instanceof AppError && error.code !== 'unavailable'
    if (!isTry) await uncountTry(db, [key], isoNow(kit))
    throw error
  })
  await forgetTries(db, [key], isoIn(kit, -FORGET_TRIES_MS))
  return found
}

function noteAccount(
  kit: AccountKit,
  tx: Db,
  admin: Admin,
  action: string,
  after: AuditState = null,
): Promise<void> {
  const subject = { kind: 'admin', id: admin.id }
  return writeAudit(tx, { at: isoNow(kit), admin, action, subject, after })
}

/** A token reads who it belongs to, and nothing of the account's sessions, tokens and passkeys. */
export async function accountOf(
  kit: AccountKit,
  { admin, by, id, role }: SignedIn,
): Promise<z.input<typeof me.reply>> {
  const { db, needsSecondFactor } = kit
  const now = isoNow(kit)
  const found = await ownAccount(kit, admin)
  const [sessions, tokens, keys] =
    by === 'token'
      ? [[], [], []]
      : await Promise.all([
          liveSessions(db, admin.id, { now, seenSince: isoIn(kit, -IDLE_MS) }),
          listTokens(db, admin.id),
          passkeysOf(db, admin.id),
        ])
  return {
    username: found.username,
    role,
    second_factor: found.totpSecret !== null,
    second_factor_required: needsSecondFactor,
    recovery_codes: found.recoveryCodes.length,
    from_environment: found.fromEnvironment,
    passkeys: keys.map((key) => ({
      id: key.id,
      name: key.name,
      created_at: iso(key.createdAt),
      used_at: isoOrNull(key.usedAt),
    })),
    sessions: sessions.map((one) => ({
      id: one.id,
      current: by === 'session' && one.id === id,
      how: one.how,
      address: one.address,
      agent: one.agent,
      created_at: iso(one.createdAt),
      seen_at: iso(one.seenAt),
    })),
    tokens: tokens.map((one) => ({
      id: one.id,
      name: one.name,
      created_at: iso(one.createdAt),
      used_at: isoOrNull(one.usedAt),
      expires_at: iso(one.expiresAt),
      scopes: one.scopes,
    })),
  }
}

/** Ends all sessions, this one included. @returns what to say */
export async function signOutOfAll(kit: AccountKit, { admin }: SignedIn): Promise<string> {
  const { db } = kit
  return db.transaction(async (tx) => {
    const ended = await endAccess(tx, admin.id, isoNow(kit), { sessions: true })
    await noteAccount(kit, tx, admin, 'signed out everywhere', { ...ended })
    return `${endedText(ended)} Tokens and passkeys stay.`
  })
}

export async function endOwnSession(
  kit: AccountKit,
  signedIn: SignedIn,
  sessionId: string,
): Promise<void> {
  const { db } = kit
  await db.transaction(async (tx) => {
    if (!(await endSession(tx, signedIn.admin.id, sessionId, isoNow(kit)))) {
      throw failure('not_found', 'You have no such session.')
    }
    await noteAccount(kit, tx, signedIn.admin, 'session ended', { session: sessionId })
  })
}

export async function createOwnToken(
  kit: AccountKit,
  signedIn: SignedIn,
  { name, days, scopes }: { name: string; days: number; scopes: readonly Scope[] },
): Promise<string> {
  const { db, needsSecondFactor } = kit
  const { admin, role, hasSecondFactor } = signedIn
  // It would outlast this state, and open what is kept back until there is a second factor.
  if (needsSecondFactor && !hasSecondFactor) throw failure('forbidden', NEED_SECOND_FACTOR)
  const beyond = scopes.find((scope) => !scopesOf(role).includes(scope))
  if (beyond !== undefined) {
    const wrong = `A ${role} cannot make a token for ${beyond}.`
    throw failure('invalid', wrong, { scopes: wrong })
  }
  const token = `pop_${randomBytes(32).toString('base64url')}`
  await db.transaction(async (tx) => {
    await lockOwnAccount(tx, signedIn)
    if ((await listTokens(tx, admin.id)).length >= MOST_TOKENS) {
      throw failure('conflict', 'You have 50 tokens. Please revoke one first.')
    }
    await addToken(tx, {
      id: randomUUID(),
      tokenHash: sha256(token),
      adminId: admin.id,
      name,
      createdAt: isoNow(kit),
      scopes: [...scopes],
      expiresAt: isoIn(kit, days * DAY_MS),
    })
    await noteAccount(kit, tx, admin, 'token created', { name, days, scopes })
  })
  return token
}

export async function revokeOwnToken(
  kit: AccountKit,
  signedIn: SignedIn,
  tokenId: string,
): Promise<void> {
  const { db } = kit
  await db.transaction(async (tx) => {
    const name = await revokeToken(tx, signedIn.admin.id, tokenId, isoNow(kit))
    if (name === null) throw failure('not_found', 'You have no such token.')
    await noteAccount(kit, tx, signedIn.admin, 'token revoked', { name })
  })
}

/** @returns what to say: all other ways in end with the old password */
export async function changeOwnPassword(
  kit: AccountKit,
  signedIn: SignedIn,
  given: { current: string; next: string; keep_passkeys: boolean },
): Promise<string> {
  const { db, passwords } = kit
  const found = await askPassword(kit, signedIn, given.current, 'current')
  if (found.fromEnvironment) {
    throw failure(
      'conflict',
      'This password comes from ADMIN_PASSWORD_HASH in the environment. Please change it there and restart.',
    )
  }
  const fault = passwordFault(given.next, found.username)
  if (fault !== null) throw failure('invalid', fault, { next: fault })
  const passwordHash = await passwords.hash(given.next)
  return db.transaction(async (tx) => {
    await changeAdmin(tx, found.id, { passwordHash })
    const ending: Ending = {
      ...EVERYTHING,
      keptSession: signedIn.id,
      passkeys: !given.keep_passkeys,
    }
    const ended = await endAccess(tx, found.id, isoNow(kit), ending)
    await noteAccount(kit, tx, signedIn.admin, 'password changed', { ...ended })
    return `Password changed. ${endedText(ended, true, ending)}`
  })
}
