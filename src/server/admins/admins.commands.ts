import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { type Command, Argument, Option } from 'commander'
import { ROLES, type Role } from '#contracts/access.ts'
import { writeAudit, type AuditState } from '#server/kit/admin.ts'
import { type Db } from '#server/kit/db.ts'
import { type CommandKit } from '#server/kit/kit.ts'
import { passwordHasher } from '#server/kit/passwords.ts'
import { isoNow } from '#server/kit/time.ts'
import {
  disabling,
  enabling,
  NAME_RULE,
  readUsername,
  roleChange,
  type AccountChange,
} from './accounts.service.ts'
import * as store from './admins.store.ts'
import { passwordFault } from './common-passwords.ts'
import { endAccess, endedText, EVERYTHING, type Ending } from './sessions.service.ts'

type AdminCommands = CommandKit & {
  readonly readPassword: (question: string) => Promise<string>
}

/** @throws Error with a sentence when there is no such account */
async function knownAccount(db: Db, username: string): Promise<store.StoredAdmin> {
  const found = await store.accountByName(db, username)
  if (!found) throw new Error(`There is no account ${username}. See: admin list`)
  return found
}

/** Changes an account in one transaction, and prints the result after the commit. */
async function changeAccount(
  { withDb, print }: CommandKit,
  username: string,
  change: (tx: Db, found: store.StoredAdmin) => Promise<string[]>,
): Promise<void> {
  await withDb(async (db) => {
    const lines = await db.transaction(async (tx) => change(tx, await knownAccount(tx, username)))
    for (const line of lines) print(line)
  })
}

