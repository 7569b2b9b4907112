import { randomBytes } from 'node:crypto'
import { LONGEST_USERNAME } from '#contracts/admins.ts'
import { type Role } from '#contracts/access.ts'
import { type listAccounts, type PasswordLink } from '#contracts/accounts.ts'
import { type Db } from '#server/kit/db.ts'
import { writeAudit, type AuditState } from '#server/kit/audit.ts'
import { failure } from '#server/kit/failure.ts'
import { iso, isoOrNull } from '#server/kit/iso.ts'
import { isoIn, isoNow } from '#server/kit/now.ts'
import { type SignedIn } from '#server/kit/ports.ts'
import { USERNAME } from '#server/kit/settings/admins.ts'
import { type z } from 'zod'
import { endAccess, endedText, EVERYTHING, lockOwnAccount } from './account-access.service.ts'
import { accountRows, lockAccounts } from './accounts.store.ts'
import { addAdmin, changeAdmin, NO_LINK, type StoredAdmin } from './admins.store.ts'
import { type AdminKit } from './open-admins.ts'
import { newLink } from './password-links.service.ts'
import { proveOwner } from './second-factor.service.ts'
import { IDLE_MS } from './sessions.service.ts'

/** What an administrator proves themselves with before an account changes. */
type Proof = { readonly password: string; readonly code?: string | undefined }

/** What was done to an account: for the audit log, and to say. */
type Done = { readonly action: string; readonly after: AuditState; readonly message: string }

export const NAME_RULE =
  'A user name has letters, digits and . _ @ -, begins with a letter or digit, and has at most 64 of them.'

export async function allAccounts(
  kit: AdminKit,
  { admin }: SignedIn,
): Promise<z.input<typeof listAccounts.reply>> {
  const now = isoNow(kit)
  const rows = await accountRows(kit.db, { now, seenSince: isoIn(kit, -IDLE_MS) })
  return {
    now,
    accounts: rows.map((row) => ({
      id: row.id,
      username: row.username,
      role: row.role,
      own: row.id === admin.id,
      second_factor: row.hasSecondFactor,
      from_environment: row.fromEnvironment,
      created_at: iso(row.createdAt),
      disabled_at: isoOrNull(row.disabledAt),
      link_expires_at: isoOrNull(row.linkExpiresAt),
      sessions: row.disabledAt === null ? row.sessions : 0,
      tokens: row.disabledAt === null ? row.tokens : 0,
      seen_at: isoOrNull(row.seenAt),
    })),
  }
}

/** Makes an account without a password, and the link by which its owner chooses one. */
export async function makeAccount(
  kit: AdminKit,
  signedIn: SignedIn,
  given: Proof & { username: string; role: Role },
): Promise<{ message: string; link: PasswordLink }> {
  const username = given.username.normalize('NFKC').trim()
  if (!USERNAME.test(username) || username.length > LONGEST_USERNAME) {
    throw failure('invalid', NAME_RULE, { username: NAME_RULE })
  }
  await proveOwner(kit, signedIn, given)
  const { role } = given
  const passwordHash = await unknownPassword(kit)
  const link = newLink(kit)
  await kit.db.transaction(async (tx) => {
    await lockAdministrator(tx, signedIn)
    const createdAt = isoNow(kit)
    const added = { username, role, passwordHash, fromEnvironment: false, createdAt }
    const id = await addAdmin(tx, added)
    if (id === null) {
      const taken = `There is an account ${username} already.`
      throw failure('conflict', taken, { username: taken })
    }
    await changeAdmin(tx, id, link.columns)
    const done = { action: 'admin created', after: { username, role } }
    await note(kit, tx, signedIn, id, done)
  })
  return { message: `The account of ${username} is made. Send them the link.`, link: link.shown }
}

/** For a lost password: nothing of before opens the account any more, and its owner chooses another one by the link. */
export async function makeLink(
  kit: AdminKit,
  signedIn: SignedIn,
  id: number,
  given: Proof & { drop_second_factor: boolean },
): Promise<{ message: string; link: PasswordLink }> {
  const passwordHash = await unknownPassword(kit)
  const link = newLink(kit)
  const drops = given.drop_second_factor
  const message = await changeOther(kit, signedIn, id, given, async (tx, found) => {
    if (found.fromEnvironment) {
      throw failure(
        'conflict',
        `The password of ${found.username} comes from ADMIN_PASSWORD_HASH in the environment. Please change it there.`,
      )
    }
    if (found.disabledAt !== null) {
      throw failure('conflict', `${found.username} is disabled. Please enable the account first.`)
    }
    await changeAdmin(tx, id, {
      passwordHash,
      ...link.columns,
      ...(drops ? { totpSecret: null, totpPending: null, recoveryCodes: [] } : {}),
    })
    const ended = await endAccess(tx, id, isoNow(kit), EVERYTHING)
    return {
      action: 'password link made',
      after: { ...ended, second_factor_removed: drops },
      message: `${found.username} can choose another password by the link. ${endedText(ended)}`,
    }
  })
  return { message, link: link.shown }
}

