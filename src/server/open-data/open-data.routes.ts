import { type OutgoingHttpHeader } from 'node:http'
import { Readable } from 'node:stream'
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { VIEW_FORMATS, type ViewFormat } from '#contracts/data-files.ts'
import { listSnapshots } from '#contracts/open-data.ts'
import { REPORTS_PATH, CORRECTIONS_PATH } from '#contracts/public-logs.ts'
import { TODAY_PATH } from '#contracts/today.ts'
import { ASSETS } from '#domain/asset.ts'
import { accepts, hasIt, tagOf, FOR_EVER, SHARED } from '#server/http/answer-cache.ts'
import { allowAsking, openToAll } from '#server/http/cross-origin.ts'
import { LIMITED_FILE } from '#server/http/limits.ts'
import { serveShared } from '#server/http/serve.ts'
import { queryOf } from '#server/kit/text.ts'
import { type SentFile, type Snapshots } from '#server/open-data/snapshots/snapshots.service.ts'
import { type PublicSite } from '#server/predictions/predictions.service.ts'
import { predictionFile, viewFile } from './views.service.ts'

const TYPES: Readonly<Record<ViewFormat, string>> = {
  csv: 'text/csv; charset=utf-8; header=present',
  json: 'application/json; charset=utf-8',
  'metadata.json': 'application/json; charset=utf-8',
}

/** Pages with files, besides those of the assets. */
const PATTERNS = [
  TODAY_PATH,
  CORRECTIONS_PATH,
  REPORTS_PATH,
  '/experts',
  '/history',
  '/years',
  '/experts/:name',
  '/history/:name',
  '/years/:name',
  '/years/:name/:asset',
]

export function openDataRoutes(app: FastifyInstance, site: PublicSite): void {
  const patterns = [...Object.values(ASSETS).map(({ route }) => route), ...PATTERNS]
  for (const format of VIEW_FORMATS) {
    for (const pattern of patterns) {
      app.get<{ Params: Readonly<Record<string, string>> }>(
        `${pattern}.${format}`,
        LIMITED_FILE,
        async (request, reply) => {
          const [, query = ''] = request.url.split('?')
          const path = pattern.replaceAll(
            /:(\w+)/g,
            (_, name: string) => request.params[name] ?? '',
          )
          const target = { path, params: new URLSearchParams(query) }
          const address = `${path}.${format}${queryOf(target.params)}`
          const make = async () => ({
            body: await viewFile(site, target, format),
            type: TYPES[format],
            // Reports may arrive without a new version of the record.
            isCached: path !== REPORTS_PATH,
          })
          return app.answers.answer(request, openToAll(reply), address, make, { queue: 'call' })
        },
      )
    }
    if (format === 'csv') continue
    app.get<{ Params: { id: string } }>(
      `/predictions/:id.${format}`,
      LIMITED_FILE,
      async (request, reply) => {
        const body = await predictionFile(site, request.params.id, format)
        return app.answers.once(request, openToAll(reply), { body, type: TYPES[format] })
      },
    )
  }
}

/** The list of daily snapshots, and their files at `/data/2026-11-24/predictions.csv`. */
export function snapshotRoutes(app: FastifyInstance, snapshots: Snapshots): void {
  serveShared(app, listSnapshots, ({ query }) => snapshots.list(query.page), { isCached: false })
  allowAsking(app, '/data/:day/:file')
  app.get<{ Params: { file: string } }>(
    '/data/latest/:file',
    LIMITED_FILE,
    async (request, reply) => {
      const path = await snapshots.newest(request.params.file)
      return openToAll(reply).header('cache-control', SHARED).redirect(path, 302)
    },
  )
  app.get<{ Params: { day: string; file: string } }>(
    '/data/:day/:file',
    LIMITED_FILE,
    async (request, reply) => {
      const { day, file } = request.params
      return send(request, openToAll(reply), await snapshots.file(day, file))
    },
  )
}

async function send(request: FastifyRequest, reply: FastifyReply, file: SentFile) {
  const { gzip } = file
  const packed = gzip && accepts(request.headers['accept-encoding'] ?? '', 'gzip') ? gzip : null
  const etag = tagOf(file.etag, packed && 'gzip')
  reply.header('cache-control', FOR_EVER).header('etag', etag).header('vary', 'accept-encoding')
  if (hasIt(request.headers['if-none-match'], etag)) return reply.code(304).send()
  if (packed) reply.header('content-encoding', 'gzip')
  else reply.header('content-length', file.bytes)
  reply.type(file.type)
  if (request.method === 'HEAD') {
    // Fastify would otherwise report an empty file.
    reply.hijack()
    const headers: Readonly<Record<string, OutgoingHttpHeader | undefined>> = reply.getHeaders()
    reply.raw.writeHead(200, headers).end()
    return reply
  }
  return reply.send(Readable.from((packed ?? file.plain)()))
}
