import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectionStringOf, startEmbedded } from '#server/database/embedded/embedded-postgres.ts'
import { type StoreLog } from '#server/database/embedded/failure.ts'
import { findOwner } from '#server/database/embedded/owner-lock.ts'
import { findPlace } from '#server/database/embedded/place.ts'
import { reclaim } from '#server/database/embedded/server.ts'

/** A disposable database server for tests and benchmarks. */
export type ThrowAway = {
  connectionString(database: string): string
  stop(): Promise<void>
}

const FOLDER = 'proof-of-price-test-'
/** Another run may be between creating and locking its folder. */
const YOUNG_MS = 60_000

const silent: StoreLog = { info() {}, warn() {}, error() {} }

/** In memory: each database has hundreds of files, and a disk takes fifteen times as long. */
const MEMORY = '/dev/shm'
/** Hundreds of databases, a few at a time; containers often have only 64 MB there. */
const ENOUGH_BYTES = 3e9

/**
 * Starts a server that never syncs, in memory or in the temporary folder. `TEST_DATABASE_URL` names a server to use
 * instead; its role must be able to create databases.
 */
export async function startThrowAway(log: StoreLog = silent): Promise<ThrowAway> {
  const url = process.env['TEST_DATABASE_URL']
  if (url) return { connectionString: (database) => withDatabase(url, database), async stop() {} }

  await sweepThrowAways(log)
  const [first, ...others] = temporaryFolders()
  try {
    return await startIn(first, log)
  } catch (error) {
    // The memory file system may be mounted noexec, or fill up.
    const [next] = others
    if (next === undefined) throw error
    return startIn(next, log)
  }
}

async function startIn(temporary: string, log: StoreLog): Promise<ThrowAway> {
  const folder = mkdtempSync(join(temporary, FOLDER))
  // PostgreSQL's user must be able to traverse it; the data below is closed to others.
  chmodSync(folder, 0o711)
  try {
    const dataDir = join(folder, 'postgres')
    const embedded = await startEmbedded({ dataDir, log, durable: false })
    return {
      connectionString: (database) => connectionStringOf(embedded.connection, database),
      async stop() {
        await embedded.stop()
        rmSync(folder, { recursive: true, force: true })
      },
    }
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}

/** Removes leftovers of killed test runs, including servers that the system could not stop with them. */
export async function sweepThrowAways(log: StoreLog = silent): Promise<void> {
  for (const folder of temporaryFolders().flatMap(leftIn)) {
    try {
      if (isInUse(folder)) continue
      const place = findPlace(join(folder, 'postgres'))
      if (place) await reclaim(place.data, log)
      rmSync(folder, { recursive: true, force: true })
    } catch {
      // Another user's, or swept by another run.
    }
  }
}

function leftIn(temporary: string): string[] {
  const names = readdirSync(temporary).filter((name) => name.startsWith(FOLDER))
  return names.map((name) => join(temporary, name))
}

/** Locations for disposable servers, best first. Root's temporary folder may be closed to PostgreSQL's user. */
export function temporaryFolders(): [string, ...string[]] {
  const usual = process.getuid?.() === 0 ? '/tmp' : tmpdir()
  return hasRoom(MEMORY) ? [MEMORY, usual] : [usual]
}

function hasRoom(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize > ENOUGH_BYTES
  } catch {
    return false
  }
}

function isInUse(folder: string): boolean {
  const place = findPlace(join(folder, 'postgres'))
  if (place && findOwner(place.ownerLock)) return true
  const locked = place !== null && existsSync(place.ownerLock)
  return !locked && fileTime() - statSync(folder).mtimeMs < YOUNG_MS
}

/** The time of the file system: a test run's clock may be shifted. */
function fileTime(): number {
  const probe = mkdtempSync(join(tmpdir(), 'proof-of-price-time-'))
  try {
    return statSync(probe).mtimeMs
  } finally {
    rmSync(probe, { recursive: true })
  }
}

function withDatabase(url: string, database: string): string {
  const other = new URL(url)
  other.pathname = `/${encodeURIComponent(database)}`
  return other.href
}
