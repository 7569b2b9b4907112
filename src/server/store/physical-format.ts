/*
 * A backup is one tar.gz: the manifest, then PostgreSQL's data folder below `data/`, then the seal. The label that
 * PostgreSQL needs to recover a copy of a running database is among the data.
 */

export const MANIFEST = 'proof-of-price-backup.json'
export const DATA = 'data'
/** The last entry: without it the file was cut off between two others. */
export const SEAL = 'complete'
/** Stays in the archive beside the data, where the superuser has one. */
export const PASSWORD = 'password'

const FORMAT = 1

/** What must fit before a backup is unpacked. */
export type Manifest = {
  readonly format: typeof FORMAT
  /** PostgreSQL's major version, such as `18`. */
  readonly major: string
  /** Access is arranged differently on Windows. */
  readonly windows: boolean
  /** ISO moment at which the backup began. */
  readonly madeAt: string
}

export function manifestFor(major: string, madeAt: Date): Manifest {
  return {
    format: FORMAT,
    major,
    windows: process.platform === 'win32',
    madeAt: madeAt.toISOString(),
  }
}

/** @returns null when the text is no manifest of a backup that this version knows */
export function readManifest(text: string): Manifest | null {
  try {
    const read: unknown = JSON.parse(text)
    if (typeof read !== 'object' || read === null) return null
    if (!('format' in read && 'major' in read && 'windows' in read && 'madeAt' in read)) return null
    const { format, major, windows, madeAt } = read
    if (format !== FORMAT || typeof major !== 'string') return null
    if (typeof windows !== 'boolean' || typeof madeAt !== 'string') return null
    return { format, major, windows, madeAt }
  } catch {
    return null
  }
}
