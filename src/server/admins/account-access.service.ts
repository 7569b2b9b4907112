import { counted } from '#server/kit/counted.ts'
import { failure } from '#server/kit/failure.ts'
import { lockAdmin, type StoredAdmin } from './admins.store.ts'
import { revokeTokens } from './tokens.store.ts'
import { endOtherSessions, isSessionOpen } from './sessions.store.ts'
import { type Db } from '#server/kit/db.ts'
import { dropPasskeys } from './passkeys.store.ts'
import { type Admin, type SignedIn } from '#server/kit/ports.ts'
import { isoNow } from '#server/kit/now.ts'
import { writeAudit, type AuditState } from '#server/kit/audit.ts'
import { type AdminKit } from './open-admins.ts'

/** What of an account has ended. */
export type Ended = {
  readonly sessions: number
  readonly tokens: number
  readonly passkeys: number
}

/** What is to end, and which session of it stays. */
export type Ending = {
  readonly sessions?: boolean
  readonly keptSession?: string | null
  readonly tokens?: boolean
  readonly passkeys?: boolean
}

export const EVERYTHING: Ending = { sessions: true, tokens: true, passkeys: true }

/**
 * Locks the account of a session for a change, and makes sure that the session was not ended since the request began, as by a new
 * password: what ends all ways in must not miss one that is being made.
 *
 * @throws AppError `unauthorized`
 */
export async function lockOwnAccount(
  tx: Db,
  { admin, id }: Pick<SignedIn, 'admin' | 'id'>,
): Promise<StoredAdmin> {
  const found = await lockAdmin(tx, admin.id)
  if (!found || !(await isSessionOpen(tx, id))) throw failure('unauthorized', 'Please sign in.')
  return found
}

/** Writes down what happened to an account. */
export function noteAccount(
  kit: Pick<AdminKit, 'clock'>,
  tx: Db,
  { id, username }: Admin,
  action: string,
  state: { readonly before?: AuditState; readonly after?: AuditState } = {},
): Promise<void> {
  const admin = { id, username }
  return writeAudit(tx, {
    at: isoNow(kit),
    admin,
    action,
    subject: { kind: 'admin', id },
    ...state,
  })
}

/** Ends ways into an account: who got in by one of them is out. Call it in the transaction of the change. */
export async function endAccess(
  tx: Db,
  adminId: number,
  at: string,
  { sessions = false, keptSession = null, tokens = false, passkeys = false }: Ending,
): Promise<Ended> {
  return {
    sessions: sessions ? await endOtherSessions(tx, adminId, keptSession, at) : 0,
    tokens: tokens ? await revokeTokens(tx, adminId, at) : 0,
    passkeys: passkeys ? await dropPasskeys(tx, adminId) : 0,
  }
}

/** What has ended, in words: `Ended: 2 sessions and 1 token.`; where there was nothing, what was to end. */
export function endedText(
  { sessions, tokens, passkeys }: Ended,
  other = false,
  ending: Ending = EVERYTHING,
): string {
  const parts = [
    sessions > 0 ? counted(sessions, other ? 'other session' : 'session') : null,
    tokens > 0 ? counted(tokens, 'token') : null,
    passkeys > 0 ? counted(passkeys, 'passkey') : null,
  ].filter((part) => part !== null)
  const last = parts.pop()
  if (last === undefined) {
    const kinds = [
      ending.sessions ? 'session' : null,
      ending.tokens ? 'token' : null,
      ending.passkeys ? 'passkey' : null,
    ].filter((kind) => kind !== null)
    const lastKind = kinds.pop() ?? ''
    const named = kinds.length > 0 ? `${kinds.join(', ')} or ${lastKind}` : lastKind
    return `There was no ${other ? 'other ' : ''}${named} to end.`
  }
  return `Ended: ${parts.length > 0 ? `${parts.join(', ')} and ${last}` : last}.`
}
