import { readNumber, UNIT_WORDS, unitWorth } from '#domain/claim/written.ts'
import { NUMBER_WORDS, wordNumber } from './date-words.ts'
import { firstEndingAfter, overlaps, type Span } from './plain.ts'

type AmountKind =
  /** US dollars, by sign or word. */
  | 'usd'
  /** A number with a unit such as `k`, or none: a price only if its context says so. */
  | 'bare'
  /** Another currency, never read as US dollars. */
  | 'foreign'
  /** A number of coins or satoshis. */
  | 'coins'
  /** Percent, a multiple (`10x`), or a count (`7k users`). */
  | 'other'

export type Amount = Span & {
  readonly kind: AmountKind
  readonly value: number
  /** `k` is 1,000; null without a unit. */
  readonly unit: number | null
  readonly digits: string
  /** `100k+`, or "six figures": this or more. */
  readonly orMore: boolean
  /** Written in words: "half a million". */
  readonly inWords: boolean
}

const FOREIGN_BEFORE = String.raw`(?:\b(?:ca?|au?|hk|nz|sg?|r|mx|nt)\$|[€£¥₩₹₽₺]|\b(?:chf|eur|gbp|jpy|krw|inr|cad|aud|cny|rmb|brl)\b)`
const FOREIGN_AFTER = String.raw`(?:[€£¥₩₹₽₺円元원]|(?:eur|euros?|gbp|pounds?|quid|jpy|yen|krw|won|inr|rupees?|cad|aud|chf|francs?|cny|rmb|yuan|brl|reais|rubles?|lira|pesos?)\b)`
const GROUPED = String.raw`\d{1,3}(?:,\d{3}){1,4}(?:\.\d{1,4})?|\d{1,3}(?:\.\d{3}){1,4}(?:,\d{1,2})?|\d{1,3}(?:'\d{3}){1,4}(?:\.\d{1,2})?|\d{1,3}(?: \d{3}){1,4}`
const NUMBER = String.raw`(?:(?:${GROUPED})(?![\d])|\d{1,15}(?:[.,]\d{1,8})?|\.\d{1,8})`
const UNIT = String.raw`(?: ?${UNIT_WORDS}(?![\p{L}\d]))`

const AMOUNT = new RegExp(
  String.raw`(?<![\p{L}\d_#]|\d[.,':\/])(?<before>${FOREIGN_BEFORE} ?|(?:\bus ?)?\$ ?|\busd[t]? ?|₿ ?)?(?<number>${NUMBER})(?<unit>${UNIT})?(?![\d_]|[.,']\d|(?<=\d)[:\/]\d)(?<ordinal>(?:st|nd|rd|th)\b)?`,
  'giu',
)

const SPELLED = new RegExp(
  String.raw`(?<![\p{L}\d_#-])(?<before>\$ ?)?(?:(?<half>(?:a )?(?:half|quarter)(?: of)?(?: an?)?|three quarters of a) (?<halfof>million|mil|billion)|(?<figures>(?:[3-8]|three|four|five|six|seven|eight)[ -]?(?:figures?|figs?))|(?<word>${NUMBER_WORDS})(?: (?<hundred>hundred)(?: and)?(?: (?<tens>${NUMBER_WORDS}))?)? (?<scale>thousand|grand|k|million|mil|mill|billion))(?![\p{L}\d])`,
  'giu',
)

/** Counted rather than paid amounts: "7k registered", "1M users", "$500M worth of BTC". */
const COUNTED =
  /^[ -]?(?:registered|users?|followers?|people|humans|holders?|members?|subs(?:cribers)?|wallets?|addresses|accounts|transactions?|txs?|nodes?|jobs?|views?|likes?|rts?|retweets?|companies|merchants?|attendees|customers?|clients?|miners?|blocks?|contracts?|tokens?|shares?|tickets?|investors?|traders?|voters?|stores?|atms?|countries|(?:-?for-?|:)\d+|times|reasons|ways|dollar question|eh\/?s?|th\/?s?|hours?|hrs?|days?|weeks?|months?(?![ -]end)|years?(?![ -]end)|yrs?|minutes?|mins?|candles?|chart|sma|ema|dma|wma|ma\b|week\b|day\b|month\b(?![ -]end)|year\b(?![ -]end)|point|bps|basis)\b/i
const COINS =
  /^ ?(?:(?:btc|bitcoins?|sats?|satoshis?|coins?|eth|ether|sol|xrp|doge|naka|mstr)\b(?! ?[:=]? ?\$?\d)|₿)/i
const SUFFIX_USD = /^ ?(?:\$(?![\w$])|(?:us ?)?dollars?\b|usd[tc]?\b|bucks\b)/i
const SUFFIX_FOREIGN = new RegExp(`^ ?${FOREIGN_AFTER}`, 'i')
const SUFFIX_OTHER = /^ ?(?:%|percent\b|pct\b|bps\b)|^ ?[x×](?![\p{L}\d])|^-?fold\b|^[°º]/iu
/** Letters right after the digits, as in "200DMA": a name, not an amount. */
const LETTERS = /^(?!ish|us|dollar|bucks|eur|gbp|chf|btc|sats|cents|c\b)\p{L}/iu
const CENTS = /^ ?(?:cents?\b|¢)|^c\b/i
const PLUS = /^ ?\+(?! ?\d)/

