import { type me } from '#contracts/admins.ts'
import { AppError, failure } from '#server/kit/failure.ts'
import { iso, isoOrNull } from '#server/kit/iso.ts'
import { isoIn, isoNow } from '#server/kit/now.ts'
import { type Admin, type SignedIn } from '#server/kit/ports.ts'
import { type z } from 'zod'
import {
  endAccess,
  endedText,
  EVERYTHING,
  noteAccount,
  type Ending,
} from './account-access.service.ts'
import { adminById, changeAdmin, type StoredAdmin } from './admins.store.ts'
import { type AdminKit } from './open-admins.ts'
import { passkeysOf } from './passkeys.store.ts'
import { passwordFault } from './password-fault.ts'
import { IDLE_MS } from './sessions.service.ts'
import { liveSessions } from './sessions.store.ts'
import { BY_NAME, noteSuccess, tooMany } from './sign-in-tries.service.ts'
import { countTry, uncountTry } from './sign-in-tries.store.ts'
import { listTokens } from './tokens.store.ts'

async function ownAccount(kit: AdminKit, admin: Admin): Promise<StoredAdmin> {
  const { db } = kit
  const found = await adminById(db, admin.id)
  if (!found) throw failure('unauthorized', 'Please sign in.')
  return found
}

/**
 * Asks for the password once more: a person who finds an open browser must not be able to lock its owner out, nor to
 * guess the password at leisure.
 *
 * @param field what the form calls it
 * @param andThen what else is asked for, as part of the same try
 */
export async function askPassword(
  kit: AdminKit,
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
  if (!(await passwords.matches(password, found.passwordHash, true))) {
    const wrong = 'This is not your password.'
    throw failure('invalid', wrong, { [field]: wrong })
  }
  await andThen(found).catch(async (error: unknown) => {
    // Nothing was tried where codes cannot be checked.
    const isTry = error instanceof AppError && error.code !== 'unavailable'
    if (!isTry) await uncountTry(db, [key], isoNow(kit))
    throw error
  })
  await noteSuccess(kit, [key])
  return found
}

/** A token reads who it belongs to, and nothing of the account's sessions, tokens and passkeys. */
export async function accountOf(
  kit: AdminKit,
  { admin, by, id, role }: SignedIn,
): Promise<z.input<typeof me.reply>> {
  const { db, config } = kit
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
    second_factor_required: config.admin.needsSecondFactor,
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

/** @returns what to say: all other ways in end with the old password */
export async function changeOwnPassword(
  kit: AdminKit,
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
    await noteAccount(kit, tx, signedIn.admin, 'password changed', { after: ended })
    return `Password changed. ${endedText(ended, true, ending)}`
  })
}
