import { counted } from '#server/kit/counted.ts'
import { endAccess, endedText, EVERYTHING, type Ending } from './account-access.service.ts'
import { IDLE_MS } from './sessions.service.ts'
import { type StoredAdmin } from './admins.store.ts'
import { listTokens, revokeToken } from './tokens.store.ts'
import { endSession, liveSessions } from './sessions.store.ts'
import { type AuditState } from '#server/kit/audit.ts'
import { type Db } from '#server/kit/db.ts'
import { dropPasskey, passkeysOf } from './passkeys.store.ts'
import { type Command } from 'commander'

/** `admin access` and `admin revoke`: the ways into an account, and their end. */
export function addAdminAccess(
  admin: Command,
  {
    now,
    withDb,
    known,
    note,
    print,
  }: {
    now: () => string
    withDb: (work: (db: Db) => Promise<void>) => Promise<void>
    /** @throws Error when there is no such account */
    known: (db: Db, username: string) => Promise<StoredAdmin>
    note: (
      tx: Db,
      id: number,
      username: string,
      action: string,
      after?: AuditState,
    ) => Promise<void>
    print: (text: string) => void
  },
): void {
  admin
    .command('access')
    .description('the sessions, tokens and passkeys of an account, with their ids')
    .argument('<username>')
    .action(async (username: string) => {
      await withDb(async (db) => {
        const { id, username: name } = await known(db, username)
        const seenSince = new Date(Date.parse(now()) - IDLE_MS).toISOString()
        const sessions = await liveSessions(db, id, { now: now(), seenSince })
        const tokens = await listTokens(db, id)
        const passkeys = await passkeysOf(db, id)
        const used = (at: string | null): string =>
          at === null ? 'never used' : `last used ${moment(at)}`
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
          print(
            `passkey  ${one.id}  ${one.name}, since ${moment(one.createdAt)}, ${used(one.usedAt)}`,
          )
        }
      })
    })

  admin
    .command('revoke')
    .description('end ways into an account: one by its id (see: admin access), or all of a kind')
    .argument('<username>')
    .argument('[id]')
    .option('--sessions', 'all sessions')
    .option('--tokens', 'all tokens')
    .option('--passkeys', 'all passkeys')
    .option('--all', 'all of them')
    .action(
      async (username: string, id: string | undefined, options: Ending & { all?: boolean }) => {
        const ending = options.all ? EVERYTHING : options
        const isOfKind = Object.keys(options).length > 0
        if ((id === undefined) !== isOfKind) {
          throw new Error('Please name one id, or --sessions, --tokens, --passkeys or --all.')
        }
        await withDb(async (db) => {
          const found = await known(db, username)
          await db.transaction(async (tx) => {
            if (id === undefined) {
              const ended = await endAccess(tx, found.id, now(), ending)
              await note(tx, found.id, found.username, 'access revoked', { ...ended })
              return print(endedText(ended, false, ending))
            }
            const what = await revokeOne(tx, found.id, id, now())
            if (what === null) throw new Error(`${found.username} has nothing of the id ${id}.`)
            await note(tx, found.id, found.username, 'access revoked', { what })
            print(`Ended: ${what}.`)
          })
        })
      },
    )
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
