import { truncate } from './clean-text.ts'
import { TOP_LEVEL_DOMAINS } from './top-level-domains.ts'
const OWN_NETWORK =
  /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|lan|home|corp|private|arpa)$/i

/**
 * Reads the address of a source: http or https, on the public internet, by domain name. User information before an `@`
 * is a password or disguises the host; browsers read a backslash as a slash; numeric addresses lead into private
 * networks.
 *
 * @returns null if it is not such an address
 */
export function readSourceAddress(text: string): string | null {
  const [, authority = ''] = /^https?:\/\/([^/?#\s\\]+)(?:[/?#][^\s\\]*)?$/i.exec(text) ?? []
  const [, written = '', port] = /^([^@:[\]]+)(?::(\d{1,5}))?$/.exec(authority) ?? []
  // Browsers normalize letters of other forms, too.
  const host = written.normalize('NFKC')
  // A trailing full stop only marks the name as absolute.
  const name = host.replace(/\.$/, '')
  const labels = name.split('.')
  const isName =
    labels.length > 1 &&
    labels.every((label) =>
      /^[\p{L}\p{M}\p{N}_](?:[\p{L}\p{M}\p{N}_-]{0,61}[\p{L}\p{M}\p{N}_])?$/u.test(label),
    ) &&
    /^(?:[\p{L}\p{M}]{2,63}|xn--[a-z0-9-]{2,59})$/iu.test(labels.at(-1) ?? '')
  if (!isName || OWN_NETWORK.test(name)) return null
  return port === undefined || (Number(port) > 0 && Number(port) < 65_536) ? text : null
}

const DOTS = / ?(?:[([{<] ?(?:\.|dot) ?[)\]}>]|[․‧∙⋅•·۔]) ?/giu
/** Full stops of other scripts, which browsers accept in addresses. */
const IDEOGRAPHIC_DOT = /(?<=[\w-])\s?[。｡︒]\s?(?=\w)/gu
const HIDDEN = /[\p{Cf}\p{Mn}\u034f\ufe00-\ufe0f]/gu
/** `the dot com bubble` is not an address. */
const DOT_IN_WORDS =
  /(?<=[\p{L}\p{N}]) dot (?=[a-z]{2,}\b(?! (?:bubble|bust|boom|crash|crisis|era|mania|years|days)))/giu
/** Endings that are not words: such text is an address even with a space next to the dot. */
const NO_WORDS = 'com|net|org|io|xyz|info|biz|ru|cn'

const FORMS: readonly RegExp[] = [
  // `https://`, `hxxp://`, `tg://`, with spaces or other slashes in between.
  /\bh[tx*]{2}ps?\b\s?[:;]?\s?[/\\⁄∕]{0,2}\s?\S+/iu,
  /\b[a-z][a-z0-9+.-]{1,20}\s?:\s?[/\\⁄∕]{2}\s?\S+/iu,
  /\bwww\d?\s?\.\s?\S+/iu,
  // Markdown and HTML links, whatever their target.
  /\[[^\]\n]{0,200}\]\([^)\s]{1,200}\)/u,
  /<a\s[^>]{0,200}href[^>]{0,200}>?/iu,
  /\b\d{1,3}(?:\.\d{1,3}){3}\b(?:[:/]\S*)?/u,
  // `discord gg/room`
  /\b[a-z0-9-]{2,} (?:gg|ly|me|com|io|org|net)\/\w+/iu,
]
// Labels are limited in length, so that a text of one long word is not rescanned.
const NAME = /(?<![\p{L}\p{N}-])[\p{L}\p{N}-]{1,63}(?:(?:\.| \. )[\p{L}\p{N}-]{1,63})+/gu
const HALF_SPACED = new RegExp(
  `(?<![\\p{L}\\p{N}-])[\\p{L}\\p{N}-]{2,63}(?: \\.|\\. )(?:${NO_WORDS})\\b(?!\\.)(?:/\\S*)?`,
  'u',
)

/**
 * The first web address in a typed text, including disguised ones: without `https://`, with spaced or bracketed full
 * stops, or in letters and full stops of other forms. Prefers false positives: a reviewer checks the result.
 */
export function linkIn(text: string): string | null {
  const plain = text
    .normalize('NFKC')
    .replaceAll(HIDDEN, '')
    .replaceAll(/[^\S\n]+/gu, ' ')
    .replaceAll(DOTS, '.')
    .replaceAll(IDEOGRAPHIC_DOT, '.')
    .replaceAll(DOT_IN_WORDS, '.')
  for (const form of FORMS) {
    const found = form.exec(plain)
    if (found) return short(found[0])
  }
  for (const [name] of plain.matchAll(NAME)) {
    const labels = name.split(/\s?\.\s?/)
    const end = labels.findLastIndex((label, i) => i > 0 && isEnding(label))
    if (end > 0 && labels.slice(0, end).some((label) => /\p{L}/u.test(label))) {
      return short(labels.slice(0, end + 1).join('.'))
    }
  }
  const half = HALF_SPACED.exec(plain)
  return half ? short(half[0]) : null
}

function isEnding(label: string): boolean {
  return TOP_LEVEL_DOMAINS.has(label.toLowerCase()) || /^xn--[a-z0-9-]+$/i.test(label)
}

const LONGEST = 60

function short(found: string): string {
  return truncate(found.trim(), LONGEST)
}
