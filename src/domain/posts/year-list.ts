import { partsOf } from '#domain/day.ts'
import { type PostDate } from './period.ts'

/** "2024: $69k": a year with its price, as lists have them. */
const ENTRY = /\b(?<year>20\d\d)\b ?(?:[:=|]|->|→|-) ?~?\$?\d/gu
const AHEAD =
  /\b(?:will|predict\w*|targets?|forecasts?|expect\w*|outlook|projection\w*|calls?|going to|gonna|next|by)\b/i

/**
 * Whether a post lists the past: prices of past years and of the year of the post, and of no later year. A word about
 * the future means that it does not.
 */
export function listsPastYears(plain: string, posted: PostDate | null): boolean {
  if (posted === null) return false
  const years = [...plain.matchAll(ENTRY)].map(({ groups }) => Number(groups?.['year']))
  const { year: now } = partsOf(posted.day)
  const past = new Set(years.filter((year) => year < now))
  return past.size >= 2 && Math.max(...years) === now && !AHEAD.test(plain)
}
