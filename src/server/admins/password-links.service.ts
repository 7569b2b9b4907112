import { randomBytes } from 'node:crypto'
import { type PasswordLink } from '#contracts/accounts.ts'
import { failure } from '#server/kit/failure.ts'
import { isoIn, isoNow } from '#server/kit/now.ts'
import { sha256 } from '#server/kit/tokens.ts'
import { endAccess, EVERYTHING, noteAccount } from './account-access.service.ts'
import { accountByLink } from './accounts.store.ts'
import { changeAdmin, lockAdmin, NO_LINK, type StoredAdmin } from './admins.store.ts'
import { type AdminKit } from './open-admins.ts'
import { passwordFault } from './password-fault.ts'

/** A link by which a password is chosen is valid for this long. */
const LINK_MS = 3 * 86_400_000

const INVALID =
  'This link is not valid any more: it has been used, or is older than three days. Please ask an administrator for another one.'

/** A link of 256 random bits: what is kept of it, and what is shown once. It stands behind a `#`, which no server and no log sees. */
export function newLink(kit: AdminKit): {
  columns: Pick<StoredAdmin, 'linkHash' | 'linkExpiresAt'>
  shown: PasswordLink
} {
  const token = randomBytes(32).toString('base64url')
  const expiresAt = isoIn(kit, LINK_MS)
  return {
    columns: { linkHash: sha256(token), linkExpiresAt: expiresAt },
    shown: { path: `/admin/password#${token}`, expires_at: expiresAt },
  }
}

/** Whose password can be chosen by a link. @throws AppError `not_found` */
export async function ownerOfLink(kit: AdminKit, token: string): Promise<StoredAdmin> {
  const found = await accountByLink(kit.db, sha256(token))
  const { linkExpiresAt = null, disabledAt = null } = found ?? {}
  const isOpen = linkExpiresAt !== null && Date.parse(linkExpiresAt) > kit.clock.now()
  if (!found || !isOpen || disabledAt !== null) throw failure('not_found', INVALID)
  return found
}

/** Sets the password that the owner of a link has chosen, and uses the link up. @returns their name */
export async function choosePasswordByLink(
  kit: AdminKit,
  { token, password }: { token: string; password: string },
): Promise<string> {
  const { id, username, linkHash } = await ownerOfLink(kit, token)
  const fault = passwordFault(password, username)
  if (fault !== null) throw failure('invalid', fault, { password: fault })
  const passwordHash = await kit.passwords.hash(password)
  await kit.db.transaction(async (tx) => {
    // Two who use it at the same time: the second finds it used.
    if ((await lockAdmin(tx, id))?.linkHash !== linkHash) throw failure('not_found', INVALID)
    await changeAdmin(tx, id, { passwordHash, ...NO_LINK })
    await endAccess(tx, id, isoNow(kit), EVERYTHING)
    await noteAccount(kit, tx, { id, username }, 'password chosen')
  })
  return username
}
