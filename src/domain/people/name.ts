/** A name normalised for comparison: without case, accents, punctuation and extra spaces. */
export function foldName(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** Letters written from right to left, and characters that change the direction of the text after them. */
const TURNS = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\p{Bidi_Control}]/u

/** A name for use in a sentence: one written from right to left must not change the direction of the text around it. */
export function isolatedName(name: string): string {
  return TURNS.test(name) ? `\u2068${name}\u2069` : name
}

/** A handle as stored: without `@` and any address before it. */
export function bareHandle(handle: string): string {
  return handle
    .trim()
    .replace(/^https?:\/\/(?:www\.|mobile\.)?(?:x|twitter)\.com\//i, '')
    .replace(/^@/, '')
    .replace(/[/?#].*$/, '')
}

export function foldHandle(handle: string): string {
  return bareHandle(handle).toLowerCase()
}

/** A name as part of an address: `Tom Lee` gives `tom-lee`. @returns `expert` when no letter or digit is left */
export function slugOf(name: string): string {
  const cut = foldName(name).replaceAll(' ', '-').slice(0, 80)
  // A letter beyond the basic plane is not cut in two.
  const slug = cut.replace(/[\uD800-\uDBFF]$/, '').replace(/-+$/, '')
  return slug === '' ? 'expert' : slug
}

const NAMES = new Intl.Collator('en')

export const byName: (a: string, b: string) => number = NAMES.compare
