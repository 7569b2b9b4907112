/**
 * An address as the router can read it: a path that begins with a slash and whose `%` all mean something. What it could
 * not read would be refused before any headers are set and any page could say that there is nothing there. The query stays
 * as it is: what reads it takes a `%` that means nothing as itself.
 *
 * @param url as the request line has it: path and query, or a whole address as proxies send it
 */
export function readableUrl(url: string): string {
  const place = url.replace(/^https?:\/\/[^/?#]+/i, '')
  const own = place.startsWith('/') ? place : `/${place}`
  const at = own.search(/[?#]/)
  const [path, rest] = at < 0 ? [own, ''] : [own.slice(0, at), own.slice(at)]
  return (decoded(path) === null ? path.replaceAll('%', '%25') : path) + rest
}

function decoded(path: string): string | null {
  try {
    return decodeURI(path)
  } catch {
    return null
  }
}
