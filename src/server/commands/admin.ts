import { LONGEST_USERNAME } from '#contracts/sign-in.ts'
import { USERNAME } from '#server/admin-settings.ts'
import { type Clock } from '#server/ports.ts'
import { passwordFault } from '#server/services/account.ts'
import { passwordHasher } from '#server/services/passwords.ts'
import {
  addAdmin,
  changeAdmin,
  endOtherSessions,
  foldUsername,
  listAdmins,
  type StoredAdmin,
} from '#server/store/admins.ts'
import { writeAudit } from '#server/store/audit.ts'
import { type Db } from '#server/store/database.ts'
import { type Command } from 'commander'
import { readHidden } from './read-hidden.ts'

/** `admin …`: who may sign in. Passwords are typed or come by standard input, never as an argument. */
export function addAdmins(
  program: Command,
  {
    clock,
    withDb,
    print,
  }: {
    clock: Clock
    withDb: (work: (db: Db) => Promise<void>) => Promise<void>
    print: (text: string) => void
  },
): void {
  const admin = program.command('admin').description('who may administer the site')
  const passwords = passwordHasher()
  const now = (): string => new Date(clock.now()).toISOString()

  admin
    .command('create')
    .description('make an administrator; the password is asked for, or read from standard input')
    .argument('<username>')
    .action(async (given: string) => {
      const username = given.normalize('NFKC').trim()
      if (!USERNAME.test(username) || username.length > LONGEST_USERNAME) {
        throw new Error(
          'A user name has letters, digits and . _ @ -, begins with a letter or digit, and has at most 64 of them.',
        )
      }
      const passwordHash = await passwords.hash(await newPassword(username))
      await withDb(async (db) => {
        await db.transaction(async (tx) => {
          const at = now()
          const id = await addAdmin(tx, {
            username,
            passwordHash,
            fromEnvironment: false,
            createdAt: at,
          })
          if (id === null) {
            throw new Error(`There is an administrator ${username} already. See: admin password`)
          }
          await note(tx, id, username, 'admin created')
        })
        print(`${username} can sign in at /admin.`)
      })
    })

  admin
    .command('password')
    .description('set the password of an administrator, and sign them out everywhere')
    .argument('<username>')
    .option('--drop-second-factor', 'for a lost authenticator')
    .action(async (username: string, options: { dropSecondFactor?: boolean }) => {
      const passwordHash = await passwords.hash(await newPassword(username))
      await withDb(async (db) => {
        const found = await known(db, username)
        if (found.fromEnvironment) {
          throw new Error(`The password of ${found.username} comes from ADMIN_PASSWORD_HASH.`)
        }
        await db.transaction(async (tx) => {
          await changeAdmin(tx, found.id, {
            passwordHash,
            disabledAt: null,
            ...(options.dropSecondFactor ? { totpSecret: null, totpPending: null } : {}),
          })
          await endOtherSessions(tx, found.id, null, now())
          await note(tx, found.id, found.username, 'password set')
        })
        print(`The password of ${found.username} is set; all their sessions have ended.`)
      })
    })

  admin
    .command('disable')
    .description('keep an administrator from signing in; what they did stays on record')
    .argument('<username>')
    .action(async (username: string) => {
      await withDb(async (db) => {
        const found = await known(db, username)
        await db.transaction(async (tx) => {
          await changeAdmin(tx, found.id, { disabledAt: now() })
          await endOtherSessions(tx, found.id, null, now())
          await note(tx, found.id, found.username, 'admin disabled')
        })
        print(`${found.username} cannot sign in any more.`)
      })
    })

  admin
    .command('list')
    .description('who may sign in')
    .action(async () => {
      await withDb(async (db) => {
        const all = await listAdmins(db)
        for (const one of all) print(describe(one))
        if (all.length === 0) print('Nobody yet. See: admin create')
      })
    })

  admin
    .command('hash')
    .description('print the hash of a password, for ADMIN_PASSWORD_HASH')
    .action(async () => print(await passwords.hash(await newPassword(''))))

  async function note(tx: Db, id: number, username: string, action: string): Promise<void> {
    await writeAudit(tx, {
      at: now(),
      admin: null,
      username: 'command line',
      action,
      subject: { kind: 'admin', id },
      after: { username },
    })
  }
}

async function known(db: Db, username: string): Promise<StoredAdmin> {
  const found = (await listAdmins(db)).find((one) => one.folded === foldUsername(username))
  if (!found) throw new Error(`There is no administrator ${username}. See: admin list`)
  return found
}

async function newPassword(username: string): Promise<string> {
  const password = await readHidden('Password: ')
  const fault = passwordFault(password, username === '' ? ' ' : username)
  if (fault !== null) throw new Error(fault)
  if (process.stdin.isTTY && (await readHidden('Again: ')) !== password) {
    throw new Error('The two differ. Nothing was changed.')
  }
  return password
}

function describe(one: StoredAdmin): string {
  const marks = [
    one.disabledAt === null ? null : 'disabled',
    one.totpSecret === null ? null : 'second factor',
    one.fromEnvironment ? 'from the environment' : null,
  ].filter((mark) => mark !== null)
  return marks.length > 0 ? `${one.username} (${marks.join(', ')})` : one.username
}
