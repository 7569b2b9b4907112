import { TOP_LEVEL_DOMAINS } from '#domain/top-level-domains.ts'
import { type SocialNetwork } from './social-post.ts'

/** Maximum weight of a post on X without a subscription; a heavier one is a "Long tweet". */
export const SHORT_POST = 280
/** Weighted limits of the two panels (administrator-tools.md §9). */
export const PANEL_LIMIT = 4_000
export const COMPOSER_LIMIT = 10_000
/** X rejects posts with more ("Self-serve content rules" of its API). */
export const MOST_CASHTAGS = 1
export const MOST_PICTURES = 4

/** Price of a post on X, USD; more with a link. @see https://docs.x.com/x-api/getting-started/pricing */
export const POST_USD = 0.015
export const LINK_POST_USD = 0.2
/** Price of an alternative text on X, USD. */
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
/** Emoji that X counts as one with a redundant variation selector; on any other, that selector weighs 2. */
const SELECTED =
  /[\u231A\u231B\u25FD\u25FE\u2614\u2615\u2648-\u2653\u267F\u2693\u26A1\u26AA\u26AB\u26BD\u26BE\u26C4\u26C5\u26D4\u26EA\u26F2\u26F3\u26F5\u26FA\u26FD\u2757\u2B1B\u2B1C\u2B50\u2B55\u{1F004}\u{1F21A}\u{1F22F}]\uFE0F/v
/** Keycaps without their variation selector are also displayed and counted as emoji. */
const EMOJI = new RegExp(`${SELECTED.source}|\\p{RGI_Emoji}|[#*0-9]\\u20E3`, 'gv')
/** Characters that X rejects. */
const FORBIDDEN = /[\uFFFE\uFEFF\uFFFF]/

/** Measures a text as X does. */
export function measurePost(text: string) {
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
    /** Weighted length on X. */
    weight,
    isLong: weight > SHORT_POST,
    links: links.map(({ start, end }) => normal.slice(start, end)),
    /** Including their `$`. */
    cashtags: Array.from(normal.matchAll(CASHTAG), ([found]) => found),
    /** Price on X without pictures, USD. */
    usd: links.length > 0 ? LINK_POST_USD : POST_USD,
  }
}

/** The weighted length of a text on X: links 23, emoji 2, CJK 2, most other characters 1. */
export function postWeight(text: string): number {
  return measurePost(text).weight
}

/** Whether X will see a link in the text. */
export function hasUrl(text: string): boolean {
  return linksOf(text.normalize('NFC')).length > 0
}

/** Price of a post, USD. @param altTexts how many pictures have an alternative text */
export function postCost(text: string, altTexts = 0): number {
  return Math.round((measurePost(text).usd + altTexts * ALT_TEXT_USD) * 1_000) / 1_000
}

/** Whether a text looks empty. */
export function isBlank(text: string): boolean {
  return /^[\s\p{Cf}\u3164\uFEFF]*$/u.test(text)
}

/**
 * Why a text cannot be posted on X, as a sentence; null if it can.
 *
 * @param limit weighted limit of the panel; X itself accepts up to 25,000 from subscribers
 */
export function postFault(text: string, limit: number): string | null {
  if (isBlank(text)) return 'Please enter tweet text'
  const { weight, cashtags } = measurePost(text)
  if (weight > limit) {
    return `The text is too long: ${String(weight)} of ${String(limit)} characters, as X counts them. Please shorten it.`
  }
  if (FORBIDDEN.test(text))
    return 'The text contains a character that X refuses. Please type it again.'
  if (cashtags.length > MOST_CASHTAGS) {
    return `X allows one cashtag per post, and this text has ${String(cashtags.length)} (${cashtags.join(', ')}). Write all but one without the $.`
  }
  return null
}

function noteFault(text: string): string | null {
  if (isBlank(text)) return 'Please enter the text of the note'
  const { weight } = measurePost(text)
  return weight <= COMPOSER_LIMIT
    ? null
    : `The note is too long: ${String(weight)} of ${String(COMPOSER_LIMIT)} characters. Please shorten it.`
}

/** Limit of Bluesky, in graphemes. */
export const BLUESKY_LIMIT = 300
const MOST_BLUESKY_BYTES = 3_000

/** Length on Bluesky: a composite emoji or accented letter counts once. */
export function graphemes(text: string): number {
  return Array.from(new Intl.Segmenter('en').segment(text)).length
}

