import { failure } from '#server/kit/failure.ts'
import { isoIn, isoNow } from '#server/kit/now.ts'
import { sha256 } from '#server/kit/tokens.ts'
import { networkOf } from '#server/http/network-of.ts'
import { accountByName, foldUsername, type StoredAdmin } from './admins.store.ts'
import { type AdminKit } from './open-admins.ts'
import { hasPasskey } from './passkeys.store.ts'
import { isCodeRight } from './second-factor.service.ts'
import { beginSession, type Session, type Visitor } from './sessions.service.ts'
import { hasSignedInFrom } from './sessions.store.ts'
import { BY_ADDRESS, BY_NAME, noteSuccess, tooMany } from './sign-in-tries.service.ts'
import { countTry, uncountTry, type TryRule } from './sign-in-tries.store.ts'

const KNOWN_ADDRESS_MS = 60 * 86_400_000

const WRONG = 'Wrong user name or password.'
const NEED_PASSKEY =
  'This site requires a second factor, and yours is a passkey. Please sign in with it.'
const NEED_CODE = 'Please enter the code from your authenticator app.'

/** Signs in by name and password. @throws AppError `unauthorized`, `second_factor` or `too_many` */
export async function signIn(
  kit: AdminKit,
  given: { username: string; password: string; code?: string | undefined },
  visitor: Visitor,
): Promise<Session> {
  const { config, db, passwords, refusals } = kit
  const { address } = visitor
  if (given.username.trim() === '' || given.password === '') {
    throw failure('invalid', 'Please enter both username and password')
  }
  const account = await accountByName(db, given.username)
  const keys = await admit(kit, given.username, account, address)
  const admin = account?.disabledAt === null ? account : null
  const isRight = await passwords.matches(given.password, admin?.passwordHash ?? null)
  if (!admin || !isRight) {
    refusals.signIn(account ? 'wrong password' : 'unknown name', account, address)
    throw failure('unauthorized', WRONG)
  }
  const code = given.code?.replaceAll(/\s/g, '') ?? ''
  if (admin.totpSecret !== null && code === '') {
    // Asking for the code is no failed try, but no success either: wrong codes before it stay counted, or a person who
    // knows the password could try one code after the other.
    await uncountTry(db, keys, isoNow(kit))
    throw failure('second_factor', NEED_CODE)
  }
  const isCode = await isCodeRight(kit, admin, code).catch(async (error: unknown) => {
    // Nothing was tried where the key is lost.
    await uncountTry(db, keys, isoNow(kit))
    throw error
  })
  if (!isCode) {
    refusals.signIn('wrong code', admin, address)
    throw failure(
      'second_factor',
      'This code is wrong or was already used. Please enter the next one.',
    )
  }
  const { needsSecondFactor } = config.admin
  if (needsSecondFactor && admin.totpSecret === null && (await hasPasskey(db, admin.id))) {
    await uncountTry(db, keys, isoNow(kit))
    throw failure('unauthorized', NEED_PASSKEY)
  }
  const session = await beginSession(kit, admin, { how: 'password' }, visitor)
  await noteSuccess(kit, keys)
  return session
}

/**
 * Counts a try as failed, by its address and its name.
 *
 * @returns the keys it is counted under
 * @throws AppError `too_many` while this address or this name has to wait
 */
async function admit(
  kit: AdminKit,
  username: string,
  account: StoredAdmin | null,
  address: string,
): Promise<string[]> {
  const { db, clock, refusals } = kit
  const folded = foldUsername(username)
  const isKnown = await hasSignedInFrom(db, folded, address, isoIn(kit, -KNOWN_ADDRESS_MS))
  const keys: [string, TryRule][] = [
    [`address ${networkOf(address)}`, BY_ADDRESS],
    // Strangers who try a name must not keep its owner out: where they have signed in before, they count apart.
    [`name ${sha256(isKnown ? `${folded} ${address}` : folded)}`, BY_NAME],
  ]
  for (const [key, rule] of keys) {
    const until = await countTry(db, key, isoNow(kit), rule)
    if (until === null) continue
    refusals.signIn('locked out', account, address)
    throw tooMany('Too many attempts.', until, clock.now())
  }
  return keys.map(([key]) => key)
}
