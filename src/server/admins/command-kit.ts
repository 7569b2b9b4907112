import { type Db } from '#server/kit/db.ts'
import { isoNow } from '#server/kit/now.ts'
import { type Clock } from '#server/kit/ports.ts'
import { writeAudit, type AuditState } from '#server/kit/audit.ts'
import { accountByName, type StoredAdmin } from './admins.store.ts'

/** What the commands about accounts need. */
export type CommandKit = {
  readonly clock: Clock
  readonly withDb: (work: (db: Db) => Promise<void>) => Promise<void>
  readonly print: (text: string) => void
  /** Asks for what the screen must not show. */
  readonly readPassword: (question: string) => Promise<string>
}

/** @throws Error with a sentence when there is no such account */
export async function knownAccount(db: Db, username: string): Promise<StoredAdmin> {
  const found = await accountByName(db, username)
  if (!found) throw new Error(`There is no account ${username}. See: admin list`)
  return found
}

/** Changes an account in one transaction, and prints what has happened once that is sure. */
export async function changeAccount(
  { withDb, print }: CommandKit,
  username: string,
  change: (tx: Db, found: StoredAdmin) => Promise<string[]>,
): Promise<void> {
  await withDb(async (db) => {
    const lines = await db.transaction(async (tx) => change(tx, await knownAccount(tx, username)))
    for (const line of lines) print(line)
  })
}

export async function noteCommand(
  kit: Pick<CommandKit, 'clock'>,
  tx: Db,
  { id, username }: Pick<StoredAdmin, 'id' | 'username'>,
  action: string,
  after: AuditState = null,
): Promise<void> {
  await writeAudit(tx, {
    at: isoNow(kit),
    admin: null,
    username: 'command line',
    action,
    subject: { kind: 'admin', id },
    after: { username, ...after },
  })
}
