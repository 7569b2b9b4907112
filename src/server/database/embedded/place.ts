import { spawnSync, type SpawnOptions } from 'node:child_process'
import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import * as postgres from './binaries.ts'
import { EmbeddedFailure, failureOf, type StoreLog } from './failure.ts'

export type Place = ReturnType<typeof placeIn>

/** A place in which PostgreSQL was tested. */
export type UsablePlace = {
  readonly place: Place
  readonly binaries: postgres.Binaries
  readonly launcher: Launcher
}

/** Alternative locations when PostgreSQL's user cannot reach the requested one; they survive a reboot. */
const OPEN_FOLDERS = ['/var/lib/proof-of-price', '/opt/proof-of-price']

/** Points to moved data; overrides every rule, so that later starts find the same data. */
const NOTE = 'moved-to'

/** The place that a start would use, without creating it; null if none was started there. */
export function findPlace(dataDir: string): Place | null {
  const requested = resolve(dataDir)
  if (!fs.existsSync(requested)) return null
  return placeIn(readNote(requested) ?? fs.realpathSync(requested))
}

/** Whether a start with this folder would find a database. */
export function holdsDatabase(dataDir: string): boolean {
  const place = findPlace(dataDir)
  return place !== null && fs.existsSync(join(place.data, 'PG_VERSION'))
}

/** Finds or creates a usable place for the database, with runnable programs. @throws EmbeddedFailure if no place is usable */
export function preparePlace(dataDir: string, log: StoreLog): UsablePlace {
  const requested = makeFolder(resolve(dataDir))
  const noted = readNote(requested)
  const installed = postgres.findBinaries()
  const linked = postgres.linkLibraries(installed)
  const place = placeIn(noted ?? requested)
  const account = chooseAccount(place.data)

  const usable = tryPlace(place, account, linked ? installed : null, installed)
  if (usable) {
    if (noted !== null) log.info(`The database of ${requested} is in ${noted}.`)
    return usable
  }
  if (account === null || noted !== null || fs.existsSync(place.data)) {
    throw closedTo(account, place)
  }
  for (const open of OPEN_FOLDERS) {
    const elsewhere = placeBelow(open, requested)
    const moved = elsewhere && tryPlace(elsewhere, account, linked ? installed : null, installed)
    if (!moved) continue
    const { folder } = moved.place
    writeNote(requested, folder)
    log.warn(
      `PostgreSQL runs as ${account.name}, who cannot enter ${requested}; the database is in ${folder}.`,
    )
    return moved
  }
  throw closedTo(account, place)
}

/**
 * @param ready the installed programs, or null if only a copy can work
 * @returns null if PostgreSQL's user cannot enter the folder
 * @throws EmbeddedFailure if PostgreSQL does not run on this system
 */
function tryPlace(
  place: Place,
  account: Account | null,
  ready: postgres.Binaries | null,
  installed: postgres.Binaries,
): UsablePlace | null {
  let output = ''
  for (const launcher of launchersFor(account)) {
    if (process.platform === 'win32') return { place, binaries: installed, launcher }
    let binaries = ready ?? postgres.copyBinaries(installed, place.folder)
    let trial = tryAccess(launcher, place.folder, binaries)
    if (trial.status === PROGRAM_FAILS && binaries === ready) {
      // Out of reach, or built for another system: a copy in a public folder shows which.
      binaries = postgres.copyBinaries(installed, place.folder)
      trial = tryAccess(launcher, place.folder, binaries)
    }
    if (trial.status === 0) return { place, binaries, launcher }
    if (trial.status === FOLDER_CLOSED) return null
    output = trial.output
  }
  throw postgres.unusableHere(output)
}

/** @param folder owned by the user who runs the site */
function placeIn(folder: string) {
  return {
    folder,
    /** PostgreSQL's data folder; exists once a database was created. */
    data: join(folder, 'data'),
    ownerLock: join(folder, 'owner.lock'),
    /** Of the superuser, only without Unix sockets. */
    password: join(folder, 'password'),
  }
}

function placeBelow(open: string, requested: string): Place | null {
  // Named after the project; the requested folder is usually its var/postgres.
  const project = basename(dirname(dirname(requested))) || 'data'
  const name = `${project}-${createHash('sha256').update(requested).digest('hex').slice(0, 12)}`
  try {
    makeFolder(open)
    return placeIn(makeFolder(join(open, name)))
  } catch {
    return null
  }
}

/**
 * Creates the folder and its parents regardless of the umask: closed to others, but passable for PostgreSQL's
 * user where root starts the site.
 */
