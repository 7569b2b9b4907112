import { LONGEST_USERNAME } from '#contracts/admins.ts'
import { USERNAME } from '#server/kit/settings/admins.ts'
import { type Clock } from '#server/kit/ports.ts'
import { ROLES, type Role } from '#contracts/access.ts'
import { endAccess, endedText, EVERYTHING } from './account-access.service.ts'
import { passwordFault } from './password-fault.ts'
import { passwordHasher } from '#server/kit/passwords.ts'
import {
  accountByName,
  addAdmin,
  changeAdmin,
  listAdmins,
  type StoredAdmin,
} from './admins.store.ts'
import { writeAudit, type AuditState } from '#server/kit/audit.ts'
import { type Db } from '#server/kit/db.ts'
import { Argument, Option, type Command } from 'commander'
import { addAdminAccess } from './admin-access.commands.ts'
import { readHidden } from './read-hidden.ts'

/** `admin …`: who may sign in. Passwords are typed or come by standard input, never as an argument. */
export function addAdmins(
  program: Command,
  {
    clock,
    withDb,
    print,
    readPassword = readHidden,
  }: {
    clock: Clock
    withDb: (work: (db: Db) => Promise<void>) => Promise<void>
    print: (text: string) => void
    /** Asks for what nobody is to see. */
    readPassword?: (question: string) => Promise<string>
  },
): void {
  const admin = program.command('admin').description('who may administer the site')
  const passwords = passwordHasher()
  const now = (): string => new Date(clock.now()).toISOString()

  admin
    .command('create')
    .description('make an account; the password is asked for, or read from standard input')
    .argument('<username>')
    .addOption(
      new Option('--role <role>', 'a reviewer decides submissions and extracts, and no more')
        .choices(ROLES)
        .default('administrator'),
    )
    .action(async (given: string, { role }: { role: Role }) => {
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
            role,
            passwordHash,
            fromEnvironment: false,
            createdAt: at,
          })
          if (id === null) {
            throw new Error(`There is an account ${username} already. See: admin password`)
          }
          await note(tx, id, username, 'admin created', { role })
        })
        print(`${username} can sign in at /admin as ${role}.`)
      })
    })

  admin
    .command('password')
    .description('set a password; all sessions, tokens and passkeys of the account end')
    .argument('<username>')
    .option('--drop-second-factor', 'for a lost authenticator')
    .action(async (username: string, options: { dropSecondFactor?: boolean }) => {
      const passwordHash = await passwords.hash(await newPassword(username))
      await withDb(async (db) => {
        const found = await known(db, username)
        if (found.fromEnvironment) {
          throw new Error(`The password of ${found.username} comes from ADMIN_PASSWORD_HASH.`)
        }
        const ended = await db.transaction(async (tx) => {
          await changeAdmin(tx, found.id, {
            passwordHash,
            ...(options.dropSecondFactor
              ? { totpSecret: null, totpPending: null, recoveryCodes: [] }
              : {}),
          })
          const gone = await endAccess(tx, found.id, now(), EVERYTHING)
          await note(tx, found.id, found.username, 'password set', { ...gone })
          return gone
        })
        print(`The password of ${found.username} is set. ${endedText(ended)}`)
        if (found.disabledAt !== null) {
          print(`${found.username} is still disabled. See: admin enable`)
        }
      })
    })

  admin
    .command('disable')
    .description('keep somebody from signing in; what they did stays on record')
    .argument('<username>')
    .action(async (username: string) => {
      await withDb(async (db) => {
        const found = await known(db, username)
        const ended = await db.transaction(async (tx) => {
          await changeAdmin(tx, found.id, { disabledAt: now() })
          const gone = await endAccess(tx, found.id, now(), EVERYTHING)
          await note(tx, found.id, found.username, 'admin disabled', { ...gone })
          return gone
        })
        print(`${found.username} cannot sign in any more. ${endedText(ended)}`)
      })
    })

  admin
    .command('enable')
    .description('let somebody sign in again who was disabled, with the password they had')
    .argument('<username>')
    .action(async (username: string) => {
      await withDb(async (db) => {
        const found = await known(db, username)
        if (found.disabledAt === null) throw new Error(`${found.username} is not disabled.`)
        await db.transaction(async (tx) => {
          await changeAdmin(tx, found.id, { disabledAt: null })
          await note(tx, found.id, found.username, 'admin enabled')
        })
        print(`${found.username} can sign in again.`)
      })
    })

  admin
    .command('role')
    .description('what an account may do: all, or review and extract')
    .argument('<username>')
    .addArgument(new Argument('<role>').choices(ROLES))
    .action(async (username: string, role: Role) => {
      await withDb(async (db) => {
        const found = await known(db, username)
        await db.transaction(async (tx) => {
          await changeAdmin(tx, found.id, { role })
          await note(tx, found.id, found.username, 'role set', { role })
        })
        print(`${found.username} is ${role === 'administrator' ? 'an' : 'a'} ${role} from now on.`)
      })
    })

  addAdminAccess(admin, { now, withDb, known, note, print })

  admin
    .command('list')
    .description('who may sign in')
    .action(async () => {
      await withDb(async (db) => {
        const all = await listAdmins(db)
        for (const one of all) print(describe(one))
        if (all.length === 0) print('There is no account yet. See: admin create')
      })
    })

  admin
    .command('hash')
    .description('print the hash of a password, for ADMIN_PASSWORD_HASH')
    .action(async () => print(await passwords.hash(await newPassword(null))))

  async function newPassword(username: string | null): Promise<string> {
    const password = await readPassword('Password: ')
    const fault = passwordFault(password, username)
    if (fault !== null) throw new Error(fault)
    if (process.stdin.isTTY && (await readPassword('Again: ')) !== password) {
      throw new Error('The two differ. Nothing was changed.')
    }
    return password
  }

  async function note(
    tx: Db,
    id: number,
    username: string,
    action: string,
    after: AuditState = null,
  ): Promise<void> {
    await writeAudit(tx, {
      at: now(),
      admin: null,
      username: 'command line',
      action,
      subject: { kind: 'admin', id },
      after: { username, ...after },
    })
  }
}

async function known(db: Db, username: string): Promise<StoredAdmin> {
  const found = await accountByName(db, username)
  if (!found) throw new Error(`There is no account ${username}. See: admin list`)
  return found
}

function describe(one: StoredAdmin): string {
  const marks = [
    one.role === 'administrator' ? null : one.role,
    one.disabledAt === null ? null : 'disabled',
    one.totpSecret === null ? null : 'second factor',
    one.fromEnvironment ? 'from the environment' : null,
  ].filter((mark) => mark !== null)
  return marks.length > 0 ? `${one.username} (${marks.join(', ')})` : one.username
}
