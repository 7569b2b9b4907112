export const SITE_NAME = 'Proof of Price'

/** A text without the slashes at its end; in one pass, however many there are and wherever they are. */
export function withoutEndSlashes(text: string): string {
  let end = text.length
  while (end > 0 && text[end - 1] === '/') end -= 1
  return text.slice(0, end)
}

/**
 * The one spelling of a page's path: no slash at its end, and in each part only the characters percent-encoded that have
 * to be. `/%62tc/` is `/btc`. A part with an invalid `%` stays as it is.
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
