import { counted } from '#server/kit/counted.ts'
import { endAccess, endedText, EVERYTHING, type Ending } from './account-access.service.ts'
import { changeAccount, knownAccount, noteCommand, type CommandKit } from './command-kit.ts'
import { isoIn, isoNow } from '#server/kit/now.ts'
import { IDLE_MS } from './sessions.service.ts'
import { endSession, liveSessions } from './sessions.store.ts'
import { listTokens, revokeToken } from './tokens.store.ts'
import { type Db } from '#server/kit/db.ts'
import { dropPasskey, passkeysOf } from './passkeys.store.ts'
import { type Command } from 'commander'

/** `admin access` and `admin revoke`: the ways into an account, and their end. */
export function addAdminAccess(admin: Command, kit: CommandKit): void {
  admin
    .command('access')
    .description('the sessions, tokens and passkeys of an account, with their ids')
    .argument('<username>')
    .action((username: string) => listAccess(kit, username))
  admin
    .command('revoke')
    .description('end ways into an account: one by its id (see: admin access), or all of a kind')
    .argument('<username>')
    .argument('[id]')
    .option('--sessions', 'all sessions')
    .option('--tokens', 'all tokens')
    .option('--passkeys', 'all passkeys')
    .option('--all', 'all of them')
    .action((username: string, id: string | undefined, options: Ending & { all?: boolean }) =>
      revoke(kit, username, id, options),
    )
}

async function listAccess(kit: CommandKit, username: string): Promise<void> {
  const { print } = kit
  await kit.withDb(async (db) => {
    const { id, username: name } = await knownAccount(db, username)
    const seenSince = isoIn(kit, -IDLE_MS)
    const sessions = await liveSessions(db, id, { now: isoNow(kit), seenSince })
    const tokens = await listTokens(db, id)
    const passkeys = await passkeysOf(db, id)
    print(
      `${name}: ${counted(sessions.length, 'session')}, ${counted(tokens.length, 'token')}, ${counted(passkeys.length, 'passkey')}`,
    )
    for (const one of sessions) {
      print(
        `session  ${one.id}  by ${one.how} from ${one.address}, since ${moment(one.createdAt)}, ${used(one.seenAt)}`,
      )
    }
    for (const one of tokens) {
      print(
        `token    ${one.id}  ${one.name} (${one.scopes.join(', ')}), ${used(one.usedAt)}, until ${moment(one.expiresAt)}`,
      )
    }
    for (const one of passkeys) {
      print(`passkey  ${one.id}  ${one.name}, since ${moment(one.createdAt)}, ${used(one.usedAt)}`)
    }
  })
}

async function revoke(
  kit: CommandKit,
  username: string,
  id: string | undefined,
  options: Ending & { all?: boolean },
): Promise<void> {
  const ending = options.all ? EVERYTHING : options
  const isOfKind = Object.keys(options).length > 0
  if ((id === undefined) !== isOfKind) {
    throw new Error('Please name one id, or --sessions, --tokens, --passkeys or --all.')
  }
  await changeAccount(kit, username, async (tx, found) => {
    if (id === undefined) {
      const ended = await endAccess(tx, found.id, isoNow(kit), ending)
      await noteCommand(kit, tx, found, 'access revoked', ended)
      return [endedText(ended, false, ending)]
    }
    const what = await revokeOne(tx, found.id, id, isoNow(kit))
    if (what === null) throw new Error(`${found.username} has nothing of the id ${id}.`)
    await noteCommand(kit, tx, found, 'access revoked', { what })
    return [`Ended: ${what}.`]
  })
}

/** @returns what it was; null when there is nothing of this id */
async function revokeOne(tx: Db, adminId: number, id: string, at: string): Promise<string | null> {
  if (/^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i.test(id)) {
    if (await endSession(tx, adminId, id, at)) return 'a session'
    const token = await revokeToken(tx, adminId, id, at)
    if (token !== null) return `the token ${token}`
  }
  const passkey = await dropPasskey(tx, adminId, id)
  return passkey === null ? null : `the passkey ${passkey}`
}

function moment(at: string): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

const used = (at: string | null): string => (at === null ? 'never used' : `last used ${moment(at)}`)
