/** A name as compared: without case, accents, punctuation and spare spaces, so that spellings of one person meet. */
export function foldName(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** Letters from right to left, and signs that turn what stands behind them. */
const TURNS = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\p{Bidi_Control}]/u

/** A name within a sentence or before a price: one that is written from right to left turns nothing around it. */
export function isolatedName(name: string): string {
  return TURNS.test(name) ? `\u2068${name}\u2069` : name
}

/** A handle as it is kept: without `@` and the address in front of it. */
export function bareHandle(handle: string): string {
  return handle
    .trim()
    .replace(/^https?:\/\/(?:www\.|mobile\.)?(?:x|twitter)\.com\//i, '')
    .replace(/^@/, '')
    .replace(/[/?#].*$/, '')
}

/** A handle as compared: bare, and without case. */
export function foldHandle(handle: string): string {
  return bareHandle(handle).toLowerCase()
}

/** A name for an address: `Tom Lee` gives `tom-lee`. @returns `expert` where no letter or digit is left */
export function slugOf(name: string): string {
  const slug = foldName(name).replaceAll(' ', '-').slice(0, 80).replace(/-+$/, '')
  return slug === '' ? 'expert' : slug
}