function makeFolder(folder: string): string {
  try {
    const parents: string[] = []
    for (let at = folder; !fs.existsSync(at); at = dirname(at)) parents.unshift(at)
    for (const parent of parents) {
      // One at a time: where mkdir fails with ENOENT, as in /proc, Node's `recursive` never returns.
      fs.mkdirSync(parent)
      const own = process.getuid?.() === 0 ? 0o711 : 0o700
      fs.chmodSync(parent, parent === folder ? own : 0o755)
    }
    const real = fs.realpathSync(folder)
    if (!fs.statSync(real).isDirectory())
      throw new EmbeddedFailure(`${folder} is a file, not a folder.`)
    return real
  } catch (error) {
    throw failureOf(error, `make the database folder ${folder}`)
  }
}

function readNote(requested: string): string | null {
  const note = join(requested, NOTE)
  if (!fs.existsSync(note)) return null
  const folder = fs.readFileSync(note, 'utf8').trim()
  // An empty database would look as if every prediction was lost.
  if (!fs.existsSync(folder)) {
    throw new EmbeddedFailure(
      `The database of ${requested} was put into ${folder}, which is gone. Bring that folder back, ` +
        `or delete the file ${note} to begin with an empty database.`,
    )
  }
  return folder
}

function writeNote(requested: string, folder: string): void {
  try {
    fs.writeFileSync(join(requested, NOTE), `${folder}\n`, { flush: true })
  } catch (error) {
    throw failureOf(error, `note in ${requested} where the database is`)
  }
}

function closedTo(account: Account | null, { folder }: Place): EmbeddedFailure {
  return new EmbeddedFailure(
    `PostgreSQL runs as ${account?.name ?? 'this user'}, who cannot enter ${folder}. ` +
      'Open its parent folders (chmod o+x), move it to an open place such as /var/lib and set DATA_DIR, ' +
      'or start the site as an ordinary user.',
  )
}

/** The user that PostgreSQL runs as; it refuses to run as root. */
export type Account = { readonly name: string; readonly uid: number; readonly gid: number }

/** Starts a program as the right user, tied to the life of this process where the system allows it. */
export type Launcher = {
  readonly account: Account | null
  /** Command and arguments before the program's own. */
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
  if (fs.existsSync(data)) {
    const { uid, gid } = fs.statSync(data)
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
  const line = fs
    .readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith(`${name}:`))
  const [, , uid, gid] = line?.split(':') ?? []
  return uid && gid && uid !== '0' ? { name, uid: Number(uid), gid: Number(gid) } : null
}

/** Ways to start programs as this account, best first; the caller uses the first that works. */
export function launchersFor(account: Account | null): readonly Launcher[] {
  // No more of our environment: it contains keys, which PostgreSQL would show to its superuser.
  const env = { PATH: process.env['PATH'] ?? '', LC_ALL: 'C', TZ: 'UTC', ...shiftedClock() }
  const options = { cwd: '/', env }
  const plain: Launcher = {
    account,
    prefix: [],
    options: account ? { ...options, uid: account.uid, gid: account.gid } : options,
  }
  const setpriv =
    process.platform === 'linux' ? SETPRIV.find((path) => fs.existsSync(path)) : undefined
  if (!setpriv) return [plain]
  // The parent-death signal is cleared when the user changes, so one program must do both.
  const asUser = account
    ? [`--reuid=${String(account.uid)}`, `--regid=${String(account.gid)}`, '--clear-groups']
    : []
  return [{ account, prefix: [setpriv, ...asUser, '--pdeathsig=INT', '--'], options }, plain]
}

/** Settings of libfaketime if it shifts our clock: rows have timestamps of both, so PostgreSQL must use the same clock. */
function shiftedClock(): NodeJS.ProcessEnv {
  if (process.env['FAKETIME'] === undefined) return {}
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => /^(?:LD_PRELOAD|FAKETIME.*)$/.test(name)),
  )
}

/** The file and arguments that start a program through the launcher. */
export function wordsFor({ prefix }: Launcher, program: string, args: readonly string[]) {
  const [file = program, ...rest] = [...prefix, program, ...args]
  return { file, args: rest }
}

const FOLDER_CLOSED = 3
const PROGRAM_FAILS = 4
const TRIAL = `cd "$1" || exit ${String(FOLDER_CLOSED)}; "$2" --version >/dev/null || exit ${String(PROGRAM_FAILS)}`

/** Tests as the account itself whether it can enter the folder and run PostgreSQL; permissions alone don't tell. */
function tryAccess(launcher: Launcher, folder: string, binaries: postgres.Binaries) {
  const program = postgres.programOf(binaries, 'postgres')
  const { file, args } = wordsFor(launcher, '/bin/sh', ['-c', TRIAL, 'sh', folder, program])
  const done = spawnSync(file, args, { ...launcher.options, encoding: 'utf8' })
  return { status: done.status, output: done.error?.message ?? done.stderr }
}
