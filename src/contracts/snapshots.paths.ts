/** The tables of a snapshot, each a CSV and a JSON file, in the order that they are listed in. */
export const SNAPSHOT_TABLES = [
  'predictions',
  'sources',
  'verdicts',
  'scores',
  'scored-calls',
  'corrections',
] as const
export type SnapshotTable = (typeof SNAPSHOT_TABLES)[number]

export const SNAPSHOT_METADATA = 'metadata.json'
export const SNAPSHOT_CHECKSUMS = 'SHA256SUMS'

/** Every file of a snapshot, in the order of its archive. */
export const SNAPSHOT_FILES: readonly string[] = [
  ...SNAPSHOT_TABLES.flatMap((table) => [`${table}.csv`, `${table}.json`]),
  SNAPSHOT_METADATA,
  SNAPSHOT_CHECKSUMS,
]

/** The folder inside the archive of a day. */
export function snapshotFolder(day: string): string {
  return `proof-of-price-${day}`
}

export function archiveName(day: string): string {
  return `${snapshotFolder(day)}.tar.gz`
}

/** The address of a file of a snapshot; `latest` in place of a day leads to the newest one. */
export function snapshotPath(day: string, file: string): string {
  return `/data/${day}/${file}`
}

/** What the snapshots are called where they are cited. */
export const SNAPSHOT_TITLE = 'The whole record'
/** Snapshots of one page. */
export const SNAPSHOTS_A_PAGE = 30
/** The query of `/data` that names a page of older snapshots. */
export const SNAPSHOTS_PAGE = 'page'
