import { type IncomingHttpHeaders, type OutgoingHttpHeader } from 'node:http'
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { SHARED } from './cache-control.ts'
import { type HotList } from './hot-list.ts'
import { type FastifyReply, type FastifyRequest } from 'fastify'

/**
 * Sends an answer made ready, in the best encoding asked for, or 304 when the asker has it already. The bytes go straight
 * to the socket: what Fastify does with a reply on its way costs more than all else here.
 */
export function sendHot(
  request: FastifyRequest,
  reply: FastifyReply,
  list: HotList,
  type = 'application/json; charset=utf-8',
): FastifyReply {
  const modified = modifiedAt(list)
  const encoding = best(request.headers['accept-encoding'] ?? '', list)
  const bytes = encoding === null ? list.plain : list[encoding === 'br' ? 'br' : 'gzip']
  const etag = tagOf(list.etag, encoding)
  const common: Record<string, OutgoingHttpHeader | undefined> = {
    ...reply.getHeaders(),
    etag,
    vary: 'accept-encoding',
    'cache-control': reply.getHeader('cache-control') ?? SHARED,
    ...(modified !== null && { 'last-modified': new Date(modified).toUTCString() }),
  }
  reply.hijack()
  if (reply.statusCode === 200 && isKnown(request.headers, etag, modified)) {
    reply.raw.writeHead(304, common).end()
    return reply
  }
  reply.raw.writeHead(reply.statusCode, {
    ...common,
    'content-type': type,
    ...(bytes && { 'content-length': bytes.length }),
    ...(encoding === null ? {} : { 'content-encoding': encoding }),
  })
  // Node leaves the bytes of an answer to HEAD away.
  if (bytes) reply.raw.end(bytes)
  else if (request.method === 'HEAD') reply.raw.end()
  // A visitor who leaves early ends it.
  else pipeline(Readable.from([list.gzip]), createGunzip(), reply.raw, () => undefined)
  return reply
}

function best(accepted: string, { br }: HotList): 'br' | 'gzip' | null {
  if (br && accepts(accepted, 'br')) return 'br'
  return accepts(accepted, 'gzip') ? 'gzip' : null
}

/**
 * The tag of an answer in one of its encodings. A strong tag stands for the very bytes, so that each encoding has its own
 * (RFC 9110, 8.8.3.3).
 */
export function tagOf(etag: string, encoding: string | null): string {
  return encoding === null ? etag : `${etag.slice(0, -1)}-${encoding}"`
}

/** To the second; null within the second it was made in, as it could change once more in that second. */
function modifiedAt({ madeAt }: HotList): number | null {
  const second = Math.floor(madeAt / 1_000) * 1_000
  return Date.now() < second + 1_000 ? null : second
}

/** Whether the asker has it: by its tag, and only where none is named by its time. */
function isKnown(headers: IncomingHttpHeaders, etag: string, modified: number | null): boolean {
  const tags = headers['if-none-match']
  if (tags !== undefined) return hasIt(tags, etag)
  const since = Date.parse(headers['if-modified-since'] ?? '')
  return modified !== null && modified <= since
}

/** Whether a header `If-None-Match` names this tag. */
export function hasIt(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  return header === '*' || header.split(',').some((one) => one.trim().replace(/^W\//, '') === etag)
}

/** Whether a header `Accept-Encoding` takes this encoding. */
export function accepts(header: string, encoding: string): boolean {
  return header.split(',').some((one) => {
    const [name, ...weights] = one.trim().split(';')
    return name?.trim() === encoding && !weights.some((weight) => /^\s*q=0(\.0*)?\s*$/.test(weight))
  })
}
