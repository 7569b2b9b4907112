import { type SignedIn } from '#server/kit/ports.ts'
import { randomBytes, randomUUID } from 'node:crypto'
import { type Right } from '#contracts/access.ts'
import { counted } from '#server/kit/counted.ts'
import { failure, type AppError } from '#server/kit/failure.ts'
import { type Admin, type Clock, type Log } from '#server/kit/ports.ts'
import {
  addSession,
  accountByName,
  countTry,
  endSession,
  foldUsername,
  forgetTries,
  hasSignedInFrom,
  lockAdmin,
  noteSeen,
  noteTokenUsed,
  sessionByHash,
  takeRecoveryCode,
  takeTotpStep,
  tokenByHash,
  uncountTry,
  type Known,
  type StoredAdmin,
  type TryRule,
} from './admins.store.ts'
import { writeAudit } from '#server/kit/audit.ts'
import { type Db } from '#server/kit/db.ts'
import { type Outages } from '#server/database/outages.ts'
import { hasPasskey, passkeyById } from './passkeys.store.ts'
import { troubleOf } from '#server/kit/trouble.ts'
import { type Passwords } from '#server/kit/passwords.ts'
import { networkOf } from '#server/http/network-of.ts'
import { type Outcome, type Refusals } from './refusals.service.ts'
import { type Secrets } from '#server/kit/secret-box.ts'
import { recoveryHash, stepOfCode, totpOf } from './second-factor-codes.ts'
import { sha256 } from '#server/kit/tokens.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** A session ends after this, used or not. */
const SESSION_MS = 7 * DAY_MS
/** A session that nobody used for this long has ended. */
export const IDLE_MS = DAY_MS / 2
/** How exactly the last use is kept. */
const SEEN_EVERY_MS = MINUTE_MS
export const FORGET_TRIES_MS = 2 * DAY_MS
const KNOWN_ADDRESS_MS = 60 * DAY_MS

export const BY_NAME: TryRule = { free: 4, longestS: 900 }
const BY_ADDRESS: TryRule = { free: 10, longestS: 3_600 }

const WRONG = 'Wrong user name or password.'
const CHANGED = 'This account has changed in the meantime. Please sign in again.'
const NEED_PASSKEY =
  'This site asks for a second factor, and yours is a passkey. Please sign in with it.'
const NEED_CODE = 'Please enter the code of your authenticator app.'
/** How a person signed in. */
type Way = { readonly how: 'password' } | { readonly how: 'passkey'; readonly passkeyId: string }

/** Where a try to sign in comes from. */
export type Visitor = { readonly address: string; readonly agent: string }

export type SignIn = ReturnType<typeof signInService>

