import { type Mapped } from '#domain/fold-text.ts'
import { plainPost } from '#domain/posts/plain.ts'
import { inFullWords } from '#domain/posts/full-words.ts'
import { type Span } from '#domain/posts/span.ts'
import { amountShown, NUMBER } from './amount.ts'
import { type Language } from './language.ts'
import { ENGLISH, LATIN, UNKNOWN } from './latin.ts'
import { SCRIPTS } from './scripts.ts'

/** A post as the rules read it, which know English only. */
export type ReadableText = {
  readonly plain: string
  /** `other`: in a language that is read word by word; `unread`: in one that is not read at all. */
  readonly language: 'english' | 'other' | 'unread'
  /** The place in the post of a place in `plain`. */
  readonly inPost: (span: Span) => Span
  /** The place in `plain` of a place in the post. */
  readonly inPlain: (span: Span) => Span
}

/** Stands for a word that could turn the meaning. */
export const TRAP = '\u00A7'
/** A share of letters in another script from which a post is in that script's language. */
const LEAST_SHARE = 0.2
/** In Latin letters so many letters that English does not have, and hardly an English word, are another language. */
const MOST_MARKED = 2

const word = (words: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}_])(?:${words})(?![\\p{L}\\p{N}_])`, 'giu')
const HINTS = LATIN.map((language) => {
  const { hints, months, will, above, could, before } = language
  // "August" and "target" are English as well.
  const named = months.filter((one) => !/^(?:april|august|september|november)$/.test(one))
  const words = [hints, ...named, will.replace('|target', ''), above, could, before].filter(
    (one) => one !== '',
  )
  return { language, pattern: word(words.join('|')) }
})
const UNKNOWN_WORDS = word(UNKNOWN)
const ENGLISH_WORDS = word(ENGLISH)
const LETTER = /\p{L}/gu
const MARKED = /[\u00c0-\u024f\u1e00-\u1eff]/gu

/**
 * A post in the words that the rules know. In another language than English each name of an asset, number, date and verb
 * of the future is put in English, words that could turn the meaning become `TRAP`, and all others are blotted out.
 */
export function readable(text: string): ReadableText {
  const post = plainPost(text)
  const language = languageOf(post.plain)
  if (language === 'unread') return { language, ...placed(post, text.length) }
  if (language === 'english') return { language, ...placed(inFullWords(post), text.length) }
  const { plain, starts, ends } = glossed(post.plain, language)
  const inText = {
    plain,
    starts: starts.map((at) => post.starts[at] ?? text.length),
    ends: ends.map((at) => post.ends[at - 1] ?? 0),
  }
  return { language: 'other', ...placed(inText, text.length) }
}

function placed({ plain, starts, ends }: Mapped, length: number): Omit<ReadableText, 'language'> {
  return {
    plain,
    inPost: ({ start, end }) => ({
      start: starts[start] ?? length,
      end: Math.max(starts[start] ?? 0, ends[end - 1] ?? length),
    }),
    inPlain: ({ start, end }) => {
      const from = ends.findIndex((one) => one > start)
      const to = starts.findLastIndex((one, i) => one < end && (ends[i] ?? 0) > start)
      return from < 0 || to < from
        ? { start: plain.length, end: plain.length }
        : { start: from, end: to + 1 }
    },
  }
}

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

function languageOf(plain: string): Language | 'english' | 'unread' {
  const letters = countOf(plain, LETTER)
  const script = SCRIPTS.map((one) => ({ ...one, count: countOf(plain, one.letters) }))
  const foreign = script.reduce((sum, one) => sum + one.count, 0)
  if (foreign > letters * LEAST_SHARE) {
    // Japanese and Korean posts have Chinese characters, too.
    const [kana, hangul] = [script[0], script[1]]
    const mixed = [kana, hangul].find((one) => one !== undefined && one.count > foreign * 0.15)
    const most = mixed ?? script.reduce((a, b) => (b.count > a.count ? b : a))
    return most.language ?? 'unread'
  }
  const english = countOf(plain, ENGLISH_WORDS)
  const scores = HINTS.map(({ language, pattern }) => ({
    language,
    count: countOf(plain, pattern),
  }))
  const best = scores.reduce((a, b) => (b.count > a.count ? b : a))
  const unknown = countOf(plain, UNKNOWN_WORDS)
  if (Math.max(best.count, unknown) > english) {
    return unknown > best.count ? 'unread' : best.language
  }
  const isMarked = countOf(plain, MARKED) > MOST_MARKED && english < 2
  return isMarked ? 'unread' : 'english'
}

/** What a piece of the text is in English; `raw` stands as it is. */
type Meaning = (found: string) => string

type Table = { readonly pattern: RegExp; readonly meanings: readonly Meaning[] }
const TABLES = new Map<Language, Table>()

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]
const YEAR = String.raw`20\d\d(?!\d)`
const ANY_UNIT =
  'k|m|mio|mln|mld|mrd|mds?|bi|bio|bln|tri|milliard\\p{L}{0,3}|billion\\p{L}{0,3}|bill[oó]n\\p{L}{0,2}|bili[oó]n\\p{L}{0,3}|bilh\\p{L}{1,4}|millard\\p{L}{1,4}|miliard\\p{L}{0,3}|tri(?:ll?i|lh|ly|l[oó]n)\\p{L}{1,4}'

function tableOf(language: Language): Table {
  const known = TABLES.get(language)
  if (known) return known
  const sources: string[] = []
  const meanings: Meaning[] = []
  const add = (
    source: string,
    meaning: string | Meaning,
    bounded = language.isJoined !== true,
  ): void => {
    if (source === '') return
    const whole = bounded ? `(?<![\\p{L}\\p{N}])(?:${source})(?![\\p{L}\\p{N}])` : `(?:${source})`
    sources.push(whole)
    meanings.push(typeof meaning === 'string' ? () => meaning : meaning)
  }
  const { thousand, million, units = {}, numbers } = language
  const month = language.months.join('|')
  const small = language.small === '' ? '' : `(?:(?:${language.small}) )?`
  const blank = language.isJoined ? ' ?' : ' '

  for (const [pattern, english] of language.phrases)
    add(captureless(pattern), phraseMeaning(english))
  add(String.raw`20\d\d[-/.]\d{1,2}[-/.]\d{1,2}`, (found) => found.replace(/[/.]/g, '-'), true)
  // Outside English the day comes first.
  add(String.raw`\d{1,2}[-/.]\d{1,2}[-/.](?:20)?\d\d`, (found) => found.replace(/[-/]/g, '.'), true)
  if (month !== '') {
    const year = `(?:,? ${small}${small}(?:${YEAR}))?`
    add(String.raw`\d{1,2}(?:\.|º|er)? ${small}(?:${month})${year}`, dateMeaning(language))
    add(`(?:${month})${year}`, dateMeaning(language))
  }
  if (language.days !== '') {
    const unit = (words: string, english: string): void =>
      add(
        `(?:(?:${[language.at, 'dentro de|innerhalb von|in den nächsten|en menos de|em|dans les|entro|tra|fra|within|ciągu|в течение'].filter(Boolean).join('|')}) )(?:\\d{1,2}) (?:${words})`,
        (found) => `within ${/\d+/.exec(found)?.[0] ?? ''} ${english}`,
      )
    unit(language.days, 'days')
    unit(language.weeks, 'weeks')
    unit(language.monthsOf, 'months')
    unit(language.years, 'years')
  }
  const isUnit = [...Object.keys(units), million, thousand].filter(Boolean).join('|')
  const words = Object.keys(numbers)
    .toSorted((a, b) => b.length - a.length)
    .join('|')
  const value = (found: string): string => amountShown(found, language) ?? TRAP
  // "A million and a half" is more than a million.
  const plainly = language.isJoined
    ? ''
    : '(?![\\p{L}\\p{N}]| (?:y|e|et|und|i) (?:medi[oa]|mei[oa]|demi|halb|mezz|pół))'
  // A piece of a longer number is another number: "five thousand" is not in "thirty-five thousand".
  const whole = language.isJoined
    ? (source: string) => `(?<![\\d.,]|${words})(?:${source})`
    : (source: string) =>
        `(?<![\\p{L}\\p{N}.,-]|(?:${words}) (?:(?:y|e|et|i|and|و) )?)(?:${source})${plainly}`
  const spelled = `(?:(?:${words})${blank}){1,5}(?:${isUnit})`
  const latin = `(?:${ANY_UNIT})(?![\\p{Script=Latin}])`
  // "Two bitcoins will be worth": the price of several, or of a part.
  add(
    `(?<![$\\d.,-])(?!20\\d\\d)\\d{1,9}(?:[.,]\\d{1,9})? ?(?:[个個枚개] ?)?(?:${language.btc}|btc)`,
    TRAP,
    false,
  )
  const counted = `(?:${NUMBER})(?: ?(?:(?:${isUnit})|${latin}))+`
  // "14만 5천" and "12万5000" are one number, as is "十二万五千".
  const [rest, spelledRest] = language.isJoined
    ? [
        `(?: ?(?:${NUMBER})(?:${isUnit})?(?= ?(?:${language.dollar})))?`,
        `(?:(?:${words}){1,5}(?:${isUnit}))?`,
      ]
    : ['', '']
  add(`(?<![\\d.,])${counted}${rest}${plainly}`, value, false)
  add(
    whole([spelled + spelledRest, ...Object.keys(language.compounds ?? {})].join('|')),
    value,
    false,
  )
  add(YEAR, (found) => found, false)
  // Of an unknown unit or thing in a language without blanks nothing is read.
  add(
    language.isJoined ? `(?:${NUMBER})(?=${language.dollar}|\\P{L}|$)` : NUMBER,
    (found) => found,
    false,
  )

  add(language.traps, TRAP)
  add(LAUGHTER, TRAP, false)
  // Reais, pesos and other dollars.
  add('(?<!\\p{L})(?:r|a|au|c|ca|hk|nt|mx|nz|s)\\$', '€', false)
  add(language.btc, 'bitcoin')
  add('bitcoin|btc|xbt|mstr|microstrategy|naka|nakamoto games', (found) => found, true)
  add('マイクロストラテジー|微策略|마이크로스트래티지|микростратег\\p{L}{1,3}', 'mstr', false)
  add(language.other, 'ethereum')
  add(`(?:${small})(?:${language.dollar})`, 'dollars')
  add('us\\$|usd[tc]?|us', (found) => found, true)
  add(language.money, 'euros')
  add(language.before, 'before')
  add(language.by, 'by')
  add(language.end, 'end of')
  add(language.middle, 'mid')
  add(language.start, 'early')
  add(language.could, 'could')
  add(language.will, 'will reach')
  add(language.least, 'at least')
  add(language.above, 'above')
  // "Falls below" and "stays below" are opposites.
  add(language.below, TRAP)
  add(language.between, 'between')
  add(language.and, 'and')
  add(language.at === '' ? '' : `(?:${language.at})(?= ?(?!20\\d\\d)[$\\d])`, 'at')
  add(language.at, 'in')
  add(language.small, '')
  // Names of other assets: tickers, and what is written as one.
  add(
    '[$#]?[a-z]{2,6}|q[1-4]|h[12]|ethereum|solana|xrp|dogecoin',
    (found) =>
      found === found.toUpperCase() || NAMES.test(found) ? found : '_'.repeat(found.length),
    true,
  )
  const groups = sources.map((source, at) => `(?<e${String(at)}>${source})`)
  const table = { pattern: new RegExp(groups.join('|'), 'giu'), meanings }
  TABLES.set(language, table)
  return table
}

/** The table takes the whole piece; its numbers are read again from it. */
function captureless(pattern: string): string {
  return pattern.replace(/\((?!\?)/g, '(?:')
}

function phraseMeaning(english: string): Meaning {
  return (found) => {
    const numbers = found.match(/\d+/g) ?? []
    let at = 0
    const text = english.replace(/#/g, () => numbers[at++] ?? '')
    const named = /^in month (\d+)$/.exec(text)
    if (named) return `by ${MONTHS[Number(named[1]) - 1] ?? TRAP}`
    const monthly = /^in (\d{4})\/(\d+)$/.exec(text)
    if (monthly) return `in ${MONTHS[Number(monthly[2]) - 1] ?? TRAP} ${monthly[1] ?? ''}`
    return text.replace(/-(\d)(?!\d)/g, '-0$1')
  }
}

function dateMeaning({ months }: Language): Meaning {
  const patterns = months.map((source) => word(source))
  return (found) => {
    const at = patterns.findIndex((pattern) => found.search(pattern) >= 0)
    const date = /^\d{1,2}/.exec(found)?.[0]
    const year = /20\d\d$/.exec(found)?.[0]
    return [date, MONTHS[at] ?? TRAP, year].filter((one) => one !== undefined).join(' ')
  }
}

/** What is said laughing may mean the opposite. */
const LAUGHTER =
  '(?<!\\p{L})(?:(?:[hjx][aei]){2,}[hjx]?|k{3,}|(?:rs){2,}|lol|lmao|mdr|ptdr|xd+|(?:[хж]а){2,}[хж]?)(?!\\p{L})|哈{2,}|ㅋ{2,}|ㅎ{2,}|ه{3,}|[😂🤣😜🤪🤡🙄]'
/** A name before a colon: what follows is said by another. A heading has small letters, or words that are known. */
const SPEAKER = /(?:^|[\n.!?] ?)[^\p{L}\p{N}\n_]{0,4}(?<name>_[_ ·.'-]{0,39}):/gu
const SMALL = /(?<!\p{L})\p{Ll}/u
const NAMES = /^(?:q[1-4]|h[12]|ethereum|solana|xrp|dogecoin)$/i
const STOPS: Readonly<Record<string, string>> = {
  '。': '.',
  '।': '.',
  '؟': '?',
  '،': ',',
  '、': ',',
  '؛': ';',
  '「': '"',
  '」': '"',
  '『': '"',
  '』': '"',
}

function glossed(plain: string, language: Language): Mapped {
  const { pattern, meanings } = tableOf(language)
  const starts: number[] = []
  const ends: number[] = []
  let out = ''
  const put = (text: string, from: number, to: number): void => {
    out += text
    for (let i = 0; i < text.length; i += 1) {
      starts.push(from)
      ends.push(to)
    }
  }
  const isWordEnd = (): boolean => out !== '' && /[\p{L}\p{N}_\u00A7.]$/u.test(out)
  const blot = (from: number, to: number): void => {
    for (let at = from; at < to; at += 1) {
      const one = plain.charAt(at)
      const stop = STOPS[one]
      if (stop !== undefined) {
        put(stop, at, at + 1)
        if (stop === '.' || stop === '?') put(' ', at, at + 1)
      } else
        put(
          /[\p{L}\p{M}\p{N}]|[\ud800-\udfff]/u.test(one) && !isSurrogate(one) ? '_' : one,
          at,
          at + 1,
        )
    }
  }
  let last = 0
  for (const match of plain.matchAll(pattern)) {
    blot(last, match.index)
    last = match.index + match[0].length
    const at = meanings.findIndex((_, index) => match.groups?.[`e${String(index)}`] !== undefined)
    const meaning = meanings[at]?.(match[0]) ?? TRAP
    if (meaning === '') continue
    if (meaning !== match[0] && isWordEnd()) put(' ', match.index, match.index)
    else if (out.endsWith('_')) put(' ', match.index, match.index)
    // "31 200" would be one number.
    if (/^\d/.test(meaning) && /\d\s?$/.test(out)) put(' _ ', match.index, match.index)
    put(meaning, match.index, last)
    const next = plain.charAt(last)
    if (/\p{L}/u.test(next)) put(' ', last, last)
  }
  blot(last, plain.length)
  for (const { index, 0: found, groups } of out.matchAll(SPEAKER)) {
    const colon = index + found.length - 1
    const from = starts[colon - (groups?.['name']?.length ?? 0)] ?? 0
    if (SMALL.test(plain.slice(from, starts[colon]))) continue
    out = out.slice(0, colon) + TRAP + out.slice(colon + 1)
  }
  return { plain: out, starts, ends }
}

function isSurrogate(one: string): boolean {
  return /[\ud800-\udfff]/.test(one)
}