async function noteCommand(
  kit: Pick<CommandKit, 'clock'>,
  tx: Db,
  { id, username }: Pick<store.StoredAdmin, 'id' | 'username'>,
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

let lines: AsyncIterator<string> | null = null

async function readHidden(question: string): Promise<string> {
  const { stdin, stderr } = process
  if (!stdin.isTTY) {
    lines ??= createInterface({ input: stdin, crlfDelay: Infinity })[Symbol.asyncIterator]()
    const line = await lines.next()
    if (line.done) throw new Error('A password was expected on standard input.')
    return line.value
  }
  stderr.write(question)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const reader = createInterface({ input: stdin, output: silent, terminal: true })
  try {
    return await new Promise<string>((answer, fail) => {
      reader.once('line', answer)
      reader.once('SIGINT', () => fail(new Error('Nothing was changed.')))
      reader.once('close', () => fail(new Error('Nothing was changed.')))
    })
  } finally {
    reader.close()
    stderr.write('\n')
  }
}

async function revoke(kit: AdminCommands, username: string, options: Ending & { all?: boolean }) {
  if (Object.keys(options).length === 0) {
    throw new Error('Please name --sessions, --tokens, --passkeys or --all.')
  }
  const ending = options.all ? EVERYTHING : options
  await changeAccount(kit, username, async (tx, found) => {
    const ended = await endAccess(tx, found.id, isoNow(kit), ending)
    await noteCommand(kit, tx, found, 'access revoked', ended)
    return [endedText(ended, false, ending)]
  })
}

/** `admin …` commands. Passwords are typed or read from standard input, never passed as an argument. */
export function addAdmins(program: Command, parts: CommandKit & Partial<AdminCommands>): void {
  const kit = { readPassword: readHidden, ...parts }
  const admin = program
    .command('admin')
    .description('manage the accounts of administrators and reviewers')
  admin
    .command('create')
    .description('create an account; prompts for the password, or reads it from standard input')
    .argument('<username>')
    .addOption(
      new Option('--role <role>', 'a reviewer only decides submissions and extracts posts')
        .choices(ROLES)
        .default('administrator'),
    )
    .action((username: string, { role }: { role: Role }) => create(kit, username, role))
  admin
    .command('password')
    .description('set a password; ends all sessions, tokens and passkeys of the account')
    .argument('<username>')
    .option('--drop-second-factor', 'also turn off the second factor, for a lost authenticator')
    .action((username: string, options: { dropSecondFactor?: boolean }) =>
      setPassword(kit, username, options.dropSecondFactor ?? false),
    )
  admin
    .command('disable')
    .description('disable an account; its past actions stay on record')
    .argument('<username>')
    .action((username: string) => change(kit, username, disabling))
  admin
    .command('enable')
    .description('enable a disabled account, with its previous password')
    .argument('<username>')
    .action((username: string) => change(kit, username, enabling))
  admin
    .command('role')
    .description('set the role of an account: all rights, or review and extract only')
    .argument('<username>')
    .addArgument(new Argument('<role>').choices(ROLES))
    .action((username: string, role: Role) => change(kit, username, roleChange(role)))
  admin
    .command('revoke')
    .description('end sessions, tokens or passkeys of an account')
    .argument('<username>')
    .option('--sessions', 'all sessions')
    .option('--tokens', 'all tokens')
    .option('--passkeys', 'all passkeys')
    .option('--all', 'end all of them')
    .action((username: string, options: Ending & { all?: boolean }) =>
      revoke(kit, username, options),
    )
  admin
    .command('list')
    .description('list the accounts')
    .action(() => list(kit))
  admin
    .command('hash')
    .description('print the hash of a password, for ADMIN_PASSWORD_HASH')
    .action(async () => kit.print(await newPasswordHash(kit, null)))
}

async function create(kit: AdminCommands, name: string, role: Role): Promise<void> {
  const username = readUsername(name)
  if (username === null) throw new Error(NAME_RULE)
  const passwordHash = await newPasswordHash(kit, username)
  await kit.withDb(async (db) => {
    await db.transaction(async (tx) => {
      const createdAt = isoNow(kit)
      const added = { username, role, passwordHash, fromEnvironment: false, createdAt }
      const id = await store.addAdmin(tx, added)
      if (id === null) {
        throw new Error(`There is already an account ${username}. See: admin password`)
      }
      await noteCommand(kit, tx, { id, username }, 'admin created', { role })
    })
    kit.print(`${username} can sign in at /admin as ${role}.`)
  })
}

async function setPassword(kit: AdminCommands, username: string, dropsSecondFactor: boolean) {
  const passwordHash = await newPasswordHash(kit, username)
  await changeAccount(kit, username, async (tx, found) => {
    if (found.fromEnvironment) {
      throw new Error(`The password of ${found.username} comes from ADMIN_PASSWORD_HASH.`)
    }
    await store.changeAdmin(tx, found.id, {
      passwordHash,
      ...store.NO_LINK,
      ...(dropsSecondFactor && store.NO_SECOND_FACTOR),
    })
    const ended = await endAccess(tx, found.id, isoNow(kit), EVERYTHING)
    await noteCommand(kit, tx, found, 'password set', ended)
    return [
      `The password of ${found.username} is set. ${endedText(ended)}`,
      ...(found.disabledAt === null
        ? []
        : [`${found.username} is still disabled. See: admin enable`]),
    ]
  })
}

async function change(kit: CommandKit, username: string, work: AccountChange): Promise<void> {
  await changeAccount(kit, username, async (tx, found) => {
    const { action, after, message } = await work(kit, tx, found)
    await noteCommand(kit, tx, found, action, after)
    return [message]
  })
}

async function list({ withDb, print }: CommandKit): Promise<void> {
  await withDb(async (db) => {
    const all = await store.listAdmins(db)
    for (const one of all) print(describe(one))
    if (all.length === 0) print('There is no account yet. See: admin create')
  })
}

async function newPasswordHash({ readPassword }: AdminCommands, username: string | null) {
  const password = await readPassword('Password: ')
  const fault = passwordFault(password, username)
  if (fault !== null) throw new Error(fault)
  if (process.stdin.isTTY && (await readPassword('Again: ')) !== password) {
    throw new Error('The passwords differ. Nothing was changed.')
  }
  return passwordHasher().hash(password)
}

function describe(one: store.StoredAdmin): string {
  const marks = [
    one.role === 'administrator' ? null : one.role,
    one.disabledAt === null ? null : 'disabled',
    one.totpSecret === null ? null : 'second factor',
    one.fromEnvironment ? 'from the environment' : null,
  ].filter((mark) => mark !== null)
  return marks.length > 0 ? `${one.username} (${marks.join(', ')})` : one.username
}
