import {
  dayOf,
  endOfPrecision,
  isoDay,
  partsOf,
  showDay,
  type DatePrecision,
  type Day,
} from '#domain/day.ts'
import { readPartialDay } from '#domain/given-day.ts'
import { postDay } from '#domain/posts/post-url.ts'
import { showSourceDate, type Source } from './source.ts'

/** A statement is not repeated by the same person much later as if it were new. */
const MUCH_LATER_DAYS = 30

/** That the day of a source and the day a prediction counts as made cannot both be right. */
export type DayConflict = {
  /** An older source cannot report it, and a person's own post is no late report. Others may be. */
  readonly code: 'source-older' | 'own-post-younger' | 'post-younger'
  /** `The post is from 16/11/2025` */
  readonly found: string
  /** ISO; null where the source's day is not known exactly. */
  readonly day: string | null
}

/**
 * Compares the day a prediction counts as made with its sources: a source that is older by any date known of it, else a post
 * that is younger, unless another post fits. Articles and filings are often younger than what they report.
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
