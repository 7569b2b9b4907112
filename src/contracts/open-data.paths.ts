/** What anyone may do with the record. */
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
 * The address of a page's view as a file: `/btc?status=miss` is `/btc.csv?status=miss`; null for a page that has none.
 *
 * @param search with or without its question mark
 */
export function viewFile(path: string, search: string, format: ViewFormat): string | null {
  const isOne = /^\/predictions\/[^/]+$/.test(path)
  if (isOne && format === 'csv') return null
  if (
    !isOne &&
    !/^\/(?:btc|mstr|naka|corrections|reports|experts(?:\/[^/]+)?|history(?:\/[^/]+)?|years(?:\/\d{4}(?:\/[^/]+)?)?)$/.test(
      path,
    )
  )
    return null
  const query = search.replace(/^\?/, '')
  return `${path}.${format}${query === '' ? '' : `?${query}`}`
}

/** `Proof of Price: “Bitcoin price predictions”, as of 24 Nov 2026, rule set 2. https://… CC BY 4.0.` */
export function citationOf(given: {
  readonly title: string
  /** The day, in words. */
  readonly day: string
  readonly rule: number
  readonly url: string
}): string {
  return `Proof of Price: “${given.title}”, as of ${given.day}, rule set ${String(given.rule)}. ${given.url} (${LICENCE.name})`
}

/** What the views are called, on their pages and in their files. */
export const VIEW_TITLES = {
  asset: (name: string) => `${name} price predictions`,
  board: 'People compared with luck',
  person: (name: string) => `Price predictions of ${name}`,
  corrections: 'Corrections of the record',
  reports: 'Reported errors of the record',
  said: (name: string) => `Every ${name} call against the price`,
  years: 'Calls year by year',
  year: (name: string, year: number) => `${name} calls of ${String(year)}`,
} as const
