/** Normalizes a name for comparison: no case, accents, punctuation or extra spaces. */
export function foldName(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** Right-to-left letters and direction controls. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\p{Bidi_Control}]/u

/** Isolates a right-to-left name, so that it does not reorder the surrounding sentence. */
export function isolatedName(name: string): string {
  return RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name
}

/** A handle without `@` or a preceding address. */
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

/** A name as part of an address: `Tom Lee` gives `tom-lee`. @returns `expert` if no letter or digit is left */
export function slugOf(name: string): string {
  const cut = foldName(name).replaceAll(' ', '-').slice(0, 80)
  // Do not cut a surrogate pair in two.
  const slug = cut.replace(/[\uD800-\uDBFF]$/, '').replace(/-+$/, '')
  return slug === '' ? 'expert' : slug
}

let names: Intl.Collator | null = null

export function byName(a: string, b: string): number {
  // Made when first needed: it takes a phone 30 ms.
  names ??= new Intl.Collator('en')
  return names.compare(a, b)
}
