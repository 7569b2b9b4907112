import { LONGEST_USERNAME } from '#contracts/admins.ts'
import { USERNAME } from '#server/kit/settings/admins.ts'
import { ROLES, type Role } from '#contracts/access.ts'
import { isoNow } from '#server/kit/now.ts'
import { passwordHasher } from '#server/kit/passwords.ts'
import { endAccess, endedText, EVERYTHING } from './account-access.service.ts'
import { addAdmin, changeAdmin, listAdmins, NO_LINK, type StoredAdmin } from './admins.store.ts'
import { NAME_RULE } from './accounts.service.ts'
import { addAdminAccess } from './admin-access.commands.ts'
import { changeAccount, noteCommand, type CommandKit } from './command-kit.ts'
import { passwordFault } from './password-fault.ts'
import { Argument, Option, type Command } from 'commander'
import { readHidden } from './read-hidden.ts'

/** `admin …`: who may sign in. Passwords are typed or come by standard input, never as an argument. */
export function addAdmins(
  program: Command,
  given: Omit<CommandKit, 'readPassword'> & Partial<CommandKit>,
): void {
  const kit = { readPassword: readHidden, ...given }
  const admin = program.command('admin').description('who may administer the site')
  admin
    .command('create')
    .description('make an account; the password is asked for, or read from standard input')
    .argument('<username>')
    .addOption(
      new Option('--role <role>', 'a reviewer decides submissions and extracts, and no more')
        .choices(ROLES)
        .default('administrator'),
    )
    .action((username: string, { role }: { role: Role }) => create(kit, username, role))
  admin
    .command('password')
    .description('set a password; all sessions, tokens and passkeys of the account end')
    .argument('<username>')
    .option('--drop-second-factor', 'for a lost authenticator')
    .action((username: string, options: { dropSecondFactor?: boolean }) =>
      setPassword(kit, username, options.dropSecondFactor ?? false),
    )
  admin
    .command('disable')
    .description('keep a person from signing in; what they did stays on record')
    .argument('<username>')
    .action((username: string) => disable(kit, username))
  admin
    .command('enable')
    .description('let a disabled person sign in again, with the password they had')
    .argument('<username>')
    .action((username: string) => enable(kit, username))
  admin
    .command('role')
    .description('what an account may do: all, or review and extract')
    .argument('<username>')
    .addArgument(new Argument('<role>').choices(ROLES))
    .action((username: string, role: Role) => setRole(kit, username, role))
  addAdminAccess(admin, kit)
  admin
    .command('list')
    .description('who may sign in')
    .action(() => list(kit))
  admin
    .command('hash')
    .description('print the hash of a password, for ADMIN_PASSWORD_HASH')
    .action(async () => kit.print(await newPasswordHash(kit, null)))
}

async function create(kit: CommandKit, given: string, role: Role): Promise<void> {
  const username = given.normalize('NFKC').trim()
  if (!USERNAME.test(username) || username.length > LONGEST_USERNAME) throw new Error(NAME_RULE)
  const passwordHash = await newPasswordHash(kit, username)
  await kit.withDb(async (db) => {
    await db.transaction(async (tx) => {
      const createdAt = isoNow(kit)
      const added = { username, role, passwordHash, fromEnvironment: false, createdAt }
      const id = await addAdmin(tx, added)
      if (id === null) {
        throw new Error(`There is already an account ${username}. See: admin password`)
      }
      await noteCommand(kit, tx, { id, username }, 'admin created', { role })
    })
    kit.print(`${username} can sign in at /admin as ${role}.`)
  })
}

async function setPassword(
  kit: CommandKit,
  username: string,
  dropsSecondFactor: boolean,
): Promise<void> {
  const passwordHash = await newPasswordHash(kit, username)
  await changeAccount(kit, username, async (tx, found) => {
    if (found.fromEnvironment) {
      throw new Error(`The password of ${found.username} comes from ADMIN_PASSWORD_HASH.`)
    }
    await changeAdmin(tx, found.id, {
      passwordHash,
      ...NO_LINK,
      ...(dropsSecondFactor ? { totpSecret: null, totpPending: null, recoveryCodes: [] } : {}),
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

async function disable(kit: CommandKit, username: string): Promise<void> {
  await changeAccount(kit, username, async (tx, found) => {
    await changeAdmin(tx, found.id, { disabledAt: isoNow(kit), ...NO_LINK })
    const ended = await endAccess(tx, found.id, isoNow(kit), EVERYTHING)
    await noteCommand(kit, tx, found, 'admin disabled', ended)
    return [`${found.username} cannot sign in any more. ${endedText(ended)}`]
  })
}

async function enable(kit: CommandKit, username: string): Promise<void> {
  await changeAccount(kit, username, async (tx, found) => {
    if (found.disabledAt === null) throw new Error(`${found.username} is not disabled.`)
    await changeAdmin(tx, found.id, { disabledAt: null })
    await noteCommand(kit, tx, found, 'admin enabled')
    return [`${found.username} can sign in again.`]
  })
}

async function setRole(kit: CommandKit, username: string, role: Role): Promise<void> {
  await changeAccount(kit, username, async (tx, found) => {
    await changeAdmin(tx, found.id, { role })
    await noteCommand(kit, tx, found, 'role set', { role })
    return [`${found.username} is ${role === 'administrator' ? 'an' : 'a'} ${role} from now on.`]
  })
}

async function list({ withDb, print }: CommandKit): Promise<void> {
  await withDb(async (db) => {
    const all = await listAdmins(db)
    for (const one of all) print(describe(one))
    if (all.length === 0) print('There is no account yet. See: admin create')
  })
}

async function newPasswordHash(
  { readPassword }: CommandKit,
  username: string | null,
): Promise<string> {
  const password = await readPassword('Password: ')
  const fault = passwordFault(password, username)
  if (fault !== null) throw new Error(fault)
  if (process.stdin.isTTY && (await readPassword('Again: ')) !== password) {
    throw new Error('The two differ. Nothing was changed.')
  }
  return passwordHasher().hash(password)
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
