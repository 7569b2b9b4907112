import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { programOf, type Binaries } from './binaries.ts'
import { EmbeddedFailure, codeOf, failureOf, failureOfPostgres } from './failure.ts'
import { wordsFor, type Launcher, type Place, type UsablePlace } from './place.ts'

export const SUPERUSER = 'app'

/** Prefix of unfinished folders; the holder of the owner lock may delete them. */
const UNFINISHED = 'data.unfinished-'

/** Creates the data folder if missing. @throws EmbeddedFailure also for data of another major version */
export async function ensureCluster(usable: UsablePlace, durable: boolean): Promise<void> {
  const { place, binaries } = usable
  // Of an interrupted start.
  for (const name of fs.readdirSync(place.folder)) {
    if (name.startsWith(UNFINISHED))
      fs.rmSync(join(place.folder, name), { recursive: true, force: true })
  }
  if (isEmptyOrMissing(place.data)) await makeCluster(usable, durable)
  checkVersion(place, binaries)
  giveToAccount(place, usable.launcher)
}

/**
 * Syncs a directory, so that its names survive a power cut; files are synced separately. Where directories cannot be
 * opened, the system does it itself.
 */
export function syncFolder(folder: string): void {
  let handle: number | null = null
  try {
    handle = fs.openSync(folder, 'r')
    fs.fsyncSync(handle)
  } catch {
    // The names exist anyway.
  } finally {
    if (handle !== null) fs.closeSync(handle)
  }
}

function isEmptyOrMissing(folder: string): boolean {
  try {
    return fs.readdirSync(folder).length === 0
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return true
    throw failureOf(error, `read the folder ${folder}`)
  }
}

/** Builds the data in a folder beside it, owned by PostgreSQL's user, and moves it into place atomically. */
async function makeCluster(usable: UsablePlace, durable: boolean): Promise<void> {
  const { place, binaries, launcher } = usable
  const made = fs.mkdtempSync(join(place.folder, UNFINISHED))
  fs.chmodSync(made, 0o700)
  if (launcher.account) fs.chownSync(made, launcher.account.uid, launcher.account.gid)
  // PostgreSQL's built-in locale: indexes stay valid when libc changes.
  const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const access = process.platform === 'win32' ? passwordAccess(place) : ['--auth=trust']
  const args = ['-D', made, '-U', SUPERUSER, '-E', 'UTF8', ...locale, ...access]
  await runProgram(
    launcher,
    programOf(binaries, 'initdb'),
    durable ? args : [...args, '--no-sync'],
    `make a database in ${place.folder}`,
  )
  if (fs.existsSync(place.data)) fs.rmdirSync(place.data)
  fs.renameSync(made, place.data)
  syncFolder(place.folder)
}

/** Any local user can reach a TCP port, so the superuser needs a password there; a socket's folder is private. */
function passwordAccess(place: Place): string[] {
  fs.writeFileSync(place.password, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600 })
  return ['--auth=scram-sha-256', `--pwfile=${place.password}`]
}

/** Runs a PostgreSQL program. @throws EmbeddedFailure with its output */
export async function runProgram(
  launcher: Launcher,
  program: string,
  programArgs: readonly string[],
  doing: string,
): Promise<void> {
  const { file, args } = wordsFor(launcher, program, programArgs)
  await new Promise<void>((done, fail) => {
    execFile(file, args, launcher.options, (error, _output, report) => {
      if (error) fail(report ? failureOfPostgres(doing, report) : failureOf(error, doing))
      else done()
    })
  })
}

function checkVersion({ data, folder }: Place, { major, version }: Binaries): void {
  const file = join(data, 'PG_VERSION')
  if (!fs.existsSync(file)) {
    throw new EmbeddedFailure(
      `${data} holds files but no database. Move them away, or set DATA_DIR to another folder.`,
    )
  }
  const found = fs.readFileSync(file, 'utf8').trim()
  if (found === major) return
  throw new EmbeddedFailure(
    `The database in ${folder} was made by PostgreSQL ${found}; this version of the site brings ${version}, ` +
      'which cannot open it. With the version of the site that made it, run "npm run cli -- backup <file>". ' +
      `Then rename ${folder}, and with this version run "npm run cli -- restore <file>".`,
  )
}

/** PostgreSQL insists on owning its files, including those unpacked or copied by root. */
function giveToAccount({ data }: Place, { account }: Launcher): void {
  if (account === null || fs.statSync(data).uid === account.uid) return
  for (const entry of fs.readdirSync(data, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue
    fs.chownSync(join(entry.parentPath, entry.name), account.uid, account.gid)
  }
  fs.chownSync(data, account.uid, account.gid)
  fs.chmodSync(data, 0o700)
}
