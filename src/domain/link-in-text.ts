import { TOP_LEVEL_DOMAINS } from './top-level-domains.ts'

/** What people write in the place of a full stop within an address, once the text is NFKC. */
const DOTS = / ?(?:[([{<] ?(?:\.|dot) ?[)\]}>]|[․‧∙⋅•·۔]) ?/giu
/** A full stop of other scripts, which browsers take for one within an address. */
const IDEOGRAPHIC_DOT = /(?<=[\w-])\s?[。｡︒]\s?(?=\w)/gu
const HIDDEN = /[\p{Cf}\p{Mn}\u034f\ufe00-\ufe0f]/gu
/** `the dot com bubble` is no address. */
const DOT_IN_WORDS =
  /(?<=[\p{L}\p{N}]) dot (?=[a-z]{2,}\b(?! (?:bubble|bust|boom|crash|crisis|era|mania|years|days)))/giu
/** Endings that are no words: here a space on one side of the full stop hides an address too. */
const NO_WORDS = 'com|net|org|io|xyz|info|biz|ru|cn'

const FORMS: readonly RegExp[] = [
  // `https://`, `hxxp://`, `tg://`, with spaces or other slashes in between.
  /\bh[tx*]{2}ps?\b\s?[:;]?\s?[/\\⁄∕]{0,2}\s?\S+/iu,
  /\b[a-z][a-z0-9+.-]{1,20}\s?:\s?[/\\⁄∕]{2}\s?\S+/iu,
  /\bwww\d?\s?\.\s?\S+/iu,
  // Markdown and HTML, whatever they lead to.
  /\[[^\]\n]{0,200}\]\([^)\s]{1,200}\)/u,
  /<a\s[^>]{0,200}href[^>]{0,200}>?/iu,
  /\b\d{1,3}(?:\.\d{1,3}){3}\b(?:[:/]\S*)?/u,
  // `discord gg/room`
  /\b[a-z0-9-]{2,} (?:gg|ly|me|com|io|org|net)\/\w+/iu,
]
// As long as a label may be: a text of one long word is not read again and again.
const NAME = /(?<![\p{L}\p{N}-])[\p{L}\p{N}-]{1,63}(?:(?:\.| \. )[\p{L}\p{N}-]{1,63})+/gu
const HALF_SPACED = new RegExp(
  `(?<![\\p{L}\\p{N}-])[\\p{L}\\p{N}-]{2,63}(?: \\.|\\. )(?:${NO_WORDS})\\b(?!\\.)(?:/\\S*)?`,
  'u',
)

/**
 * The first web address in a text that people typed, as it was written or as it was meant: without `https://`, with spaced
 * or bracketed full stops, in letters and full stops of other forms. Rather one too many than one too few: a reviewer
 * looks at what it finds.
 *
 * @returns null where there is none
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
  const trimmed = found.trim()
  return trimmed.length > LONGEST ? `${trimmed.slice(0, LONGEST)}…` : trimmed
}
