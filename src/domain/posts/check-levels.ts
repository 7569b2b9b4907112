import { partsOf, readDay } from '#domain/day.ts'
import { amountsIn } from './amounts.ts'
import { type PostDate } from './date-words.ts'
import { datesIn } from './dates.ts'
import { readable } from './full-words.ts'
import { levelsIn } from './levels.ts'
import { overlaps, type Span } from './plain.ts'
import { type PostToRead } from './reading-fields.ts'

/** How well quoted words support a value: yes, maybe or no, with the reason. */
export type Backing =
  | { readonly backed: 'yes' }
  | { readonly backed: 'perhaps' | 'no'; readonly why: string }

const YES: Backing = { backed: 'yes' }
const DIGIT = /\d/
const NUMBER_WORD =
  /\b(?:hundred|thousand|grand|million|mil|billion|figures?|figs?|ten|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)\b/i
/** The lowest and highest level accepted, USD. */
const PRICES = { least: 1e-8, most: 1e12 }

/**
 * Whether the rule-based reader finds a level in its quoted words. A number that the words do not state is not backed,
 * however plausible: "doubles from here" states none.
 */
export function levelBacking(
  { text, language }: Pick<PostToRead, 'text' | 'language'>,
  span: Span,
  usd: number,
  posted: PostDate | null,
): Backing {
  if (!(usd >= PRICES.least && usd <= PRICES.most)) return no('it is not a possible price')
  const { plain, inPlain } = readable(text)
  const quoted = inPlain(span)
  const { levels, refused } = levelsIn(plain, datesIn(plain, posted))
  const read = levels.flatMap((level) => [
    ...(overlaps(level.low, quoted) ? [{ usd: level.min, short: level.short && level.plain }] : []),
    ...(overlaps(level.high, quoted)
      ? [{ usd: level.max, short: level.short && level.plain }]
      : []),
  ])
  if (read.some((one) => same(one.usd, usd))) return YES
  if (read.some((one) => one.short && same(one.usd * 1_000, usd))) {
    return perhaps('it takes the number to be in thousands, which the words do not say')
  }
  const amounts = amountsIn(plain).filter((one) => overlaps(one, quoted))
  const amount = amounts.find((one) => same(one.value, usd))
  if (amount?.kind === 'foreign') return no('the words name a currency other than the dollar')
  const words = text.slice(span.start, span.end)
  if (language !== null) {
    return saysDigits(plain.slice(quoted.start, quoted.end), usd)
      ? perhaps(`the words are in ${language}, which only the model reads`)
      : no('the words say another number')
  }
  if (amount?.kind === 'coins') return no('the words state an amount of coins')
  if (amount?.kind === 'other') return no('the words state something other than a price')
  if (amount && refused.some((one) => overlaps(one, amount))) {
    return perhaps('the words seem to state a size, a trade or the price it comes from')
  }
  if (amount) return perhaps('the words may state something other than a price')
  if (amounts.length > 0 || read.length > 0) return no('the words say another number')
  if (!DIGIT.test(words) && !NUMBER_WORD.test(words)) {
    return no('the words contain no number')
  }
  return perhaps('the words could not be read as a number without the model')
}

/**
 * Whether the rules find a day in its quoted words. A day outside the period they name is not backed; one inside it
 * that is not its last day may be.
 */
export function dateBacking(
  { text, language }: Pick<PostToRead, 'text' | 'language'>,
  span: Span,
  iso: string,
  posted: PostDate | null,
  which: 'deadline' | 'start',
): Backing {
  const day = readDay(iso)
  if (day === null) return no('it is not a real date')
  if (posted !== null && posted.precision === 'day' && which === 'deadline' && day <= posted.day) {
    return no('it is not after the day of the post')
  }
  const { plain, inPlain } = readable(text)
  const quoted = inPlain(span)
  const mentions = datesIn(plain, posted).filter((one) => overlaps(one, quoted))
  const ahead = mentions.filter((one) => one.kind !== 'past')
  if (which === 'deadline' && ahead.some((one) => one.by === day)) return YES
  if (which === 'start' && ahead.some((one) => one.from === day || one.begins === day)) return YES
  if (ahead.some(({ from, begins, by }) => day >= (from ?? begins) && day <= by)) {
    return perhaps('the words name a period that contains it, but not this exact day')
  }
  const words = text.slice(span.start, span.end)
  if (language !== null && posted !== null && saysYear(words, partsOf(day).year)) {
    return perhaps(`the words are in ${language}, which only the model reads`)
  }
  if (mentions.length > 0) return no('the words name another time')
  // Relative dates need the day of the post.
  if (posted === null || !DIGIT.test(words)) return no('the words name no day')
  return perhaps('the words could not be read as a date without the model')
}

/** Whether digits quoted in another language may be those of a price; its units are unknown here. */
function saysDigits(words: string, usd: number): boolean {
  const numbers = words.match(/\d+(?:[.,' ]\d{3})*(?:[.,]\d+)?/g) ?? []
  const readings = [...numbers, numbers.join('')].map(significant)
  return numbers.length === 0 || readings.includes(significant(String(usd)))
}

function significant(number: string): string {
  return number.replace(/\D/g, '').replace(/^0+|0+$/g, '')
}

/** Whether the words can name a day of that year: "before 2028" names the last day of 2027. */
function saysYear(words: string, year: number): boolean {
  const years = (words.match(/20\d\d/g) ?? []).map(Number)
  return years.length === 0 || years.includes(year) || years.includes(year + 1)
}

function same(a: number, b: number): boolean {
  return Math.abs(a - b) <= Math.abs(b) * 1e-9
}

function perhaps(why: string): Backing {
  return { backed: 'perhaps', why }
}

function no(why: string): Backing {
  return { backed: 'no', why }
}
