import { randomBytes } from 'node:crypto'
import { type Role } from '#contracts/access.ts'
import { type PasswordLink, LONGEST_USERNAME } from '#contracts/accounts.ts'
import { writeAudit, type AuditState, type SignedIn } from '#server/kit/admin.ts'
import { type Db } from '#server/kit/db.ts'
import { failure, invalid } from '#server/kit/failure.ts'
import { USERNAME } from '#server/kit/settings/admins.ts'
import { isoIn, isoNow } from '#server/kit/time.ts'
import { sha256 } from '#server/kit/tokens.ts'
import * as store from './admins.store.ts'
import { passwordFault } from './common-passwords.ts'
import { proveOwner } from './second-factor.service.ts'
import * as sessions from './sessions.service.ts'

const LINK_MS = 3 * 86_400_000

const INVALID =
  'This link is no longer valid: it has been used or is more than three days old. Please ask an administrator for a new one.'

/**
 * Password link of 256 random bits: the stored hash, and the secret, shown once. The URL has it behind a `#`,
 * which browsers do not send to servers.
 */
function newLink(kit: sessions.AdminKit) {
  const token = randomBytes(32).toString('base64url')
  const expiresAt = isoIn(kit, LINK_MS)
  return {
    columns: { linkHash: sha256(token), linkExpiresAt: expiresAt },
    link: { path: `/admin/password#${token}`, expires_at: expiresAt },
  }
}

/** The account of a password link. @throws AppError `not_found` */
export async function ownerOfLink(kit: sessions.AdminKit, token: string) {
  const found = await store.accountByLink(kit.db, sha256(token))
  const { linkExpiresAt = null, disabledAt = null } = found ?? {}
  const isOpen = linkExpiresAt !== null && Date.parse(linkExpiresAt) > kit.clock.now()
  if (!found || !isOpen || disabledAt !== null) throw failure('not_found', INVALID)
  return found
}

/** Sets the password chosen by link and invalidates the link. @returns the account's name */
export async function choosePasswordByLink(
  kit: sessions.AdminKit,
  { token, password }: { token: string; password: string },
): Promise<string> {
  const { id, username, linkHash } = await ownerOfLink(kit, token)
  const fault = passwordFault(password, username)
  if (fault !== null) throw invalid({ password: fault })
  const passwordHash = await kit.passwords.hash(password)
  await kit.db.transaction(async (tx) => {
    // If two requests use the link at once, the second fails.
    if ((await store.lockAdmin(tx, id))?.linkHash !== linkHash) throw failure('not_found', INVALID)
    await store.changeAdmin(tx, id, { passwordHash, ...store.NO_LINK })
    await sessions.endAccess(tx, id, isoNow(kit), sessions.EVERYTHING)
    await sessions.noteAccount(kit, tx, { id, username }, 'password chosen')
  })
  return username
}

/** The password, and a code if a second factor is set up. */
type Proof = { readonly password: string; readonly code?: string | undefined }

/** Actions on accounts, for the audit log and messages. */
type Done = { readonly action: string; readonly after: AuditState; readonly message: string }

export const NAME_RULE =
  'A user name consists of letters, digits and . _ @ -, starts with a letter or digit, and has at most 64 characters.'

/** A new name in its normal form; null if it breaks the rule. */
export function readUsername(text: string): string | null {
  const name = text.normalize('NFKC').trim()
  return USERNAME.test(name) && name.length <= LONGEST_USERNAME ? name : null
}

export async function allAccounts(kit: sessions.AdminKit, { admin }: SignedIn) {
  const now = isoNow(kit)
  const rows = await store.accountRows(kit.db, { now, seenSince: isoIn(kit, -sessions.IDLE_MS) })
  return {
    now,
    accounts: rows.map((row) => ({ ...row, own: row.id === admin.id })),
  }
}

export async function makeAccount(
  kit: sessions.AdminKit,
  signedIn: SignedIn,
  input: Proof & { username: string; role: Role },
): Promise<{ message: string; link: PasswordLink }> {
  const username = readUsername(input.username)
  if (username === null) throw invalid({ username: NAME_RULE })
  await proveOwner(kit, signedIn, input)
  const { role } = input
  const passwordHash = await unknownPassword(kit)
  const { columns, link } = newLink(kit)
  await kit.db.transaction(async (tx) => {
    await lockAdministrator(tx, signedIn)
    const createdAt = isoNow(kit)
    const added = { username, role, passwordHash, fromEnvironment: false, createdAt }
    const id = await store.addAdmin(tx, added)
    if (id === null) {
      const taken = `There is already an account ${username}.`
      throw failure('conflict', taken, { username: taken })
    }
    await store.changeAdmin(tx, id, columns)
    const done = { action: 'admin created', after: { username, role } }
    await note(kit, tx, signedIn, id, done)
  })
  return { message: `Account ${username} created. Send them the link.`, link }
}

