/** A name as compared: without case, accents, punctuation and spare spaces, so that spellings of one person meet. */
export function foldName(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
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