export function setRole(
  kit: AdminKit,
  signedIn: SignedIn,
  id: number,
  given: Proof & { role: Role },
): Promise<string> {
  const { role } = given
  return changeOther(kit, signedIn, id, given, async (tx, { username }) => {
    await changeAdmin(tx, id, { role })
    const message = `${username} is ${role === 'administrator' ? 'an' : 'a'} ${role} from now on.`
    return { action: 'role set', after: { role }, message }
  })
}

export function setEnabled(
  kit: AdminKit,
  signedIn: SignedIn,
  id: number,
  isEnabled: boolean,
  proof: Proof,
): Promise<string> {
  return changeOther(kit, signedIn, id, proof, async (tx, { username, disabledAt }) => {
    if (isEnabled === (disabledAt === null)) {
      throw failure(
        'conflict',
        `${username} is ${isEnabled ? 'not disabled' : 'disabled already'}.`,
      )
    }
    // A link that was made before opens nothing once the account is enabled again.
    await changeAdmin(
      tx,
      id,
      isEnabled ? { disabledAt: null } : { disabledAt: isoNow(kit), ...NO_LINK },
    )
    if (isEnabled) {
      return { action: 'admin enabled', after: {}, message: `${username} can sign in again.` }
    }
    const ended = await endAccess(tx, id, isoNow(kit), EVERYTHING)
    const message = `${username} cannot sign in any more. ${endedText(ended)}`
    return { action: 'admin disabled', after: ended, message }
  })
}

/** Needs no password: it keeps a person out for no longer than they take to sign in. */
export function endSessionsOf(kit: AdminKit, signedIn: SignedIn, id: number): Promise<string> {
  return changeOther(kit, signedIn, id, null, async (tx, { username }) => {
    const ended = await endAccess(tx, id, isoNow(kit), { sessions: true })
    const message = `${username} is signed out. ${endedText(ended, false, { sessions: true })}`
    return { action: 'sessions ended', after: { sessions: ended.sessions }, message }
  })
}

/**
 * Changes the account of another person in one transaction. One's own is never changed here: so there is always an
 * administrator left, the one who has just made the change.
 *
 * @param proof null where the session is enough
 * @throws AppError `conflict` for one's own account
 */
async function changeOther(
  kit: AdminKit,
  signedIn: SignedIn,
  id: number,
  proof: Proof | null,
  work: (tx: Db, found: StoredAdmin) => Promise<Done>,
): Promise<string> {
  if (proof) await proveOwner(kit, signedIn, proof)
  return kit.db.transaction(async (tx) => {
    const all = await lockAdministrator(tx, signedIn)
    const found = all.find((one) => one.id === id)
    if (!found) throw failure('not_found', 'There is no such account.')
    if (found.id === signedIn.admin.id) {
      throw failure(
        'conflict',
        'This is your own account: another administrator has to change it, so that one is always left.',
      )
    }
    const done = await work(tx, found)
    await note(kit, tx, signedIn, id, {
      ...done,
      after: { username: found.username, ...done.after },
    })
    return done.message
  })
}

/** Locks all accounts, and makes sure that who asks is still signed in, and an administrator. @returns the accounts */
async function lockAdministrator(tx: Db, signedIn: SignedIn): Promise<StoredAdmin[]> {
  const all = await lockAccounts(tx)
  const { role } = await lockOwnAccount(tx, signedIn)
  if (role !== 'administrator') throw failure('forbidden', 'This needs an administrator.')
  return all
}

function note(
  kit: AdminKit,
  tx: Db,
  { admin }: SignedIn,
  id: number,
  { action, after }: Omit<Done, 'message'>,
): Promise<void> {
  return writeAudit(tx, { at: isoNow(kit), admin, action, subject: { kind: 'admin', id }, after })
}

/** The hash of a password that is not known to anyone. */
function unknownPassword({ passwords }: AdminKit): Promise<string> {
  return passwords.hash(randomBytes(32).toString('base64url'))
}
