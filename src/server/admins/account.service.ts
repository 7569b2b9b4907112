import { scopesOf, type Scope } from '#contracts/access.ts'
import { type me } from '#contracts/sign-in.ts'
import { AppError, failure } from '#server/kit/failure.ts'
import { iso, isoOrNull } from '#server/kit/iso.ts'
import { type Admin, type Clock } from '#server/kit/ports.ts'
import {
  addToken,
  adminById,
  changeAdmin,
  countTry,
  endSession,
  forgetTries,
  listTokens,
  liveSessions,
  revokeToken,
  uncountTry,
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

export type Accounts = ReturnType<typeof accountService>

/** What people do with their own account; the right to do so is asked for before. */
export function accountService({
  db,
  clock,
  passwords,
  needsSecondFactor,
}: {
  db: Db
  clock: Clock
  passwords: Passwords
  needsSecondFactor: boolean
}) {
  const isoIn = (ms: number): string => new Date(clock.now() + ms).toISOString()

  async function own(admin: Admin): Promise<StoredAdmin> {
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
  async function askPassword(
    signedIn: SignedIn,
    password: string,
    field: 'password' | 'current' = 'password',
    andThen: (found: StoredAdmin) => Promise<void> = async () => {},
  ): Promise<StoredAdmin> {
    const found = await own(signedIn.admin)
    const key = `account ${String(found.id)}`
    const until = await countTry(db, key, isoIn(0), BY_NAME)
    if (until !== null) throw tooMany('Too many wrong passwords.', until, clock.now())
    if (!(await passwords.matches(password, found.passwordHash))) {
      const wrong = 'This is not your password.'
      throw failure('invalid', wrong, { [field]: wrong })
    }
    await andThen(found).catch(async (error: unknown) => {
      // Nothing was tried where codes cannot be checked.
      const isTry = error instanceof AppError && error.code !== 'unavailable'
      if (!isTry) await uncountTry(db, [key], isoIn(0))
      throw error
    })
    await forgetTries(db, [key], isoIn(-FORGET_TRIES_MS))
    return found
  }

  function note(tx: Db, admin: Admin, action: string, after: AuditState = null): Promise<void> {
    const subject = { kind: 'admin', id: admin.id }
    return writeAudit(tx, { at: isoIn(0), admin, action, subject, after })
  }

  return {
    /** @throws AppError `invalid` for a wrong password */
    askPassword,

    /** A token reads who it belongs to, and nothing of the account's sessions, tokens and passkeys. */
    async me({ admin, by, id, role }: SignedIn): Promise<z.input<typeof me.reply>> {
      const now = isoIn(0)
      const found = await own(admin)
      const [sessions, tokens, keys] =
        by === 'token'
          ? [[], [], []]
          : await Promise.all([
              liveSessions(db, admin.id, { now, seenSince: isoIn(-IDLE_MS) }),
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
    },

    /** Ends all sessions, this one included. @returns what to say */
    async signOutEverywhere({ admin }: SignedIn): Promise<string> {
      return db.transaction(async (tx) => {
        const ended = await endAccess(tx, admin.id, isoIn(0), { sessions: true })
        await note(tx, admin, 'signed out everywhere', { ...ended })
        return `${endedText(ended)} Tokens and passkeys stay.`
      })
    },

    async endSession(signedIn: SignedIn, sessionId: string): Promise<void> {
      await db.transaction(async (tx) => {
        if (!(await endSession(tx, signedIn.admin.id, sessionId, isoIn(0)))) {
          throw failure('not_found', 'You have no such session.')
        }
        await note(tx, signedIn.admin, 'session ended', { session: sessionId })
      })
    },

    async createToken(
      signedIn: SignedIn,
      { name, days, scopes }: { name: string; days: number; scopes: readonly Scope[] },
    ): Promise<string> {
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
          createdAt: isoIn(0),
          scopes: [...scopes],
          expiresAt: isoIn(days * DAY_MS),
        })
        await note(tx, admin, 'token created', { name, days, scopes })
      })
      return token
    },

    async revokeToken(signedIn: SignedIn, tokenId: string): Promise<void> {
      await db.transaction(async (tx) => {
        const name = await revokeToken(tx, signedIn.admin.id, tokenId, isoIn(0))
        if (name === null) throw failure('not_found', 'You have no such token.')
        await note(tx, signedIn.admin, 'token revoked', { name })
      })
    },

    /** @returns what to say: all other ways in end with the old password */
    async changePassword(
      signedIn: SignedIn,
      given: { current: string; next: string; keep_passkeys: boolean },
    ): Promise<string> {
      const found = await askPassword(signedIn, given.current, 'current')
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
        const ended = await endAccess(tx, found.id, isoIn(0), ending)
        await note(tx, signedIn.admin, 'password changed', { ...ended })
        return `Password changed. ${endedText(ended, true, ending)}`
      })
    },
  }
}
