import {
  readPartialDay,
  dayOf,
  endOfPrecision,
  isoDay,
  partsOf,
  showDay,
  type DatePrecision,
  type Day,
} from '#domain/day.ts'
import { postDay } from '#domain/posts/post-url.ts'

export const SOURCE_KINDS = ['own', 'filing', 'interview', 'report', 'repost'] as const
export type SourceKind = (typeof SOURCE_KINDS)[number]

export type Source = {
  readonly kind: SourceKind
  readonly url: string
  /** Date of publication: `2024-08-08`, `2024-08` or `2024`; null if unknown. */
  readonly date: string | null
  readonly archivedUrl: string | null
  readonly quotation: { readonly text: string; readonly speaker: string } | null
  /** Since when the link has been dead, `2026-11-20`: measured, not part of the record. */
  readonly deadSince?: string
}

export const MOST_SOURCES = 10

export const SOURCE_KIND_NAMES: Readonly<Record<SourceKind, string>> = {
  own: 'Own post or video',
  filing: 'Filing',
  interview: 'Interview',
  report: 'Report',
  repost: 'Repost',
}

export function bestFirst(sources: readonly Source[]): readonly Source[] {
  return sources.toSorted(
    (a, b) =>
      SOURCE_KINDS.indexOf(a.kind) - SOURCE_KINDS.indexOf(b.kind) ||
      Number(a.archivedUrl === null) - Number(b.archivedUrl === null) ||
      compare(lastDayOf(a), lastDayOf(b)),
  )
}

/** Sort key: the last possible day; sources without a date come last. */
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

export function isKnownFromReposts(sources: readonly Source[]): boolean {
  return sources.length > 0 && sources.every(({ kind }) => kind === 'repost')
}

/** A source with all its details on one line, for histories and comparisons. */
function sourceText({ kind, url, date, archivedUrl, quotation }: Source): string {
  return [
    `${SOURCE_KIND_NAMES[kind]}${date === null ? '' : ` of ${showSourceDate(date)}`}: ${url}`,
    archivedUrl === null ? null : `archived at ${archivedUrl}`,
    quotation === null ? null : `“${quotation.text}” (${quotation.speaker})`,
  ]
    .filter((part) => part !== null)
    .join(', ')
}

export function sourcesText(sources: readonly Source[]): string {
  return sources.map(sourceText).join('\n')
}

export function areSameSources(a: readonly Source[], b: readonly Source[]): boolean {
  return sourcesText(a) === sourcesText(b)
}

/** People do not repeat a statement as if new after longer than this. */
const MUCH_LATER_DAYS = 30

export type DayConflict = {
  /** A source cannot be older than the prediction; a person's own post cannot be younger, but other posts may be. */
  readonly code: 'source-older' | 'own-post-younger' | 'post-younger'
  /** `The post is from 16/11/2025` */
  readonly found: string
  /** ISO; null if the exact day is unknown. */
  readonly day: string | null
}

/**
 * Compares a prediction's date with its sources: reports an older source, or else a younger post if no other post
 * matches. Articles and filings are often younger.
 */
export function dayConflict(
  sources: readonly Pick<Source, 'kind' | 'url' | 'date'>[],
  { made, precision }: { readonly made: Day; readonly precision: DatePrecision },
): DayConflict | null {
  const { year, month } = partsOf(made)
  const first = { day: made, month: dayOf(year, month, 1), year: dayOf(year, 1, 1) }[precision]
  const last = endOfPrecision(made, precision)
  const dated = sources.flatMap((source) => {
    const posted = postDay(source.url)
    const date = posted === null ? source.date : isoDay(posted)
    const of = date === null ? null : readPartialDay(date)
    return of === null || date === null ? [] : [{ source, of, isPost: posted !== null, date }]
  })
  const older = dated.find(({ of }) => of.last < first)
  const posts = dated.filter(({ isPost }) => isPost)
  const younger = posts.every(({ of }) => of.first > last) ? posts[0] : undefined
  const one = older ?? younger
  if (!one) return null
  const isOwnLate = one.source.kind === 'own' && one.of.first > last + MUCH_LATER_DAYS
  return {
    code: older ? 'source-older' : isOwnLate ? 'own-post-younger' : 'post-younger',
    found: `The ${one.isPost ? 'post' : 'source'} is from ${one.isPost ? showDay(one.of.first) : showSourceDate(one.date)}`,
    day: one.of.precision === 'day' ? isoDay(one.of.first) : null,
  }
}
