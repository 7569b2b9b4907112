import { z } from 'zod'
import { levelsOf } from '#domain/claim/claim.ts'
import { isoDay } from '#domain/day.ts'
import { type PostDate } from '#domain/posts/date-words.ts'
import { type PostReading } from '#domain/posts/post-reading.ts'
import { readPostDate } from '#domain/posts/reading-fields.ts'
import dates from './date-cases.json' with { type: 'json' }
import foreign from './foreign-posts.json' with { type: 'json' }
import heldOut from './held-out-cases.json' with { type: 'json' }
import idioms from './idiom-cases.json' with { type: 'json' }
import language from './language-cases.json' with { type: 'json' }
import none from './no-posts.json' with { type: 'json' }
import plain from './plain-posts.json' with { type: 'json' }
import prices from './price-cases.json' with { type: 'json' }

/**
 * A post of our own wording; what a careful reader takes from it, as `readingLine` writes it; and when it was posted
 * (`CASE_POSTED` unless given).
 */
export type Case = readonly [text: string, expected: string, posted?: string | null]

/** A Tuesday. */
const CASE_POSTED = '2026-03-10'

const labelled = z.tuple([z.string(), z.string()])
const read = z.array(labelled.or(z.tuple([z.string(), z.string(), z.string().nullable()])))
const casesOf = (groups: Readonly<Record<string, unknown>>): readonly Case[] =>
  read.parse(Object.values(groups).flat())

/** Dates in all their forms. */
export const DATE_CASES = casesOf(dates)
/** Turns of phrase of people who post about prices, and posts full of figures that predict nothing. */
export const IDIOM_CASES = casesOf(idioms)
/** The statement, its speaker, and whether it is serious. */
export const LANGUAGE_CASES = casesOf(language)
/** Prices in all their forms; "by end of 2026" where the deadline is not what is tested. */
export const PRICE_CASES = casesOf(prices)
/**
 * Posts in whole sentences, labelled before the parser had seen them. They must not shape its rules: a share may be
 * misread, as the test and the benchmark show.
 */
export const HELD_OUT_CASES = read.parse(heldOut)
/** English posts, as `fullLine` writes what they say, and, where the parser is not there yet, what it reads instead. */
export const PLAIN_POSTS = z
  .array(labelled.or(z.tuple([z.string(), z.string(), z.string()])))
  .parse(Object.values(plain).flat())
/** English posts that predict nothing. */
export const NO_POSTS: readonly string[] = none
/** Posts in other languages, with the English names of these. */
export const FOREIGN_POSTS = z.array(labelled).parse(foreign)

export function postedOf([, , posted = CASE_POSTED]: Case): PostDate | null {
  return posted === null ? null : readPostDate(posted)
}

/** `btc range 100000-120000 2026-12-31`, with `-` for no deadline; `none` without a prediction. */
export function readingLine(reading: PostReading): string {
  if (!reading.found) return 'none'
  const { asset, claim, by } = reading.prediction
  const { min, max } = levelsOf(claim)
  const levels = [...new Set([min, max])].join('-')
  return [asset, claim.type, levels, by === null ? '-' : isoDay(by)].join(' ')
}

/** The line with timing and direction: `at_end` or `throughout` if it is not the default, `up` or `down` if stated. */
export function fullLine(reading: PostReading): string {
  if (!reading.found) return 'none'
  const { timing, direction } = reading.prediction.claim
  return [readingLine(reading), timing, direction].filter((one) => one !== undefined).join(' ')
}