/** Larger "mil" amounts mean thousands in another language. */
const MOST_MIL = 20

/** All numbers of a text that might be prices, in order. Linear time. */
export function amountsIn(plain: string): readonly Amount[] {
  const inWords = [...plain.matchAll(SPELLED)].flatMap((match) => spelled(plain, match) ?? [])
  const inDigits = [...plain.matchAll(AMOUNT)]
    .flatMap((match) => written(plain, match) ?? [])
    .filter((one) => {
      const other = inWords[firstEndingAfter(inWords, one.start)]
      return other === undefined || !overlaps(other, one)
    })
  return [...inWords, ...inDigits].toSorted((a, b) => a.start - b.start)
}

function written(plain: string, match: RegExpExecArray): Amount | null {
  const { before = '', number: digits = '', unit: unitText = '', ordinal } = match.groups ?? {}
  const unit = unitWorth(unitText.trim())
  const number = readDigits(digits, unit !== null)
  if (number === null || ordinal !== undefined) return null
  const value = Number((number * (unit ?? 1)).toPrecision(12))
  const sign = before.trim()
  const core = { start: match.index, value, unit, digits, inWords: false }
  // "180 mil" is thousands in Spanish and Portuguese; nobody predicts 180 million.
  if (/^mil$/i.test(unitText.trim()) && number >= MOST_MIL) {
    return { ...core, kind: 'other', orMore: false, end: match.index + match[0].length }
  }
  return ended(plain, core, match.index + match[0].length, kindOfSign(sign))
}

function kindOfSign(sign: string): AmountKind {
  if (sign === '') return 'bare'
  if (sign === '₿') return 'coins'
  return /^(?:us ?)?\$$|^usd/i.test(sign) ? 'usd' : 'foreign'
}

/** Adds the suffix of a number: a plus, a currency, coins, percent, counted nouns. */
function ended(
  plain: string,
  core: Pick<Amount, 'start' | 'value' | 'unit' | 'digits' | 'inWords'>,
  at: number,
  sign: AmountKind,
): Amount {
  let end = at
  const plus = PLUS.exec(plain.slice(end, end + 3))
  if (plus) end += plus[0].length
  const rest = plain.slice(end, end + 24)
  const as = (kind: AmountKind, suffix = ''): Amount => {
    return { ...core, kind, orMore: plus !== null, end: end + suffix.length }
  }
  if (core.unit === null && LETTERS.test(rest)) return as('other')
  if (sign === 'foreign') return as('foreign')
  if (SUFFIX_OTHER.test(rest)) return as('other')
  const foreign = SUFFIX_FOREIGN.exec(rest)
  if (foreign && sign !== 'usd') return as('foreign', foreign[0])
  const dollars = SUFFIX_USD.exec(rest)
  if (dollars && sign !== 'coins') {
    end += dollars[0].length
    const more = PLUS.exec(plain.slice(end, end + 3))
    return { ...as('usd', more?.[0]), orMore: plus !== null || more !== null }
  }
  const cents = CENTS.exec(rest)
  if (cents && sign === 'bare') return { ...as('usd', cents[0]), value: core.value / 100 }
  if (sign === 'bare' && COUNTED.test(rest)) return as('other')
  if (sign === 'bare' && COINS.test(rest)) return as('coins')
  return as(sign)
}

function spelled(plain: string, match: RegExpExecArray): Amount | null {
  const groups = match.groups ?? {}
  const figures = groups['figures']
  const end = match.index + match[0].length
  const dollars = groups['before'] !== undefined
  const value = figures === undefined ? wordValue(groups) : figuresValue(figures)
  if (value === null) return null
  const core = { start: match.index, value, unit: value, digits: match[0], inWords: true }
  const amount = ended(plain, core, end, dollars ? 'usd' : 'bare')
  return figures === undefined ? amount : { ...amount, orMore: true }
}

/** The smallest number with that many figures. */
function figuresValue(figures: string): number | null {
  const word = figures.replace(/[ -]?fig.*$/i, '')
  const count = /^\d$/.test(word) ? Number(word) : wordNumber(word)
  return count === null ? null : 10 ** (count - 1)
}

function wordValue(groups: Readonly<Record<string, string | undefined>>): number | null {
  const half = groups['half']?.toLowerCase()
  if (half !== undefined) {
    const part = half.includes('three') ? 0.75 : half.includes('half') ? 0.5 : 0.25
    return part * (unitWorth(groups['halfof'] ?? '') ?? 1)
  }
  const first = wordNumber(groups['word'] ?? '')
  const scale = unitWorth(groups['scale'] ?? '')
  if (first === null || scale === null) return null
  const tens = wordNumber(groups['tens'] ?? '') ?? 0
  return (groups['hundred'] === undefined ? first : first * 100 + tens) * scale
}

/** Before a unit, a single dot or comma is the decimal point: `1.250M`, `1,5M`; otherwise as in `readNumber`. */
function readDigits(digits: string, hasUnit: boolean): number | null {
  if (hasUnit && /^\d+[.,]\d+$/.test(digits) && !/^\d{1,3},\d{3}$/.test(digits)) {
    return Number(digits.replace(',', '.'))
  }
  return readNumber(digits)
}
