/** What a source is, the most telling kind first. */
export const SOURCE_KINDS = ['own', 'filing', 'interview', 'report', 'repost'] as const
export type SourceKind = (typeof SOURCE_KINDS)[number]

/** Where a prediction can be read or heard. */
export type Source = {
  readonly kind: SourceKind
  readonly url: string
  /** When it was published: `2024-08-08`, or `2024-08` or `2024` when no more is known; null for nothing at all. */
  readonly date: string | null
  /** A copy of the same page in an archive. */
  readonly archivedUrl: string | null
  readonly quotation: { readonly text: string; readonly speaker: string } | null
  /** The day since which the address no longer answers, `2026-11-20`: found out, and no part of what is on record. */
  readonly deadSince?: string
}

/** The most sources of one prediction. */
export const MOST_SOURCES = 10

export const SOURCE_KIND_NAMES: Readonly<Record<SourceKind, string>> = {
  own: 'Own post or video',
  filing: 'Filing',
  interview: 'Interview',
  report: 'Report',
  repost: 'Repost',
}

/** Sources in the published order; those that it does not tell apart stay in the order given. */
export function bestFirst(sources: readonly Source[]): readonly Source[] {
  return sources.toSorted(
    (a, b) =>
      SOURCE_KINDS.indexOf(a.kind) - SOURCE_KINDS.indexOf(b.kind) ||
      Number(a.archivedUrl === null) - Number(b.archivedUrl === null) ||
      compare(lastDayOf(a), lastDayOf(b)),
  )
}

/** Of a month or a year the last day that it may mean; after all days where there is no date. */
function lastDayOf({ date }: Source): string {
  return date === null ? 'none' : date + '-12-31'.slice({ 4: 0, 7: 3 }[date.length] ?? 6)
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1
}

/** `08/08/2024`, `08/2024` or `2024` */
export function showSourceDate(date: string): string {
  return date.split('-').toReversed().join('/')
}

/** The address of the best source. @param sources best first */
export function sourceUrlOf(sources: readonly Source[]): string | null {
  return sources[0]?.url ?? null
}

/** Whether there are sources, and all of them repeat what someone else published. */
export function isKnownFromReposts(sources: readonly Source[]): boolean {
  return sources.length > 0 && sources.every(({ kind }) => kind === 'repost')
}

/** A source in one line, with all that is known of it: for histories and comparisons. */
function sourceText({ kind, url, date, archivedUrl, quotation }: Source): string {
  return [
    `${SOURCE_KIND_NAMES[kind]}${date === null ? '' : ` of ${showSourceDate(date)}`}: ${url}`,
    archivedUrl === null ? null : `archived at ${archivedUrl}`,
    quotation === null ? null : `“${quotation.text}” (${quotation.speaker})`,
  ]
    .filter((part) => part !== null)
    .join(', ')
}

/** All of them, a line each. */
export function sourcesText(sources: readonly Source[]): string {
  return sources.map(sourceText).join('\n')
}

/** Whether two lists of sources say the same, in the same order. */
export function areSameSources(a: readonly Source[], b: readonly Source[]): boolean {
  return sourcesText(a) === sourcesText(b)
}
