import { VIEW_FORMATS, type ViewFormat } from '#contracts/data-files.ts'
import { REPORTS_PATH } from '#contracts/reports-log.ts'
import { CORRECTIONS_PATH } from '#contracts/corrections-log.ts'
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { TODAY_PATH } from '#contracts/today.ts'
import { ASSETS } from '#domain/asset.ts'
import { openToAll } from '#server/http/cross-origin.ts'
import { queryOf } from '#server/kit/text.ts'
import { type Views } from './views.service.ts'

const TYPES: Readonly<Record<ViewFormat, string>> = {
  csv: 'text/csv; charset=utf-8; header=present',
  json: 'application/json; charset=utf-8',
  'metadata.json': 'application/json; charset=utf-8',
}
const LIMITED = {
  schema: { hide: true },
  config: { rateLimit: { max: 60, timeWindow: '1 minute' } },
} as const

export function openDataRoutes(app: FastifyInstance, views: Views): void {
  const paths = [
    ...Object.values(ASSETS).map(({ route }) => route),
    '/experts',
    '/history',
    '/years',
    TODAY_PATH,
    CORRECTIONS_PATH,
    REPORTS_PATH,
  ]
  for (const format of VIEW_FORMATS) {
    const send = async (path: string, request: FastifyRequest, reply: FastifyReply) => {
      const [, query = ''] = request.url.split('?')
      const asked = { path, params: new URLSearchParams(query) }
      return app.answers.answer(
        request,
        openToAll(reply),
        `${path}.${format}${queryOf(asked.params)}`,
        async () => ({
          body: await views.file(asked, format),
          type: TYPES[format],
          // Reports come without another version of the record.
          isCached: path !== REPORTS_PATH,
        }),
        { queue: 'call' },
      )
    }
    for (const path of paths) {
      app.get(`${path}.${format}`, LIMITED, (request, reply) => send(path, request, reply))
    }
    for (const place of ['experts', 'history', 'years']) {
      app.get<{ Params: { name: string } }>(
        `/${place}/:name.${format}`,
        LIMITED,
        (request, reply) => send(`/${place}/${request.params.name}`, request, reply),
      )
    }
    app.get<{ Params: { year: string; asset: string } }>(
      `/years/:year/:asset.${format}`,
      LIMITED,
      (request, reply) => {
        const { year, asset } = request.params
        return send(`/years/${year}/${asset}`, request, reply)
      },
    )
    if (format === 'csv') continue
    app.get<{ Params: { id: string } }>(
      `/predictions/:id.${format}`,
      LIMITED,
      async (request, reply) => {
        const body = await views.prediction(request.params.id, format)
        return app.answers.once(request, openToAll(reply), { body, type: TYPES[format] })
      },
    )
  }
}