/** Signing in and out, and knowing again who has. */
export function signInService({
  db,
  clock,
  passwords,
  secrets,
  refusals,
  outages,
  log,
  needsSecondFactor,
}: {
  db: Db
  clock: Clock
  passwords: Passwords
  secrets: Secrets
  refusals: Refusals
  outages: Pick<Outages, 'notice'>
  log: Log
  /** Whoever has no second factor may do nothing but set one up. */
  needsSecondFactor: boolean
}) {
  const isoIn = (ms: number): string => new Date(clock.now() + ms).toISOString()

  /**
   * @throws AppError `too_many` while this address or this name has to wait
   */
  async function admit(
    username: string,
    account: StoredAdmin | null,
    address: string,
  ): Promise<string[]> {
    const folded = foldUsername(username)
    const isKnown = await hasSignedInFrom(db, folded, address, isoIn(-KNOWN_ADDRESS_MS))
    const place = networkOf(address)
    const keys: [string, TryRule][] = [
      [`address ${place}`, BY_ADDRESS],
      // Strangers who try a name must not keep its owner out: where they have signed in before, they count apart.
      [`name ${sha256(isKnown ? `${folded} ${address}` : folded)}`, BY_NAME],
    ]
    for (const [key, rule] of keys) {
      const until = await countTry(db, key, isoIn(0), rule)
      if (until === null) continue
      refusals.signIn('locked out', account, address)
      throw tooMany('Too many tries to sign in.', until, clock.now())
    }
    return keys.map(([key]) => key)
  }

  async function open(
    admin: StoredAdmin,
    by: Way,
    { address, agent }: Visitor,
  ): Promise<{ token: string; username: string }> {
    const token = randomBytes(32).toString('base64url')
    const at = isoIn(0)
    const { how } = by
    await db.transaction(async (tx) => {
      const found = await lockAdmin(tx, admin.id)
      if (!found || !(await isStillRight(tx, by, admin, found)))
        throw failure('unauthorized', CHANGED)
      await addSession(tx, {
        id: randomUUID(),
        tokenHash: sha256(token),
        adminId: admin.id,
        how,
        address,
        agent: agent.slice(0, 300),
        createdAt: at,
        expiresAt: isoIn(SESSION_MS),
      })
      await writeAudit(tx, {
        at,
        admin: { id: admin.id, username: admin.username },
        action: 'signed in',
        subject: { kind: 'admin', id: admin.id },
        after: { how, address },
      })
    })
    refusals.signIn('signed in', admin, address)
    return { token, username: admin.username }
  }

  /** Whether that way of signing in still opens the account, whose row is locked. */
  async function isStillRight(
    tx: Db,
    by: Way,
    seen: StoredAdmin,
    found: StoredAdmin,
  ): Promise<boolean> {
    if (by.how === 'passkey') return (await passkeyById(tx, by.passkeyId))?.adminId === found.id
    if (seen.passwordHash !== found.passwordHash || seen.totpSecret !== found.totpSecret)
      return false
    return !needsSecondFactor || found.totpSecret !== null || !(await hasPasskey(tx, found.id))
  }

  /** A code of the authenticator app, or one of those for a lost one. @throws AppError `unavailable` */
  async function isCodeRight(admin: StoredAdmin, code: string): Promise<boolean> {
    if (admin.totpSecret === null) return true
    const recovery = recoveryHash(code)
    if (recovery !== null) return takeRecovery(admin, recovery)
    const secret = await totpOf(secrets, admin.id, admin.totpSecret)
    const step = await stepOfCode(secret, code, clock.now())
    return step !== null && (await takeTotpStep(db, admin.id, step))
  }

  function takeRecovery({ id, username }: StoredAdmin, hash: string): Promise<boolean> {
    return db.transaction(async (tx) => {
      if (!(await takeRecoveryCode(tx, id, hash))) return false
      await writeAudit(tx, {
        at: isoIn(0),
        admin: { id, username },
        action: 'recovery code used',
        subject: { kind: 'admin', id },
      })
      return true
    })
  }

  /** Waits for a note of the last use, which is no reason to refuse a call: with a full disk administrators still read. */
  async function noted(work: Promise<void>): Promise<void> {
    await work.catch((error: unknown) => {
      if (outages.notice(error) !== null) return
      const { said } = troubleOf(error)
      log.warn({ said }, 'the last use of a session or token could not be noted')
    })
  }

  function refuse(outcome: Outcome, admin: Admin | null, { address }: Visitor): void {
    refusals.signIn(outcome, admin, address)
  }

  return {
    isCodeRight,

    /** Whether this right is kept back until a second factor is set up. */
    isHeldBack({ hasSecondFactor }: Pick<SignedIn, 'hasSecondFactor'>, right: Right): boolean {
      return needsSecondFactor && !hasSecondFactor && right !== 'account' && right !== 'signed-in'
    },

    /** @throws AppError `unauthorized`, `second_factor` or `too_many` */
    async login(
      given: { username: string; password: string; code?: string | undefined },
      visitor: Visitor,
    ): Promise<{ token: string; username: string }> {
      if (given.username.trim() === '' || given.password === '') {
        throw failure('invalid', 'Please enter both username and password')
      }
      const account = await accountByName(db, given.username)
      const keys = await admit(given.username, account, visitor.address)
      const admin = account?.disabledAt === null ? account : null
      const isRight = await passwords.matches(given.password, admin?.passwordHash ?? null)
      if (!admin || !isRight) {
        refuse(account ? 'wrong password' : 'unknown name', account, visitor)
        throw failure('unauthorized', WRONG)
      }
      const code = given.code?.replaceAll(/\s/g, '') ?? ''
      if (admin.totpSecret !== null && code === '') {
        // Asking for the code is no failed try, but no success either: wrong codes before it stay counted, or whoever
        // knows the password could try one code after the other.
        await uncountTry(db, keys, isoIn(0))
        throw failure('second_factor', NEED_CODE)
      }
      const isCode = await isCodeRight(admin, code).catch(async (error: unknown) => {
        // Nothing was tried where the key is lost.
        await uncountTry(db, keys, isoIn(0))
        throw error
      })
      if (!isCode) {
        refuse('wrong code', admin, visitor)
        throw failure(
          'second_factor',
          'This code is wrong or was used already. Please enter the next one.',
        )
      }
      if (needsSecondFactor && admin.totpSecret === null && (await hasPasskey(db, admin.id))) {
        await uncountTry(db, keys, isoIn(0))
        throw failure('unauthorized', NEED_PASSKEY)
      }
      const opened = await open(admin, { how: 'password' }, visitor)
      await forgetTries(db, keys, isoIn(-FORGET_TRIES_MS))
      return opened
    },

    /** Opens a session for whoever was recognised by a passkey. */
    open,

    /** Who a cookie's token belongs to; null when it has ended or never was. */
    async bySession(token: string): Promise<SignedIn | null> {
      const now = isoIn(0)
      const found = await sessionByHash(db, sha256(token), { now, seenSince: isoIn(-IDLE_MS) })
      if (!found) return null
      if (Date.parse(found.seenAt) + SEEN_EVERY_MS < clock.now()) {
        await noted(noteSeen(db, found.id, now))
      }
      return signedIn(found, 'session', null)
    },

    /** Who a bearer token belongs to. */
    async byToken(token: string): Promise<SignedIn | null> {
      const now = isoIn(0)
      const found = await tokenByHash(db, sha256(token), now)
      if (!found) return null
      const isStale =
        found.usedAt === null || Date.parse(found.usedAt) + SEEN_EVERY_MS < clock.now()
      if (isStale) await noted(noteTokenUsed(db, found.id, now))
      return signedIn(found, 'token', found.scopes)
    },

    async logout(signedIn: SignedIn): Promise<void> {
      if (signedIn.by !== 'session') return
      await db.transaction(async (tx) => {
        await endSession(tx, signedIn.admin.id, signedIn.id, isoIn(0))
        await writeAudit(tx, {
          at: isoIn(0),
          admin: signedIn.admin,
          action: 'signed out',
          subject: { kind: 'admin', id: signedIn.admin.id },
        })
      })
    },
  }
}

/** @param until ISO moment from which the next try counts */
export function tooMany(sentence: string, until: string, nowMs: number): AppError {
  const seconds = Math.max(1, Math.ceil((Date.parse(until) - nowMs) / 1_000))
  const wait =
    seconds < 90 ? counted(seconds, 'second') : counted(Math.ceil(seconds / 60), 'minute')
  return failure('too_many', `${sentence} Please wait ${wait}.`, null, seconds)
}

function signedIn(
  { admin, role, hasSecondFactor, id }: Known,
  by: SignedIn['by'],
  scopes: SignedIn['scopes'],
): SignedIn {
  return { admin, role, hasSecondFactor, id, by, scopes }
}
