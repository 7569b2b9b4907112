import { partsOf } from '#domain/day.ts'
import { YEAR, yearOf } from './date-words.ts'
import { yearPeriod, type Period, type PostDate } from './period.ts'

/**
 * One way to write a date. `read` returns null when the words are not a date after all, or need the date of the post
 * and it is not known.
 */
export type DateForm = {
  readonly pattern: RegExp
  /** Words that are a date only after "by", "in", "next" or the like: "March", "may", "12/31". */
  readonly needsLead?: boolean
  /** The words already mean the end of something: "before EOY" is by its last day, not the day before. */
  readonly isEnd?: boolean
  readonly read: (match: RegExpExecArray, posted: PostDate | null) => Period | null
}

export function form(
  source: string,
  read: DateForm['read'],
  more: { needsLead?: boolean; isEnd?: boolean } = {},
): DateForm {
  return { pattern: new RegExp(source, 'gi'), read, ...more }
}

export const group = (match: RegExpExecArray, name: string): string | null =>
  match.groups?.[name] ?? null

export const WHICH_YEAR = String.raw`(?:(?:the\s+)?(?<which>this|next|coming|the)\s+year)`

/** The year that may follow the name of a day or a quarter. */
export const AFTER_YEAR = String.raw`(?:,?\s+(?:of\s+)?(?<year>${YEAR})|\s?(?<year2>'\d\d)\b|\s+of\s+${WHICH_YEAR})?`

/** For a form that already means the end of something. */
export const THE_END = { isEnd: true }

/** The year that a form names, or that of the post's date; null when neither is known. */
export function yearNamed(match: RegExpExecArray, posted: PostDate | null): number | null {
  const named = group(match, 'year') ?? group(match, 'year2')
  if (named !== null) return yearOf(named)
  if (!posted) return null
  const { year } = partsOf(posted.day)
  return /^(?:next|coming)$/i.test(group(match, 'which') ?? '') ? year + 1 : year
}

/** A period without its year is the next one that had not ended when the post was made. */
export function comingPeriod(
  match: RegExpExecArray,
  posted: PostDate | null,
  at: (year: number) => Period | null,
): Period | null {
  const year = yearNamed(match, posted)
  const period = year === null ? null : at(year)
  if (year === null || period === null || posted === null) return period
  const isNamed =
    group(match, 'year') !== null ||
    group(match, 'year2') !== null ||
    group(match, 'which') !== null
  return isNamed || period.to >= posted.day ? period : at(year + 1)
}

export function readYear(match: RegExpExecArray, posted: PostDate | null): Period | null {
  const year = yearNamed(match, posted)
  return year === null ? null : yearPeriod(year)
}
