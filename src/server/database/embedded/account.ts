import { spawnSync, type SpawnOptions } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { EmbeddedFailure } from './failure.ts'

/** The user that PostgreSQL runs as; it refuses to run as root. */
export type Account = { readonly name: string; readonly uid: number; readonly gid: number }

/** How to start a program as the right user, so that it ends when this process does where the system can do that. */
export type Launcher = {
  readonly account: Account | null
  /** The words to put in front of the program's own. */
  readonly prefix: readonly string[]
  readonly options: Pick<SpawnOptions, 'uid' | 'gid' | 'cwd' | 'env'>
}

const SETPRIV = ['/usr/bin/setpriv', '/bin/setpriv']

/**
 * Who runs PostgreSQL: null means the user who runs this process. Root hands over to the owner of the data where there is
 * data, else to an existing account without rights.
 *
 * @param data the folder of the data; may not exist yet
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

/** Every way to start programs as this account, the best first; the caller takes the first one that works. */
export function launchersFor(account: Account | null): readonly Launcher[] {
  // Nothing else of our own environment: it holds keys, and PostgreSQL would show them to its superuser.
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
  // The signal of death is forgotten when the user changes, so the same program must do both.
  const asUser = account
    ? [`--reuid=${String(account.uid)}`, `--regid=${String(account.gid)}`, '--clear-groups']
    : []
  return [{ account, prefix: [setpriv, ...asUser, '--pdeathsig=INT', '--'], options }, plain]
}

/**
 * What libfaketime reads, where it shifts the clock of this process: rows carry the times of both, so PostgreSQL goes by
 * the same clock.
 */
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

/** Tries as the account itself whether it can enter the folder and run PostgreSQL; permissions alone do not show it. */
export function tryAccess(launcher: Launcher, folder: string, program: string): Trial {
  const { file, args } = wordsFor(launcher, '/bin/sh', ['-c', TRIAL, 'sh', folder, program])
  const done = spawnSync(file, args, { ...launcher.options, encoding: 'utf8' })
  const output = done.error?.message ?? done.stderr
  if (done.status === 0) return { result: 'works' }
  if (done.status === 3) return { result: 'folder-closed', output }
  return { result: done.status === 4 ? 'program-fails' : 'cannot-launch', output }
}
