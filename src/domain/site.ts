export const SITE_NAME = 'Proof of Price'

/** Strips trailing slashes in linear time, however many there are. */
export function withoutEndSlashes(text: string): string {
  let end = text.length
  while (end > 0 && text[end - 1] === '/') end -= 1
  return text.slice(0, end)
}

/**
 * The canonical path of a page: no trailing slash, and percent-encoding only where required, so `/%62tc/` becomes
 * `/btc`. A segment with an invalid `%` is unchanged.
 *
 * @param path without query
 */
export function pagePath(path: string): string {
  return withoutEndSlashes(path).split('/').map(plainPart).join('/') || '/'
}

function plainPart(part: string): string {
  try {
    return encodeURIComponent(decodeURIComponent(part))
  } catch {
    return part
  }
}

export function predictionPath(id: string): string {
  return `/predictions/${encodeURIComponent(id)}`
}

export function expertPath(slug: string): string {
  return `/experts/${encodeURIComponent(slug)}`
}
