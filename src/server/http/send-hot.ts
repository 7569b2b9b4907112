import { type HotList } from '#server/services/hot-list.ts'
import { type FastifyReply, type FastifyRequest } from 'fastify'

/** Sends an answer made ready, in the best encoding asked for, or 304 when the asker has it already. */
export function sendHot(
  request: FastifyRequest,
  reply: FastifyReply,
  list: HotList,
  type = 'application/json; charset=utf-8',
): FastifyReply {
  reply.headers({ etag: list.etag, vary: 'accept-encoding', 'cache-control': 'no-cache' })
  if (hasIt(request.headers['if-none-match'], list.etag)) return reply.code(304).send()
  const accepted = request.headers['accept-encoding'] ?? ''
  reply.type(type)
  if (accepts(accepted, 'br')) return reply.header('content-encoding', 'br').send(list.br)
  if (accepts(accepted, 'gzip')) return reply.header('content-encoding', 'gzip').send(list.gzip)
  return reply.send(list.plain)
}

function hasIt(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  return header === '*' || header.split(',').some((one) => one.trim().replace(/^W\//, '') === etag)
}

function accepts(header: string, encoding: string): boolean {
  return header.split(',').some((one) => {
    const [name, ...weights] = one.trim().split(';')
    return name?.trim() === encoding && !weights.some((weight) => /^\s*q=0(\.0*)?\s*$/.test(weight))
  })
}
