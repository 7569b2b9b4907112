import { type FastifyReply, type FastifyRequest } from 'fastify'
import { pagePath } from '#domain/site.ts'
import { PRIVATE } from './cache-control.ts'

/**
 * Guesses the target of an unknown address, as people type capitals. Only the first segment with capitals changes, as
 * ids and tokens are case-sensitive; the next redirect changes the next one.
 *
 * @param url path and query
 * @returns null without capitals, and for API calls
 */
export function withoutCapitals(url: string): string | null {
  const [path = ''] = url.split('?')
  const parts = pagePath(path).split('/')
  // `//name` would be another site.
  if (/^(?:|api|ws|\.well-known)$/.test(parts[1] ?? '')) return null
  for (const [at, part] of parts.entries()) {
    const plain = lowerCase(part)
    if (plain !== null) return parts.with(at, plain).join('/') + url.slice(path.length)
  }
  return null
}

/** A path segment in lower case; null if it is already, or is invalid. */
function lowerCase(part: string): string | null {
  try {
    const read = decodeURIComponent(part)
    const lower = read.toLowerCase()
    // No address of ours has a `%` in it.
    return lower === read || read.includes('%') ? null : encodeURIComponent(lower)
  } catch {
    return null
  }
}

/** Redirects an unknown address to its lower-case form. @returns whether there is one */
export function leadOn({ method, url }: FastifyRequest, reply: FastifyReply): boolean {
  const plain = method === 'GET' || method === 'HEAD' ? withoutCapitals(url) : null
  if (plain === null) return false
  reply.code(301).header('location', plain).header('cache-control', PRIVATE)
  reply.removeHeader('content-type')
  return true
}
