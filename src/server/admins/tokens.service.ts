import { randomBytes, randomUUID } from 'node:crypto'
import { NEED_SECOND_FACTOR, scopesOf, type Scope } from '#contracts/access.ts'
import { failure } from '#server/kit/failure.ts'
import { isoIn, isoNow } from '#server/kit/now.ts'
import { type SignedIn } from '#server/kit/ports.ts'
import { sha256 } from '#server/kit/tokens.ts'
import { lockOwnAccount, noteAccount } from './account-access.service.ts'
import { type AdminKit } from './open-admins.ts'
import { isHeldBack, noteUse } from './sessions.service.ts'
import { addToken, listTokens, noteTokenUsed, revokeToken, tokenByHash } from './tokens.store.ts'

const DAY_MS = 86_400_000
const MOST_TOKENS = 50

/** Who a bearer token belongs to; null when it has ended or never was. */
export async function signedInByToken(kit: AdminKit, token: string): Promise<SignedIn | null> {
  const found = await tokenByHash(kit.db, sha256(token), isoNow(kit))
  if (!found) return null
  const { usedAt, ...known } = found
  await noteUse(kit, usedAt, () => noteTokenUsed(kit.db, known.id, isoNow(kit)))
  return { ...known, by: 'token' }
}

/** Call it once the owner has been asked to prove who they are. @returns the token, which is stored only as its hash */
export async function createOwnToken(
  kit: AdminKit,
  signedIn: SignedIn,
  { name, days, scopes }: { name: string; days: number; scopes: readonly Scope[] },
): Promise<string> {
  const { admin, role } = signedIn
  // It would outlast this state, and open what is kept back until there is a second factor.
  if (isHeldBack(kit, signedIn, 'read')) throw failure('forbidden', NEED_SECOND_FACTOR)
  const beyond = scopes.find((scope) => !scopesOf(role).includes(scope))
  if (beyond !== undefined) {
    const wrong = `A ${role} cannot make a token for ${beyond}.`
    throw failure('invalid', wrong, { scopes: wrong })
  }
  const token = `pop_${randomBytes(32).toString('base64url')}`
  await kit.db.transaction(async (tx) => {
    await lockOwnAccount(tx, signedIn)
    if ((await listTokens(tx, admin.id)).length >= MOST_TOKENS) {
      throw failure('conflict', 'You have 50 tokens. Please revoke one first.')
    }
    await addToken(tx, {
      id: randomUUID(),
      tokenHash: sha256(token),
      adminId: admin.id,
      name,
      createdAt: isoNow(kit),
      scopes: [...scopes],
      expiresAt: isoIn(kit, days * DAY_MS),
    })
    await noteAccount(kit, tx, admin, 'token created', { after: { name, days, scopes } })
  })
  return token
}

/** @throws AppError `not_found` */
export async function revokeOwnToken(
  kit: AdminKit,
  { admin }: SignedIn,
  id: string,
): Promise<void> {
  await kit.db.transaction(async (tx) => {
    const name = await revokeToken(tx, admin.id, id, isoNow(kit))
    if (name === null) throw failure('not_found', 'You have no such token.')
    await noteAccount(kit, tx, admin, 'token revoked', { after: { name } })
  })
}
