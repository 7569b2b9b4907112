import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import {
  chooseAccount,
  launchersFor,
  tryAccess,
  type Account,
  type Launcher,
  type Trial,
} from './account.ts'
import {
  copyBinaries,
  findBinaries,
  linkLibraries,
  programOf,
  unusableHere,
  type Binaries,
} from './binaries.ts'
import { EmbeddedFailure, failureOf, type StoreLog } from './failure.ts'

/** Where the things of one embedded database are. */
export type Place = {
  /** Holds the rest; an ordinary folder of the user who runs the site. */
  readonly folder: string
  /** PostgreSQL's own data folder; exists once a database was made. */
  readonly data: string
  readonly ownerLock: string
  /** The password of the superuser, only where there are no Unix sockets. */
  readonly password: string
}

/** A place where PostgreSQL was tried and runs. */
export type UsablePlace = {
  readonly place: Place
  readonly binaries: Binaries
  readonly launcher: Launcher
}

/** Where data goes that PostgreSQL's user cannot reach where it was asked for; must outlive a restart of the machine. */
const OPEN_FOLDERS = ['/var/lib/proof-of-price', '/opt/proof-of-price']

/** The note beside moved data; it wins over any rule, so that a later start always finds the same data. */
const NOTE = 'moved-to'

/** The place that a start with this folder would use, without making it; null when none was ever started there. */
export function findPlace(dataDir: string): Place | null {
  const asked = resolve(dataDir)
  if (!existsSync(asked)) return null
  return placeIn(readNote(asked) ?? realpathSync(asked))
}

/** Whether there is a database where a start with this folder would look for it. */
export function holdsDatabase(dataDir: string): boolean {
  const place = findPlace(dataDir)
  return place !== null && existsSync(join(place.data, 'PG_VERSION'))
}

/**
 * Finds or makes a place where the database of this folder can run, and makes the programs runnable.
 *
 * @throws EmbeddedFailure when it does not exist
 */
export function preparePlace(dataDir: string, log: StoreLog): UsablePlace {
  const asked = makeFolder(resolve(dataDir))
  const noted = readNote(asked)
  const installed = findBinaries()
  const linked = linkLibraries(installed)
  const place = placeIn(noted ?? asked)
  const account = chooseAccount(place.data)

  const first = tryPlace(place, account, linked ? installed : null, installed)
  if (first.outcome === 'usable') {
    if (noted !== null) log.info(`The database of ${asked} is in ${noted}.`)
    return first.place
  }
  if (account === null || noted !== null) throw closedTo(account, place)
  if (existsSync(place.data)) throw closedTo(account, place)

  for (const open of OPEN_FOLDERS) {
    const elsewhere = placeBelow(open, asked)
    const next = elsewhere && tryPlace(elsewhere, account, linked ? installed : null, installed)
    if (next?.outcome === 'usable') {
      writeNote(asked, next.place.place.folder)
      log.warn(
        `PostgreSQL runs as ${account.name}, who cannot enter ${asked}; the database is in ${next.place.place.folder}.`,
      )
      return next.place
    }
  }
  throw closedTo(account, place)
}

type Attempt =
  | { readonly outcome: 'usable'; readonly place: UsablePlace }
  | { readonly outcome: 'closed' }

/** @param ready the installed programs, or null when only a copy of them can work */
function tryPlace(
  place: Place,
  account: Account | null,
  ready: Binaries | null,
  installed: Binaries,
): Attempt {
  if (process.platform === 'win32') {
    const [launcher] = launchersFor(account)
    if (launcher) return { outcome: 'usable', place: { place, binaries: installed, launcher } }
  }
  let last: Trial = { result: 'cannot-launch', output: '' }
  for (const launcher of launchersFor(account)) {
    let binaries = ready ?? copyBinaries(installed, place.folder)
    last = tryAccess(launcher, place.folder, programOf(binaries, 'postgres'))
    if (last.result === 'program-fails' && binaries === ready) {
      // Out of this user's reach, or not made for this system: a copy in a public folder shows which.
      binaries = copyBinaries(installed, place.folder)
      last = tryAccess(launcher, place.folder, programOf(binaries, 'postgres'))
    }
    if (last.result === 'works') return { outcome: 'usable', place: { place, binaries, launcher } }
    if (last.result === 'folder-closed') return { outcome: 'closed' }
  }
  throw unusableHere(last.output)
}

function placeIn(folder: string): Place {
  return {
    folder,
    data: join(folder, 'data'),
    ownerLock: join(folder, 'owner.lock'),
    password: join(folder, 'password'),
  }
}

function placeBelow(open: string, asked: string): Place | null {
  // Named after the project, so that a person finds it: the asked folder is usually its var/postgres.
  const project = basename(dirname(dirname(asked))) || 'data'
  const name = `${project}-${createHash('sha256').update(asked).digest('hex').slice(0, 12)}`
  try {
    makeFolder(open)
    return placeIn(makeFolder(join(open, name)))
  } catch {
    return null
  }
}

/**
 * The folder, made with its parents whatever the umask: nobody else may list it, and where root starts the site, PostgreSQL's
 * user can pass through.
 */
function makeFolder(folder: string): string {
  try {
    const parents: string[] = []
    for (let at = folder; !existsSync(at); at = dirname(at)) parents.unshift(at)
    for (const parent of parents) {
      // One by one: where mkdir fails with ENOENT, as in /proc, Node's `recursive` never comes back.
      mkdirSync(parent)
      const own = process.getuid?.() === 0 ? 0o711 : 0o700
      chmodSync(parent, parent === folder ? own : 0o755)
    }
    const real = realpathSync(folder)
    if (!statSync(real).isDirectory())
      throw new EmbeddedFailure(`${folder} is a file, not a folder.`)
    return real
  } catch (error) {
    throw failureOf(error, `make the database folder ${folder}`)
  }
}

function readNote(asked: string): string | null {
  const note = join(asked, NOTE)
  if (!existsSync(note)) return null
  const folder = readFileSync(note, 'utf8').trim()
  // Starting with an empty database here would look like losing every prediction.
  if (!existsSync(folder)) {
    throw new EmbeddedFailure(
      `The database of ${asked} was put into ${folder}, which is gone. Bring that folder back, ` +
        `or delete the file ${note} to begin with an empty database.`,
    )
  }
  return folder
}

function writeNote(asked: string, folder: string): void {
  try {
    writeFileSync(join(asked, NOTE), `${folder}\n`, { flush: true })
  } catch (error) {
    throw failureOf(error, `note in ${asked} where the database is`)
  }
}

function closedTo(account: Account | null, { folder }: Place): EmbeddedFailure {
  return new EmbeddedFailure(
    `PostgreSQL runs as ${account?.name ?? 'this user'}, who cannot enter ${folder}. ` +
      'Open its parent folders (chmod o+x), move it to an open place such as /var/lib and set DATA_DIR, ' +
      'or start the site as an ordinary user.',
  )
}
