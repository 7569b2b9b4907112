import { randomUUID } from 'node:crypto'
import { and, eq, gt } from 'drizzle-orm'
import { admins, adminSessions } from '#server/database/schema/admins.ts'
import { AppError, failure } from '#server/kit/failure.ts'
import { MINUTE_MS, type RateLimit } from '#server/kit/limiter.ts'
import { networkOf } from '#server/kit/reach.ts'
import { isoIn, isoNow } from '#server/kit/time.ts'
import { sha256 } from '#server/kit/tokens.ts'
import { noteSuccess, tooMany } from './account.service.ts'
import * as store from './admins.store.ts'
import { isCodeRight } from './second-factor.service.ts'
import { beginSession, type Session, type Visitor, type AdminKit } from './sessions.service.ts'

const KNOWN_ADDRESS_MS = 60 * 86_400_000
const TOO_MANY = 'Too many attempts.'
const LATELY = { withinMs: 10 * MINUTE_MS, message: TOO_MANY }
/** Limited before hashing, the expensive part of a sign-in. */
const STRANGERS: RateLimit = {
  name: 'sign-in',
  shares: [
    { of: 'prefix', most: 10, ...LATELY },
    { of: 'all', most: 200, ...LATELY },
  ],
}
/** A separate limit for networks of earlier sign-ins, so that strangers cannot use it up. */
const KNOWN: RateLimit = {
  name: 'sign-in where one has signed in before',
  shares: [{ of: 'network', most: 20, ...LATELY }],
}

const WRONG = 'Wrong username or password.'
const NEED_CODE = 'Please enter the code from your authenticator app.'

/** Signs in by name and password. @throws AppError `unauthorized`, `second_factor` or `too_many` */
export async function signIn(
  kit: AdminKit,
  input: { username: string; password: string; code?: string | undefined },
  visitor: Visitor,
): Promise<Session> {
  const { db, limiter, passwords, refusals } = kit
  const { address } = visitor
  if (input.username.trim() === '' || input.password === '') {
    throw failure('invalid', 'Please enter both username and password')
  }
  const account = await store.accountByName(db, input.username)
  const { key, ref, isKnown } = await admit(kit, input.username, account, address)
  const noTry = async (): Promise<void> => {
    await store.uncountTry(db, key, isoNow(kit))
    await limiter.leave(db, ref)
  }
  const admin = account?.disabledAt === null ? account : null
  const isRight = await passwords.matches(input.password, admin?.passwordHash ?? null, isKnown)
  if (!admin || !isRight) {
    refusals.signIn(account ? 'wrong password' : 'unknown name', account, address)
    throw failure('unauthorized', WRONG)
  }
  const code = input.code?.replaceAll(/\s/g, '') ?? ''
  if (admin.totpSecret !== null && code === '') {
    // A request for the code is neither a failure nor a success: earlier wrong codes still count, or somebody who
    // knows the password could try one code after another.
    await noTry()
    throw failure('second_factor', NEED_CODE)
  }
  const isCode = await isCodeRight(kit, admin, code).catch(async (error: unknown) => {
    // An unavailable key does not count as an attempt.
    await noTry()
    throw error
  })
  if (!isCode) {
    refusals.signIn('wrong code', admin, address)
    throw failure(
      'second_factor',
      'This code is wrong or was already used. Please enter the next one.',
    )
  }
  const session = await beginSession(kit, admin, { how: 'password' }, visitor)
  await noteSuccess(kit, key)
  await limiter.leave(db, ref)
  return session
}

/** Counts an attempt by network and by name. @throws AppError `too_many` during a pause */
async function admit(
  kit: AdminKit,
  username: string,
  account: store.StoredAdmin | null,
  address: string,
): Promise<{ key: string; ref: string; isKnown: boolean }> {
  const { db, clock, limiter, refusals } = kit
  const network = networkOf(address)
  const folded = store.foldUsername(username)
  const since = isoIn(kit, -KNOWN_ADDRESS_MS)
  const earlier = await db
    .selectDistinct({ from: adminSessions.address })
    .from(adminSessions)
    .innerJoin(admins, eq(admins.id, adminSessions.adminId))
    .where(and(eq(admins.folded, folded), gt(adminSessions.createdAt, since)))
  // Privacy extensions change the rest of an IPv6 address daily.
  const isKnown = earlier.some(({ from }) => networkOf(from) === network)
  const ref = randomUUID()
  const lockedOut = (until: number): AppError => {
    refusals.signIn('locked out', account, address)
    return tooMany(TOO_MANY, new Date(until).toISOString(), clock.now())
  }
  const limit = isKnown ? KNOWN : STRANGERS
  try {
    await limiter.refuse(db, limit, { address })
    await db.transaction((tx) => limiter.enter(tx, limit, { address }, async () => ref))
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw lockedOut(clock.now() + (error.retryAfterS ?? 0) * 1_000)
  }
  // Strangers who try a name must not lock out its owner: attempts from networks of earlier sign-ins count separately.
  const key = `name ${sha256(isKnown ? `${folded} ${network}` : folded)}`
  const until = await store.countTry(db, key, isoNow(kit))
  if (until !== null) throw lockedOut(Date.parse(until))
  return { key, ref, isKnown }
}
