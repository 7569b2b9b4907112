import { chownSync, createReadStream, createWriteStream, existsSync, mkdirSync } from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { extract, type Extract } from 'tar-stream'
import { type Account } from './embedded-account.ts'
import { programOf, type Binaries } from './embedded-binaries.ts'
import {
  finish,
  isEmptyOrMissing,
  makeUnfinished,
  removeUnfinished,
  runProgram,
} from './embedded-cluster.ts'
import { EmbeddedFailure, codeOf, failureOf, type StoreLog } from './embedded-failure.ts'
import { takeOwnerLock } from './embedded-owner-lock.ts'
import { preparePlace, type UsablePlace } from './embedded-place.ts'
import { DATA, MANIFEST, PASSWORD, SEAL, readManifest } from './physical-format.ts'

/**
 * Unpacks a backup as the database of a folder that has none; the next start recovers it. The folder stays as it was
 * when anything is wrong with the file.
 *
 * @throws EmbeddedFailure also when the folder has a database or is in use
 */
export async function restore(file: string, dataDir: string, log: StoreLog): Promise<void> {
  const source = resolve(file)
  if (!existsSync(source)) throw new EmbeddedFailure(`There is no file ${source}.`)
  const usable = preparePlace(dataDir, log)
  const { place, binaries, launcher } = usable
  const lock = takeOwnerLock(place.ownerLock)
  try {
    if (!isEmptyOrMissing(place.data)) {
      throw new EmbeddedFailure(
        `There is a database in ${place.folder} already. Move that folder away, or restore into another DATA_DIR.`,
      )
    }
    removeUnfinished(place)
    const made = makeUnfinished(place, launcher)
    await unpack(source, made, usable)
    await runProgram(
      launcher,
      programOf(binaries, 'initdb'),
      ['--sync-only', '-D', made],
      `write the restored database in ${place.folder} to disk`,
    )
    finish(place, made)
  } catch (error) {
    removeUnfinished(place)
    throw failureOf(error, `restore ${source}`)
  } finally {
    lock.release()
  }
}

type Entry = Extract extends AsyncIterable<infer One> ? One : never

async function unpack(source: string, made: string, usable: UsablePlace): Promise<void> {
  const entries = extract()
  const [read, taken] = await Promise.allSettled([
    pipeline(createReadStream(source), createGunzip(), entries),
    takeEntries(source, entries, made, usable),
  ])
  // Either failure ends the other side too, with words that tell less.
  if (taken.status === 'rejected' && taken.reason instanceof EmbeddedFailure) throw taken.reason
  if (read.status === 'rejected') throw damageOf(source, read.reason)
  if (taken.status === 'rejected') throw damageOf(source, taken.reason)
  if (!taken.value) throw cutOff(source)
}

/** @returns whether the archive came to its proper end */
async function takeEntries(
  source: string,
  entries: Extract,
  made: string,
  { place, binaries, launcher }: UsablePlace,
): Promise<boolean> {
  let [known, sealed] = [false, false]
  for await (const entry of entries) {
    const { name } = entry.header
    if (!known) {
      checkManifest(source, name === MANIFEST ? await text(entry) : '', binaries)
      known = true
    } else if (name === SEAL) {
      sealed = true
    } else if (name === PASSWORD) {
      await pipeline(entry, createWriteStream(place.password, { mode: 0o600, flush: true }))
    } else {
      await unpackEntry(source, entry, made, launcher.account)
    }
    entry.resume()
  }
  if (!known) throw noBackup(source)
  return sealed
}

function checkManifest(source: string, content: string, { major, version }: Binaries): void {
  const manifest = readManifest(content)
  if (!manifest) throw noBackup(source)
  if (manifest.major !== major) {
    throw new EmbeddedFailure(
      `${source} holds a database of PostgreSQL ${manifest.major}; this version of the site brings ${version}. ` +
        'Restore it with the version of the site that made it, then export and import the data.',
    )
  }
  if (manifest.windows !== (process.platform === 'win32')) {
    throw new EmbeddedFailure(
      `${source} was made on another kind of system; files move between Windows and others only by export and import.`,
    )
  }
}

async function unpackEntry(
  source: string,
  entry: Entry,
  made: string,
  account: Account | null,
): Promise<void> {
  const { name, type } = entry.header
  const root = join(made, sep)
  const target = resolve(made, name.slice(DATA.length + 1))
  const inside = name === DATA || (name.startsWith(`${DATA}/`) && target.startsWith(root))
  if (!inside && target !== made) throw noBackup(source)
  if (type === 'directory') {
    mkdirSync(target, { recursive: true, mode: 0o700 })
  } else if (type === 'file') {
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
    await pipeline(entry, createWriteStream(target, { flags: 'wx', mode: 0o600 }))
  } else {
    throw noBackup(source)
  }
  if (account) chownSync(target, account.uid, account.gid)
}

/** What a failed reading says about the file. */
function damageOf(source: string, error: unknown): unknown {
  if (error instanceof EmbeddedFailure) return error
  const message = error instanceof Error ? error.message : ''
  if (codeOf(error) === 'Z_BUF_ERROR' || message.includes('Unexpected end')) return cutOff(source)
  if (codeOf(error).startsWith('Z_') || message.includes('Invalid tar header'))
    return noBackup(source)
  return error
}

function noBackup(source: string): EmbeddedFailure {
  return new EmbeddedFailure(`${source} is no backup of this site, or it is damaged.`)
}

function cutOff(source: string): EmbeddedFailure {
  return new EmbeddedFailure(`${source} is not complete; copy or make the backup again.`)
}
