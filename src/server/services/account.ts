import { LONGEST_PASSWORD, SHORTEST_PASSWORD, type me } from '#contracts/sign-in.ts'
import { failure } from '#server/errors.ts'
import { iso, isoOrNull } from '#server/iso.ts'
import { type Admin, type Clock } from '#server/ports.ts'
import {
  addToken,
  adminById,
  changeAdmin,
  countTry,
  endOtherSessions,
  endSession,
  forgetTries,
  listTokens,
  liveSessions,
  revokeToken,
  takeTotpStep,
  type StoredAdmin,
} from '#server/store/admins.ts'
import { writeAudit, type AuditState } from '#server/store/audit.ts'
import { type Db } from '#server/store/database.ts'
import { passkeysOf } from '#server/store/passkeys.ts'
import { randomBytes, randomUUID } from 'node:crypto'
import { type z } from 'zod'
import { type Passwords } from './passwords.ts'
import {
  BY_NAME,
  FORGET_TRIES_MS,
  IDLE_MS,
  stepOfCode,
  tooMany,
  TOTP_STEP_S,
  type SignedIn,
} from './sign-in.ts'
import { sha256 } from './tokens.ts'

const DAY_MS = 86_400_000
const MOST_TOKENS = 50
const ISSUER = 'Proof of Price'

export type Accounts = ReturnType<typeof accountService>

/** What people do with their own account; the right to do so is asked for before. */
export function accountService({
  db,
  clock,
  passwords,
}: {
  db: Db
  clock: Clock
  passwords: Passwords
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
   */
  async function askPassword(
    signedIn: SignedIn,
    password: string,
    field: 'password' | 'current' = 'password',
  ): Promise<StoredAdmin> {
    const found = await own(signedIn.admin)
    const key = `account ${String(found.id)}`
    const until = await countTry(db, key, isoIn(0), BY_NAME)
    if (until !== null) throw tooMany('Too many wrong passwords.', until, clock.now())
    if (!(await passwords.matches(password, found.passwordHash))) {
      const wrong = 'This is not your password.'
      throw failure('invalid', wrong, { [field]: wrong })
    }
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

    async me({ admin, by, id }: SignedIn): Promise<z.input<typeof me.reply>> {
      const now = isoIn(0)
      const found = await own(admin)
      const [sessions, tokens, keys] = await Promise.all([
        liveSessions(db, admin.id, { now, seenSince: isoIn(-IDLE_MS) }),
        listTokens(db, admin.id),
        passkeysOf(db, admin.id),
      ])
      return {
        username: found.username,
        second_factor: found.totpSecret !== null,
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
          expires_at: isoOrNull(one.expiresAt),
        })),
      }
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
      { name, days }: { name: string; days: number | null },
    ): Promise<string> {
      const { admin } = signedIn
      if ((await listTokens(db, admin.id)).length >= MOST_TOKENS) {
        throw failure('conflict', 'You have 50 tokens. Please revoke one first.')
      }
      const token = `pop_${randomBytes(32).toString('base64url')}`
      await db.transaction(async (tx) => {
        await addToken(tx, {
          id: randomUUID(),
          tokenHash: sha256(token),
          adminId: admin.id,
          name,
          createdAt: isoIn(0),
          expiresAt: days === null ? null : isoIn(days * DAY_MS),
        })
        await note(tx, admin, 'token created', { name, days })
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

    async changePassword(
      signedIn: SignedIn,
      given: { current: string; next: string },
    ): Promise<void> {
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
      await db.transaction(async (tx) => {
        await changeAdmin(tx, found.id, { passwordHash })
        await endOtherSessions(tx, found.id, signedIn.id, isoIn(0))
        await note(tx, signedIn.admin, 'password changed')
      })
    },

    async startSecondFactor(
      signedIn: SignedIn,
      password: string,
    ): Promise<{ secret: string; uri: string }> {
      const found = await askPassword(signedIn, password)
      const { Secret, TOTP } = await import('otpauth')
      const secret = new Secret({ size: 20 })
      await changeAdmin(db, found.id, { totpPending: secret.base32 })
      const totp = new TOTP({
        secret,
        issuer: ISSUER,
        label: found.username,
        period: TOTP_STEP_S,
      })
      return { secret: secret.base32, uri: totp.toString() }
    },

    async confirmSecondFactor(signedIn: SignedIn, given: string): Promise<void> {
      const found = await own(signedIn.admin)
      const code = given.replaceAll(/\s/g, '')
      const pending = found.totpPending
      if (pending === null) throw failure('conflict', 'Please start again: no secret is waiting.')
      const step = await stepOfCode(pending, code, clock.now())
      if (step === null) {
        const wrong = 'This code is wrong. Please check the clock of your device.'
        throw failure('invalid', wrong, { code: wrong })
      }
      await db.transaction(async (tx) => {
        await changeAdmin(tx, found.id, { totpSecret: pending, totpPending: null })
        await takeTotpStep(tx, found.id, step)
        await note(tx, signedIn.admin, 'second factor turned on')
      })
    },

    async dropSecondFactor(signedIn: SignedIn, password: string): Promise<void> {
      const found = await askPassword(signedIn, password)
      await db.transaction(async (tx) => {
        await changeAdmin(tx, found.id, { totpSecret: null, totpPending: null })
        await note(tx, signedIn.admin, 'second factor turned off')
      })
    },
  }
}

/** What is wrong with a new password, as a sentence; null when nothing is. */
export function passwordFault(password: string, username: string): string | null {
  const letters = Array.from(password.normalize('NFKC'))
  if (letters.length < SHORTEST_PASSWORD) {
    return `A password needs at least ${String(SHORTEST_PASSWORD)} characters.`
  }
  if (letters.length > LONGEST_PASSWORD) {
    return `A password has at most ${String(LONGEST_PASSWORD)} characters.`
  }
  if (new Set(letters).size < 5) return 'This password repeats itself too much.'
  if (password.toLowerCase().includes(username.toLowerCase()) && letters.length < 20) {
    return 'A password must not hold the user name.'
  }
  return null
}
