/** The host of an address in small letters, without `www.` and port, and what follows it, without its fragment. */
export function partsOfAddress(url: string): { readonly host: string; readonly rest: string } {
  const [, host = '', rest = ''] = /^https?:\/\/([^/?#]+)([^#]*)/i.exec(url.trim()) ?? []
  return {
    host: host
      .toLowerCase()
      .replace(/^www\./, '')
      .replace(/:\d+$/, ''),
    rest,
  }
}

/** Archives whose addresses hold the address of the page that they are a copy of. */
const WAYBACK: ReadonlySet<string> = new Set(['web.archive.org', 'archive.org'])
/** One archive under several names. Its short addresses, such as archive.ph/AbC12, name no page. */
const ARCHIVE_TODAY: ReadonlySet<string> = new Set(
  ['today', 'ph', 'is', 'li', 'md', 'vn', 'fo'].map((end) => `archive.${end}`),
)

/**
 * The address of the page that an archived address is a copy of, as its archive writes it: `web.archive.org/web/2020…/`
 * and archive.today with its further names.
 *
 * @returns null where the address does not say it: other archives, such as perma.cc, and short addresses
 */
export function archivedPage(url: string): string | null {
  const { host, rest } = partsOfAddress(url)
  const [, inner] = WAYBACK.has(host)
    ? (/^\/web\/\d{1,14}(?:[a-z]{2}_)?\/(.+)$/.exec(rest) ?? [])
    : ARCHIVE_TODAY.has(host)
      ? (/^\/(?:o\/\w+|\d{4,14}|\d{4}[\d.-]+|newest|oldest)\/(.+)$/.exec(rest) ?? [])
      : []
  if (inner === undefined) return null
  const whole = decoded(inner).replace(/^(https?:)\/+/i, '$1//')
  // Both archives also take an address without its beginning.
  return /^https?:\/\//i.test(whole) ? whole : `http://${whole}`
}

/** An inner address may be written with its slashes and colons encoded. */
function decoded(text: string): string {
  if (!/^https?%3a/i.test(text)) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
