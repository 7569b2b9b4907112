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

/** The archive of the newest day, by a name that does not change. */
export const LATEST_ARCHIVE = 'proof-of-price.tar.gz'

/** The address of a file of a snapshot; `latest` in place of a day leads to the newest one. */
export function snapshotPath(day: string, file: string): string {
  return `/data/${day}/${file}`
}

/** What the snapshots are called where they are cited. */
export const SNAPSHOT_TITLE = 'The whole record'
/** Snapshots of one page. */
export const SNAPSHOTS_A_PAGE = 30

/** The page of snapshots that the query of `/data` names, from 1. */
export function readSnapshotsPage(text: string | null): number {
  const page = Number(text)
  return /^[1-9]\d{0,4}$/.test(text ?? '') ? page : 1
}

/** The address of a page of the list of snapshots. */
export function snapshotsPath(page: number): string {
  return page === 1 ? '/data' : `/data?page=${String(page)}`
}