export async function makeLink(
  kit: sessions.AdminKit,
  signedIn: SignedIn,
  id: number,
  input: Proof & { drop_second_factor: boolean },
): Promise<{ message: string; link: PasswordLink }> {
  const passwordHash = await unknownPassword(kit)
  const { columns, link } = newLink(kit)
  const drops = input.drop_second_factor
  const message = await changeOther(kit, signedIn, id, input, async (_kit, tx, found) => {
    if (found.fromEnvironment) {
      throw failure(
        'conflict',
        `The password of ${found.username} comes from ADMIN_PASSWORD_HASH in the environment. Please change it there.`,
      )
    }
    if (found.disabledAt !== null) {
      throw failure('conflict', `${found.username} is disabled. Please enable the account first.`)
    }
    await store.changeAdmin(tx, id, {
      passwordHash,
      ...columns,
      ...(drops && store.NO_SECOND_FACTOR),
    })
    const ended = await sessions.endAccess(tx, id, isoNow(kit), sessions.EVERYTHING)
    return {
      action: 'password link made',
      after: { ...ended, second_factor_removed: drops },
      message: `${found.username} can choose a new password by the link. ${sessions.endedText(ended)}`,
    }
  })
  return { message, link }
}

/** Changes a locked account row; used by administrators and the command line. */
export type AccountChange = (
  kit: Pick<sessions.AdminKit, 'clock'>,
  tx: Db,
  found: store.StoredAdmin,
) => Promise<Done>

export function roleChange(role: Role): AccountChange {
  return async (_kit, tx, { id, username }) => {
    await store.changeAdmin(tx, id, { role })
    const message = `${username} is now ${role === 'administrator' ? 'an' : 'a'} ${role}.`
    return { action: 'role set', after: { role }, message }
  }
}

export const enabling: AccountChange = async (_kit, tx, { id, username, disabledAt }) => {
  if (disabledAt === null) throw failure('conflict', `${username} is not disabled.`)
  await store.changeAdmin(tx, id, { disabledAt: null })
  return { action: 'admin enabled', after: {}, message: `${username} can sign in again.` }
}

export const disabling: AccountChange = async (kit, tx, { id, username, disabledAt }) => {
  if (disabledAt !== null) throw failure('conflict', `${username} is already disabled.`)
  // Existing password links must not work once the account is enabled again.
  await store.changeAdmin(tx, id, { disabledAt: isoNow(kit), ...store.NO_LINK })
  const ended = await sessions.endAccess(tx, id, isoNow(kit), sessions.EVERYTHING)
  const message = `${username} can no longer sign in. ${sessions.endedText(ended)}`
  return { action: 'admin disabled', after: ended, message }
}

export function endSessionsOf(kit: sessions.AdminKit, signedIn: SignedIn, id: number) {
  return changeOther(kit, signedIn, id, null, async (_kit, tx, { username }) => {
    const ended = await sessions.endAccess(tx, id, isoNow(kit), { sessions: true })
    const message = `${username} is signed out. ${sessions.endedText(ended, false, { sessions: true })}`
    return { action: 'sessions ended', after: { sessions: ended.sessions }, message }
  })
}

/**
 * Changes the account of another person in one transaction. Refusing changes to one's own account ensures that an
 * administrator always remains.
 * @param proof null if the session suffices
 * @throws AppError `conflict` for one's own account
 */
export async function changeOther(
  kit: sessions.AdminKit,
  signedIn: SignedIn,
  id: number,
  proof: Proof | null,
  change: AccountChange,
): Promise<string> {
  if (proof) await proveOwner(kit, signedIn, proof)
  return kit.db.transaction(async (tx) => {
    const all = await lockAdministrator(tx, signedIn)
    const found = all.find((one) => one.id === id)
    if (!found) throw failure('not_found', 'There is no such account.')
    if (found.id === signedIn.admin.id) {
      throw failure(
        'conflict',
        'This is your own account. Another administrator has to change it, so that one always remains.',
      )
    }
    const done = await change(kit, tx, found)
    await note(kit, tx, signedIn, id, {
      ...done,
      after: { username: found.username, ...done.after },
    })
    return done.message
  })
}

/** Locks all accounts and verifies that the caller is still a signed-in administrator. @returns the accounts */
async function lockAdministrator(tx: Db, signedIn: SignedIn): Promise<store.StoredAdmin[]> {
  const all = await store.lockAccounts(tx)
  const { role } = await sessions.lockOwnAccount(tx, signedIn)
  if (role !== 'administrator') throw failure('forbidden', 'This needs an administrator.')
  return all
}

function note(
  kit: sessions.AdminKit,
  tx: Db,
  { admin }: SignedIn,
  id: number,
  { action, after }: Omit<Done, 'message'>,
): Promise<void> {
  return writeAudit(tx, { at: isoNow(kit), admin, action, subject: { kind: 'admin', id }, after })
}

function unknownPassword({ passwords }: sessions.AdminKit): Promise<string> {
  return passwords.hash(randomBytes(32).toString('base64url'))
}
