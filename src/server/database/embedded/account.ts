import { spawnSync, type SpawnOptions } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { EmbeddedFailure } from './failure.ts'

/** The user that PostgreSQL runs as; it refuses to run as root. */
export type Account = { readonly name: string; readonly uid: number; readonly gid: number }

/** Starts a program as the right user, tied to the life of this process where the system allows it. */
export type Launcher = {
  readonly account: Account | null
  /** Words before the program's own. */
  readonly prefix: readonly string[]
  readonly options: Pick<SpawnOptions, 'uid' | 'gid' | 'cwd' | 'env'>
}

const SETPRIV = ['/usr/bin/setpriv', '/bin/setpriv']

/**
 * The user for PostgreSQL; null for the current one. Root switches to the owner of the data, else to an existing
 * unprivileged account.
 *
 * @param data folder of the data; may not exist yet
 */
export function chooseAccount(data: string): Account | null {
  if (process.getuid?.() !== 0) return null
  if (existsSync(data)) {
    const { uid, gid } = statSync(data)
    if (uid !== 0) return { name: `user ${String(uid)}`, uid, gid }
  }
  const account = findAccount('postgres') ?? findAccount('nobody')
  if (account === null) {
    throw new EmbeddedFailure(
      'PostgreSQL does not run as root, and this system has neither a user "postgres" nor "nobody". ' +
        'Start the site as an ordinary user or set DATABASE_URL.',
    )
  }
  return account
}

function findAccount(name: string): Account | null {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith(`${name}:`))
  const [, , uid, gid] = line?.split(':') ?? []
  return uid && gid && uid !== '0' ? { name, uid: Number(uid), gid: Number(gid) } : null
}

/** Ways to start programs as this account, best first; the caller uses the first that works. */
export function launchersFor(account: Account | null): readonly Launcher[] {
  // Nothing else of our environment: it holds keys, which PostgreSQL would show to its superuser.
  const env = { PATH: process.env['PATH'] ?? '', LC_ALL: 'C', TZ: 'UTC', ...shiftedClock() }
  const options = { cwd: '/', env }
  const plain: Launcher = {
    account,
    prefix: [],
    options: account ? { ...options, uid: account.uid, gid: account.gid } : options,
  }
  const setpriv =
    process.platform === 'linux' ? SETPRIV.find((path) => existsSync(path)) : undefined
  if (!setpriv) return [plain]
  // The parent-death signal is cleared when the user changes, so one program must do both.
  const asUser = account
    ? [`--reuid=${String(account.uid)}`, `--regid=${String(account.gid)}`, '--clear-groups']
    : []
  return [{ account, prefix: [setpriv, ...asUser, '--pdeathsig=INT', '--'], options }, plain]
}

/** Settings of libfaketime where it shifts our clock: rows carry times of both, so PostgreSQL must use the same clock. */
function shiftedClock(): NodeJS.ProcessEnv {
  if (process.env['FAKETIME'] === undefined) return {}
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => /^(?:LD_PRELOAD|FAKETIME.*)$/.test(name)),
  )
}

/** The file and arguments that start a program through the launcher. */
export function wordsFor(
  { prefix }: Launcher,
  program: string,
  args: readonly string[],
): { file: string; args: string[] } {
  const [file = program, ...rest] = [...prefix, program, ...args]
  return { file, args: rest }
}

export type Trial =
  | { readonly result: 'works' }
  | {
      readonly result: 'folder-closed' | 'program-fails' | 'cannot-launch'
      readonly output: string
    }

const TRIAL = 'cd "$1" || exit 3; "$2" --version >/dev/null || exit 4'

/** Tests as the account itself whether it can enter the folder and run PostgreSQL; permissions alone don't tell. */
export function tryAccess(launcher: Launcher, folder: string, program: string): Trial {
  const { file, args } = wordsFor(launcher, '/bin/sh', ['-c', TRIAL, 'sh', folder, program])
  const done = spawnSync(file, args, { ...launcher.options, encoding: 'utf8' })
  const output = done.error?.message ?? done.stderr
  if (done.status === 0) return { result: 'works' }
  if (done.status === 3) return { result: 'folder-closed', output }
  return { result: done.status === 4 ? 'program-fails' : 'cannot-launch', output }
}