function utf8Length(text: string): number {
  return Array.from(text, (character) => character.codePointAt(0) ?? 0).reduce(
    (sum, point) => sum + (point < 0x80 ? 1 : point < 0x8_00 ? 2 : point < 0x1_00_00 ? 3 : 4),
    0,
  )
}

function blueskyFault(text: string): string | null {
  if (isBlank(text)) return 'Please enter the text for Bluesky'
  const length = graphemes(text)
  if (length > BLUESKY_LIMIT) {
    return `The text is too long for Bluesky: ${String(length)} of ${String(BLUESKY_LIMIT)} characters. Please shorten it.`
  }
  const bytes = utf8Length(text)
  return bytes <= MOST_BLUESKY_BYTES
    ? null
    : `The text is too long for Bluesky: ${String(bytes)} of ${String(MOST_BLUESKY_BYTES)} bytes. Please use fewer emoji or accents.`
}

/** Why a text cannot be posted on a network, as a sentence; null if it can. @param limit weighted, for X */
export function textFault(network: SocialNetwork, text: string, limit: number): string | null {
  switch (network) {
    case 'x':
      return postFault(text, limit)
    case 'nostr':
      return noteFault(text)
    case 'bluesky':
      return blueskyFault(text)
  }
}

/** `$BTC` and the like: up to six letters after a space, so not `$250k`. */
const CASHTAG =
  /(?<=^|[\s\u0085\u180E])\$[a-z]{1,6}(?:[._][a-z]{1,2})?(?=$|\s|[!'#%&()*+,\\\-./:;<=>?@[\]^_{|}~$])/gi

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
/** Characters of a domain: anything but punctuation, spaces and direction marks. */
const DOMAIN =
  /(https?:\/\/)?((?:(?!https?:\/\/)[^\s\u0085\u180E!'#%&()*+,\\/:;<=>?@[\]^{|}~$\uFFFE\uFEFF\uFFFF\u202A-\u202E\u061C\u200E\u200F\u2066-\u2069])+)/giu
const PLAIN_PART = new RegExp(`[-a-z0-9${ACCENTS}][-.a-z0-9${ACCENTS}]*`, 'giu')
const PATH = new RegExp(
  `[a-z\\u0400-\\u04FF0-9!*';:=+,.$/%#\\[\\]\\-\\u2013_~@|&()${ACCENTS}]*`,
  'iuy',
)
const PATH_END = new RegExp(`[+\\-a-z\\u0400-\\u04FF0-9=_#/)${ACCENTS}]`, 'iu')
const QUERY = /\?[a-z0-9!?*'@();:&=+$/%#[\]\-_.,~|]*/iy
/** X's own short addresses end with their code; longer codes are not links. */
const SHORT = /^t\.co\/([a-z0-9]+)/i
const LONGEST_CODE = 40
/** Characters that must not directly follow a top-level domain. */
const NO_END = /[0-9A-Za-z@+-]/
const QUERY_END = /[a-z0-9\-_&=#/]/i

/** Finds links as X does, with or without a scheme. Linear time. */
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
      done = queryEnd(text, pathEnd(text, from + length))
      const [short, code = ''] = SHORT.exec(text.slice(from, done)) ?? ['']
      const end = short === '' ? done : queryEnd(text, from + short.length)
      if (code.length <= LONGEST_CODE) links.push({ start, end })
      continue
    }
    if (/[-_./]/.test(before)) continue
    const whole = domainLength(domain, text.charAt(from + domain.length))
    if (whole === null) continue
    // Only its ASCII part: in `日本語example.com` that is `example.com`.
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

/** How many leading characters are a domain; null if none. @param next the character after the text */
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

/** How many characters of a label are a top-level domain: all, or its Latin letters if another script follows. */
function topOf(label: string, behind: string): number | null {
  const isPunycode = /^xn--[-0-9a-z]+$/i.test(label)
  if (!NO_END.test(behind) && (isPunycode || TOP_LEVEL_DOMAINS.has(label.toLowerCase()))) {
    return label.length
  }
  const letters = /^[a-z]+/i.exec(label)?.[0] ?? ''
  const isCut = letters.length < label.length && !NO_END.test(label.charAt(letters.length))
  return isCut && TOP_LEVEL_DOMAINS.has(letters.toLowerCase()) ? letters.length : null
}

/** The end of the port and path, and of the query after a path. */
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

/** A path ends before an unbalanced bracket. */
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
