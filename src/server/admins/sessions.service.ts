import { randomBytes, randomUUID } from 'node:crypto'
import { type Right } from '#contracts/access.ts'
import { type Db } from '#server/kit/db.ts'
import { failure } from '#server/kit/failure.ts'
import { isoIn, isoNow } from '#server/kit/now.ts'
import { type SignedIn } from '#server/kit/ports.ts'
import { sha256 } from '#server/kit/tokens.ts'
import { troubleOf } from '#server/kit/trouble.ts'
import { endAccess, endedText, noteAccount } from './account-access.service.ts'
import { lockAdmin, type StoredAdmin } from './admins.store.ts'
import { type AdminKit } from './open-admins.ts'
import { hasPasskey, passkeyById } from './passkeys.store.ts'
import { addSession, endSession, noteSeen, sessionByHash } from './sessions.store.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** A session ends after this, used or not. */
const SESSION_MS = 7 * DAY_MS
/** A session that was not used for this long has ended. */
export const IDLE_MS = DAY_MS / 2
/** How exactly the last use is kept. */
const SEEN_EVERY_MS = MINUTE_MS

const CHANGED = 'This account has changed in the meantime. Please sign in again.'

/** How a person signed in. */
type Way = { readonly how: 'password' } | { readonly how: 'passkey'; readonly passkeyId: string }

/** Where a try to sign in comes from. */
export type Visitor = { readonly address: string; readonly agent: string }

export type Session = { readonly token: string; readonly username: string }

/**
 * Begins a session of a person who has just proved who they are.
 *
 * @param admin the account as it was when that was checked
 * @throws AppError `unauthorized` when the account has changed since
 */
export async function beginSession(
  kit: AdminKit,
  admin: StoredAdmin,
  way: Way,
  { address, agent }: Visitor,
): Promise<Session> {
  const token = randomBytes(32).toString('base64url')
  const { how } = way
  await kit.db.transaction(async (tx) => {
    const found = await lockAdmin(tx, admin.id)
    if (!found || !(await isStillRight(kit, tx, way, admin, found)))
      throw failure('unauthorized', CHANGED)
    await addSession(tx, {
      id: randomUUID(),
      tokenHash: sha256(token),
      adminId: admin.id,
      how,
      address,
      agent: agent.slice(0, 300),
      createdAt: isoNow(kit),
      expiresAt: isoIn(kit, SESSION_MS),
    })
    await noteAccount(kit, tx, admin, 'signed in', { after: { how, address } })
  })
  kit.refusals.signIn('signed in', admin, address)
  return { token, username: admin.username }
}

/** Whether that way of signing in still opens the account, whose row is locked. */
async function isStillRight(
  { config }: AdminKit,
  tx: Db,
  way: Way,
  seen: StoredAdmin,
  found: StoredAdmin,
): Promise<boolean> {
  if (way.how === 'passkey') return (await passkeyById(tx, way.passkeyId))?.adminId === found.id
  if (seen.passwordHash !== found.passwordHash || seen.totpSecret !== found.totpSecret) return false
  const { needsSecondFactor } = config.admin
  return !needsSecondFactor || found.totpSecret !== null || !(await hasPasskey(tx, found.id))
}

/** Who the token of a cookie belongs to; null when its session has ended or never was. */
export async function signedInBySession(kit: AdminKit, token: string): Promise<SignedIn | null> {
  const given = { now: isoNow(kit), seenSince: isoIn(kit, -IDLE_MS) }
  const found = await sessionByHash(kit.db, sha256(token), given)
  if (!found) return null
  const { seenAt, ...known } = found
  await noteUse(kit, seenAt, () => noteSeen(kit.db, known.id, isoNow(kit)))
  return { ...known, by: 'session', scopes: null }
}

/** Notes the last use of a session or token. That it cannot be noted is no reason to refuse a call: with a full disk administrators still read. */
export async function noteUse(
  { clock, outages, log }: AdminKit,
  lastAt: string | null,
  note: () => Promise<void>,
): Promise<void> {
  if (lastAt !== null && Date.parse(lastAt) + SEEN_EVERY_MS >= clock.now()) return
  await note().catch((error: unknown) => {
    if (outages.notice(error) !== null) return
    const { said } = troubleOf(error)
    log.warn({ said }, 'the last use of a session or token could not be noted')
  })
}

/** Whether this right is kept back until a second factor is set up. */
export function isHeldBack(
  { config }: AdminKit,
  { hasSecondFactor }: Pick<SignedIn, 'hasSecondFactor'>,
  right: Right,
): boolean {
  const isNeeded = config.admin.needsSecondFactor && !hasSecondFactor
  return isNeeded && right !== 'account' && right !== 'signed-in'
}

export async function signOut(kit: AdminKit, signedIn: SignedIn): Promise<void> {
  if (signedIn.by !== 'session') return
  await kit.db.transaction(async (tx) => {
    await endSession(tx, signedIn.admin.id, signedIn.id, isoNow(kit))
    await noteAccount(kit, tx, signedIn.admin, 'signed out')
  })
}

/** Ends all sessions, this one included, and all tokens. @returns what to say */
export async function signOutOfAll(kit: AdminKit, { admin }: SignedIn): Promise<string> {
  return kit.db.transaction(async (tx) => {
    const ended = await endAccess(tx, admin.id, isoNow(kit), { sessions: true, tokens: true })
    await noteAccount(kit, tx, admin, 'signed out everywhere', { after: ended })
    return `${endedText(ended)} Passkeys stay.`
  })
}

/** @throws AppError `not_found` */
export async function endOwnSession(
  kit: AdminKit,
  { admin }: SignedIn,
  session: string,
): Promise<void> {
  await kit.db.transaction(async (tx) => {
    if (!(await endSession(tx, admin.id, session, isoNow(kit)))) {
      throw failure('not_found', 'You have no such session.')
    }
    await noteAccount(kit, tx, admin, 'session ended', { after: { session } })
  })
}
