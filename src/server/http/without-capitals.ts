import { type FastifyReply, type FastifyRequest } from 'fastify'
import { pagePath } from '#domain/page-path.ts'
import { PRIVATE } from './cache-control.ts'

/**
 * Where an address that names nothing may have been meant to lead: people type capitals. Only the first part with some
 * changes, as ids and tokens have capitals of their own; the next answer changes the next part.
 *
 * @param url path and query
 * @returns null for one without capitals, and for calls, which programs make
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

/** A part of a path in lower case; null for one that is, and for one that cannot be read. */
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

/** Leads who reads an address that names nothing to the same one without capitals. @returns whether there is one */
export function leadOn({ method, url }: FastifyRequest, reply: FastifyReply): boolean {
  const plain = method === 'GET' || method === 'HEAD' ? withoutCapitals(url) : null
  if (plain === null) return false
  reply.code(301).header('location', plain).header('cache-control', PRIVATE)
  reply.removeHeader('content-type')
  return true
}
