import { escapeMarkup } from '#domain/clean-text.ts'

export const EMBED_THEMES = ['light', 'dark'] as const
export type EmbedTheme = (typeof EMBED_THEMES)[number]

/** The only parameter of an embed that its page does not have. */
export const THEME_PARAM = 'theme'

/** Sufficient height at any width from 320 px, CSS pixels; see docs/embeds.md. */
const HEIGHTS = { chart: 660, prediction: 660, person: 470, board: 840 } as const
type EmbedKind = keyof typeof HEIGHTS

function kindOf(path: string): EmbedKind | null {
  if (/^\/(?:btc|mstr|naka)$/.test(path)) return 'chart'
  if (path === '/experts') return 'board'
  if (/^\/predictions\/[^/]+$/.test(path)) return 'prediction'
  return /^\/experts\/[^/]+$/.test(path) ? 'person' : null
}

/** Recommended frame height of a page's embed, CSS pixels. */
export function embedHeight(path: string): number {
  return HEIGHTS[kindOf(path) ?? 'chart']
}

/**
 * The embed address of a page, with its filters: `/btc?status=miss` becomes `/embed/btc?status=miss`; null if the page
 * cannot be embedded.
 *
 * @param search with or without its question mark
 */
export function embedPath(path: string, search: string, theme: EmbedTheme | null = null) {
  if (kindOf(path) === null) return null
  const query = [search.replace(/^\?/, ''), theme === null ? '' : `${THEME_PARAM}=${theme}`]
    .filter((part) => part !== '')
    .join('&')
  return `/embed${path}${query === '' ? '' : `?${query}`}`
}

/** The oEmbed address of a page. @param url of the page, absolute */
export function oembedPath(url: string, format: 'json' | 'xml'): string {
  return `/oembed?url=${encodeURIComponent(url)}&format=${format}`
}

const SANDBOX = 'allow-scripts allow-popups allow-popups-to-escape-sandbox'

/** HTML for embedding. @param src absolute address of the embed */
export function embedCode(frame: {
  readonly src: string
  readonly title: string
  readonly width: number | '100%'
  readonly height: number
}): string {
  const { src, title, width, height } = frame
  return `<iframe src="${escapeMarkup(src)}" title="${escapeMarkup(title)}" width="${String(width)}" height="${String(height)}" loading="lazy" sandbox="${SANDBOX}" style="border:0"></iframe>`
}

export const LICENCE = {
  name: 'CC BY 4.0',
  url: 'https://creativecommons.org/licenses/by/4.0/',
  about:
    'Our summaries, verdicts and scores may be used by anyone who names this site. Quotations belong to those who said them. Prices belong to their sources; “About the data” says what those allow.',
} as const

/** The formats of a view, as the end of its address. */
export const VIEW_FORMATS = ['csv', 'json', 'metadata.json'] as const
export type ViewFormat = (typeof VIEW_FORMATS)[number]

/**
 * The address of a page's view as a file: `/btc?status=miss` becomes `/btc.csv?status=miss`; null for pages without files.
 *
 * @param search with or without its question mark
 */
export function viewFile(path: string, search: string, format: ViewFormat): string | null {
  const isOne = /^\/predictions\/[^/]+$/.test(path)
  if (isOne && format === 'csv') return null
  if (
    !isOne &&
    !/^\/(?:btc|mstr|naka|today|corrections|reports|experts(?:\/[^/]+)?|history(?:\/[^/]+)?|years(?:\/\d{4}(?:\/[^/]+)?)?)$/.test(
      path,
    )
  )
    return null
  const query = search.replace(/^\?/, '')
  return `${path}.${format}${query === '' ? '' : `?${query}`}`
}

/** `Proof of Price: “Bitcoin price predictions”, as of 24 Nov 2026, rule set 2. https://… CC BY 4.0.` */
export function citationOf(source: {
  readonly title: string
  readonly day: string
  readonly rule: number
  readonly url: string
}): string {
  return `Proof of Price: “${source.title}”, as of ${source.day}, rule set ${String(source.rule)}. ${source.url} (${LICENCE.name})`
}

export const VIEW_TITLES = {
  asset: (name: string) => `${name} price predictions`,
  board: 'People compared with luck',
  person: (name: string) => `Price predictions of ${name}`,
  today: 'What is new',
  corrections: 'Corrections of the record',
  reports: 'Reported errors of the record',
  said: (name: string) => `Every ${name} call against the price`,
  years: 'Calls year by year',
  year: (name: string, year: number) => `${name} calls of ${String(year)}`,
} as const

/** The tables of a snapshot, each a CSV and a JSON file, in the order of their lists. */
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

/** Stable name of the latest archive. */
export const LATEST_ARCHIVE = 'proof-of-price.tar.gz'

/** The address of a snapshot's file; `latest` instead of a day is the newest one. */
export function snapshotPath(day: string, file: string): string {
  return `/data/${day}/${file}`
}

export const SNAPSHOT_TITLE = 'The whole record'
export const SNAPSHOTS_A_PAGE = 30

/** The page of snapshots that the query of `/data` names, from 1. */
export function readSnapshotsPage(text: string | null): number {
  const page = Number(text)
  return /^[1-9]\d{0,4}$/.test(text ?? '') ? page : 1
}

export function snapshotsPath(page: number): string {
  return page === 1 ? '/data' : `/data?page=${String(page)}`
}

export type DataExample = { readonly about: string; readonly path: string }

export const DATA_EXAMPLES: readonly DataExample[] = [
  { about: 'The predictions of the newest snapshot', path: '/data/latest/predictions.csv' },
  { about: 'All snapshots, with the checksums of their files', path: '/api/v1/snapshots' },
  { about: 'Bitcoin calls that missed, as the page lists them', path: '/btc.csv?status=miss' },
  { about: 'What the columns of that file mean', path: '/btc.metadata.json?status=miss' },
  { about: 'Everybody compared with luck', path: '/experts.json' },
  { about: 'Every Bitcoin call with both verdicts and their evidence', path: '/api/predictions' },
  {
    about: 'Everybody’s scores by daily closes, with each call',
    path: '/api/v1/scores?mode=close',
  },
  { about: 'A description of all calls, for programs (OpenAPI)', path: '/api/openapi.json' },
]
