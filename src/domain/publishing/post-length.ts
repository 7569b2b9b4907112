import { TOP_LEVEL_DOMAINS } from '#domain/top-level-domains.ts'

/** What a post on X may weigh without a subscription; above it a post is a "Long tweet". */
export const SHORT_POST = 280
/** The two panels' own limits, weighted (administrator-tools.md §9). */
export const PANEL_LIMIT = 4_000
export const DESK_LIMIT = 10_000
/** More than this and X refuses a post ("Self-serve content rules" of its API). */
export const MOST_CASHTAGS = 1
export const MOST_PICTURES = 4

/** What X takes for a post, USD: a link makes it dearer. @see https://docs.x.com/x-api/getting-started/pricing */
export const POST_USD = 0.015
export const LINK_POST_USD = 0.2
/** For noting the alternative text of a picture, USD. */
export const ALT_TEXT_USD = 0.005

const LINK_WEIGHT = 23
const HEAVY = 2
/** Code points that weigh 1; all others weigh 2 (twitter-text, configuration 3). */
const LIGHT: readonly (readonly [from: number, to: number])[] = [
  [0, 4_351],
  [8_192, 8_205],
  [8_208, 8_223],
  [8_242, 8_247],
]
/** Keycaps without their variation selector are drawn, and counted, as emoji too. */
const EMOJI = /\p{RGI_Emoji}|[#*0-9]\u20E3/gv
/** X refuses texts with one of these. */
const FORBIDDEN = /[\uFFFE\uFEFF\uFFFF]/

export type PostMeasure = {
  /** By X's own weighting. */
  readonly weight: number
  /** Above 280. */
  readonly isLong: boolean
  readonly links: readonly string[]
  /** As written, with their `$`. */
  readonly cashtags: readonly string[]
  /** What X takes for it, pictures not counted; USD. */
  readonly usd: number
}

/** A text as X sees it. */
export function measurePost(text: string): PostMeasure {
  const normal = text.normalize('NFC')
  const links = linksOf(normal)
  let weight = 0
  let at = 0
  for (const { start, end } of links) {
    weight += weightOf(normal.slice(at, start)) + LINK_WEIGHT
    at = end
  }
  weight += weightOf(normal.slice(at))
  return {
    weight,
    isLong: weight > SHORT_POST,
    links: links.map(({ start, end }) => normal.slice(start, end)),
    cashtags: cashtagsOf(normal),
    usd: links.length > 0 ? LINK_POST_USD : POST_USD,
  }
}

/** The length of a text by X's own weighting: links 23, emoji 2, CJK 2, most other characters 1. */
export function postWeight(text: string): number {
  return measurePost(text).weight
}

/** Whether X will take something in the text as a link. */
export function hasUrl(text: string): boolean {
  return linksOf(text.normalize('NFC')).length > 0
}

/** What posting costs, USD. @param altTexts how many pictures have an alternative text */
export function postCost(text: string, altTexts = 0): number {
  return Math.round((measurePost(text).usd + altTexts * ALT_TEXT_USD) * 1_000) / 1_000
}

/** Whether a text is empty for people. */
export function isBlank(text: string): boolean {
  return /^[\s\p{Cf}\u3164\uFEFF]*$/u.test(text)
}

/**
 * What keeps a text from being posted on X, as a sentence; null when nothing does.
 *
 * @param limit weighted; a panel's own, as X itself takes up to 25,000 of subscribers
 */
export function postFault(text: string, limit: number): string | null {
  if (isBlank(text)) return 'Please enter tweet text'
  const { weight, cashtags } = measurePost(text)
  if (weight > limit) {
    return `The text is too long: ${String(weight)} of ${String(limit)} characters, as X counts them. Please shorten it.`
  }
  if (FORBIDDEN.test(text)) return 'The text holds a character that X refuses. Please type it anew.'
  if (cashtags.length > MOST_CASHTAGS) {
    return `X takes one cashtag a post, and this text has ${String(cashtags.length)} (${cashtags.join(', ')}). Write all but one without the $.`
  }
  return null
}

/** `$BTC` and its like: up to six letters behind a space, which makes `$250k` none. */
const CASHTAG =
  /(?<=^|[\s\u0085\u180E])\$[a-z]{1,6}(?:[._][a-z]{1,2})?(?=$|\s|[!'#%&()*+,\\\-./:;<=>?@[\]^_{|}~$])/gi

function cashtagsOf(text: string): string[] {
  return [...text.matchAll(CASHTAG)].map(([found]) => found)
}

function weightOf(text: string): number {
  let weight = 0
  const rest = text.replaceAll(EMOJI, () => {
    weight += HEAVY
    return ''
  })
  for (const character of rest) {
    const point = character.codePointAt(0) ?? 0
    weight += LIGHT.some(([from, to]) => point >= from && point <= to) ? 1 : HEAVY
  }
  return weight
}

type Link = { readonly start: number; readonly end: number }

const ACCENTS =
  '\\u00C0-\\u00D6\\u00D8-\\u00F6\\u00F8-\\u024F\\u0253\\u0254\\u0256\\u0257\\u0259\\u025B\\u0263\\u0268\\u026F\\u0272\\u0289\\u028B\\u02BB\\u0300-\\u036F\\u1E00-\\u1EFF'
/** Whatever may stand in a domain: all but punctuation, spaces and marks of direction. */
const DOMAIN =
  /(https?:\/\/)?((?:(?!https?:\/\/)[^\s\u0085\u180E!'#%&()*+,\\/:;<=>?@[\]^{|}~$\uFFFE\uFEFF\uFFFF\u202A-\u202E\u061C\u200E\u200F\u2066-\u2069])+)/giu
const PLAIN_PART = new RegExp(`[-a-z0-9${ACCENTS}][-.a-z0-9${ACCENTS}]*`, 'giu')
const PATH = new RegExp(
  `[a-z\\u0400-\\u04FF0-9!*';:=+,.$/%#\\[\\]\\-\\u2013_~@|&()${ACCENTS}]*`,
  'iuy',
)
const PATH_END = new RegExp(`[+\\-a-z\\u0400-\\u04FF0-9=_#/)${ACCENTS}]`, 'iu')
const QUERY = /\?[a-z0-9!?*'@();:&=+$/%#[\]\-_.,~|]*/iy
/** X's own short addresses end with their code, whatever follows; a longer code makes none. */
const SHORT = /^t\.co\/([a-z0-9]+)/i
const LONGEST_CODE = 40
/** Whatever follows a top-level domain at once and makes it none. */
const NO_END = /[0-9A-Za-z@+-]/
const QUERY_END = /[a-z0-9\-_&=#/]/i

/** Finds links as X does: those without a protocol too, where the domain is one. Linear in the text. */
function linksOf(text: string): Link[] {
  const links: Link[] = []
  let done = 0
  DOMAIN.lastIndex = 0
  for (const found of text.matchAll(DOMAIN)) {
    const [, protocol = '', domain = ''] = found
    const start = found.index
    if (start < done) continue
    const before = start === 0 ? '' : text.charAt(start - 1)
    if (/[A-Za-z0-9@＠$#＃]/.test(before)) continue
    const from = start + protocol.length
    if (protocol !== '') {
      const length = domainLength(domain, text.charAt(from + domain.length))
      if (length === null) continue
      done = tailEnd(text, from + length)
      const [short, code = ''] = SHORT.exec(text.slice(from, done)) ?? ['']
      const end = short === '' ? done : queryEnd(text, from + short.length)
      if (code.length <= LONGEST_CODE) links.push({ start, end })
      continue
    }
    if (/[-_./]/.test(before)) continue
    const whole = domainLength(domain, text.charAt(from + domain.length))
    if (whole === null) continue
    // Only what is plain of it: in `日本語example.com` that is `example.com`.
    for (const part of domain.slice(0, whole).matchAll(PLAIN_PART)) {
      const next = text.charAt(from + part.index + part[0].length)
      const length = domainLength(part[0], next)
      if (length === null) continue
      const at = from + part.index
      const end = at + length
      done =
        at + length === from + whole && /[/:]/.test(text.charAt(end)) ? pathEnd(text, end) : end
      links.push({ start: at, end: done })
    }
  }
  return links
}

/** How much of a text of labels is a domain; null when it is none. @param next the character behind it */
function domainLength(text: string, next: string): number | null {
  const labels = text.split('.')
  const wrong = labels.findIndex((label) => !/^[^-_](?:.{0,61}[^-_])?$/u.test(label))
  for (let last = wrong === -1 ? labels.length - 1 : wrong; last > 0; last -= 1) {
    if ((labels[last - 1] ?? '').includes('_')) continue
    const label = labels[last] ?? ''
    const behind = last === labels.length - 1 ? next : '.'
    const top = topOf(label, behind)
    if (top !== null) return labels.slice(0, last).join('.').length + 1 + top
  }
  return null
}

/** How much of a label is a top-level domain: all of it, or its Latin letters where other writing follows. */
function topOf(label: string, behind: string): number | null {
  const isPunycode = /^xn--[-0-9a-z]+$/i.test(label)
  if (!NO_END.test(behind) && (isPunycode || TOP_LEVEL_DOMAINS.has(label.toLowerCase()))) {
    return label.length
  }
  const letters = /^[a-z]+/i.exec(label)?.[0] ?? ''
  const isCut = letters.length < label.length && !NO_END.test(label.charAt(letters.length))
  return isCut && TOP_LEVEL_DOMAINS.has(letters.toLowerCase()) ? letters.length : null
}

/** The end of port, path and query behind a domain. */
function tailEnd(text: string, from: number): number {
  return queryEnd(text, pathEnd(text, from))
}

/** The end of port and path, and of the query behind a path. */
function pathEnd(text: string, from: number): number {
  const port = /^:\d{1,5}/.exec(text.slice(from, from + 6))?.[0].length ?? 0
  const start = from + port
  if (text.charAt(start) !== '/') return start
  PATH.lastIndex = start
  const longest = start + (PATH.exec(text)?.[0].length ?? 0)
  const end = trimmedEnd(text, start, balancedEnd(text, start, longest), PATH_END)
  return queryEnd(text, Math.max(end, start + 1))
}

function queryEnd(text: string, from: number): number {
  QUERY.lastIndex = from
  const query = QUERY.exec(text)?.[0] ?? ''
  return trimmedEnd(text, from, from + query.length, QUERY_END)
}

/** A path ends before a bracket that was not opened in it, or is not closed. */
function balancedEnd(text: string, start: number, end: number): number {
  const open: number[] = []
  for (let at = start; at < end; at += 1) {
    const character = text.charAt(at)
    if (character === '(') open.push(at)
    if (character === ')' && open.pop() === undefined) return at
  }
  return open[0] ?? end
}

function trimmedEnd(text: string, start: number, end: number, isEnd: RegExp): number {
  let at = end
  while (at > start && !isEnd.test(text.charAt(at - 1))) at -= 1
  return at
}
