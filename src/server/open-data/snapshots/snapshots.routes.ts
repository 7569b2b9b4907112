import { listSnapshots } from '#contracts/open-data.ts'
import { FOR_EVER, SHARED } from '#server/http/cache-control.ts'
import { allowAsking, openToAll } from '#server/http/cross-origin.ts'
import { accepts, hasIt, tagOf } from '#server/http/answer-cache.ts'
import { serveShared } from '#server/http/serve.ts'
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { type OutgoingHttpHeader } from 'node:http'
import { Readable } from 'node:stream'
import { type SentFile, type Snapshots } from './snapshots.service.ts'

const LIMITED = {
  schema: { hide: true },
  config: { rateLimit: { max: 60, timeWindow: '1 minute' } },
} as const

/** The dated snapshots: their list, and their files at `/data/2026-11-24/predictions.csv`. */
export function snapshotRoutes(app: FastifyInstance, snapshots: Snapshots): void {
  serveShared(app, listSnapshots, ({ query }) => snapshots.list(query.page), { isCached: false })
  allowAsking(app, '/data/:day/:file')
  app.get<{ Params: { file: string } }>('/data/latest/:file', LIMITED, async (request, reply) => {
    const path = await snapshots.newest(request.params.file)
    return openToAll(reply).header('cache-control', SHARED).redirect(path, 302)
  })
  app.get<{ Params: { day: string; file: string } }>(
    '/data/:day/:file',
    LIMITED,
    async (request, reply) => {
      const { day, file } = request.params
      return send(request, openToAll(reply), await snapshots.file(day, file))
    },
  )
}

async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  file: SentFile,
): Promise<FastifyReply> {
  const { gzip } = file
  const packed = gzip && accepts(request.headers['accept-encoding'] ?? '', 'gzip') ? gzip : null
  const etag = tagOf(file.etag, packed && 'gzip')
  reply.header('cache-control', FOR_EVER).header('etag', etag).header('vary', 'accept-encoding')
  if (hasIt(request.headers['if-none-match'], etag)) return reply.code(304).send()
  if (packed) reply.header('content-encoding', 'gzip')
  else reply.header('content-length', file.bytes)
  reply.type(file.type)
  if (request.method === 'HEAD') {
    // Fastify would say that the file is empty.
    reply.hijack()
    const headers: Readonly<Record<string, OutgoingHttpHeader | undefined>> = reply.getHeaders()
    reply.raw.writeHead(200, headers).end()
    return reply
  }
  return reply.send(Readable.from((packed ?? file.plain)()))
}
