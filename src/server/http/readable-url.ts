/**
 * An address as the router can read it: a path that begins with a slash and whose `%` all mean something. What it could
 * not read would be refused before any headers are set and any page could say that nothing stands there.
 *
 * @param url as the request line has it: path and query, or a whole address as proxies send it
 */
export function readableUrl(url: string): string {
  const path = url.replace(/^https?:\/\/[^/?#]+/i, '')
  const own = path.startsWith('/') ? path : `/${path}`
  return isDecodable(own) ? own : own.replaceAll('%', '%25')
}

function isDecodable(url: string): boolean {
  try {
    decodeURI(url)
    return true
  } catch {
    return false
  }
}
