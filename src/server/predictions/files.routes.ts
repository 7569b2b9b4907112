import { REPORTS_PATH } from '#contracts/reports-log.ts'
import { CORRECTIONS_PATH } from '#contracts/corrections-log.ts'
import {
  FEED_FILES,
  FEED_TYPES,
  robotsOf,
  sitemapOf,
  type feedsService,
  type FeedTopic,
} from './feeds.service.ts'
import { TODAY_PATH } from '#contracts/today.ts'
import { ASSET_KEYS, ASSETS } from '#domain/asset.ts'
import { openToAll } from '#server/http/cross-origin.ts'
import { type PublicRecord } from '#server/record/record.service.ts'
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'

const HIDDEN = { schema: { hide: true } }
const LIMITED = { ...HIDDEN, config: { rateLimit: { max: 60, timeWindow: '1 minute' } } }

export function fileRoutes(
  app: FastifyInstance,
  {
    record,
    feed,
    origin,
  }: { record: PublicRecord; feed: ReturnType<typeof feedsService>; origin: string },
): void {
  for (const format of ['rss', 'json'] as const) {
    const [file, type] = [FEED_FILES[format], FEED_TYPES[format]]
    const send = (topic: FeedTopic, request: FastifyRequest, reply: FastifyReply) =>
      app.answers.answer(
        request,
        openToAll(reply),
        JSON.stringify([file, topic]),
        // Reports come without another version of the record.
        async () => ({ body: await feed(topic, format), type, isCached: topic !== 'reports' }),
        { queue: 'call' },
      )
    app.get(`/${file}`, LIMITED, (request, reply) => send(null, request, reply))
    app.get(`${CORRECTIONS_PATH}/${file}`, LIMITED, (request, reply) =>
      send('corrections', request, reply),
    )
    app.get(`${TODAY_PATH}/${file}`, LIMITED, (request, reply) => send('today', request, reply))
    app.get(`${REPORTS_PATH}/${file}`, LIMITED, (request, reply) => send('reports', request, reply))
    for (const asset of ASSET_KEYS) {
      const { route } = ASSETS[asset]
      app.get(`${route}/${file}`, LIMITED, (request, reply) => send(asset, request, reply))
    }
    app.get<{ Params: { slug: string } }>(`/experts/:slug/${file}`, LIMITED, (request, reply) =>
      send({ slug: request.params.slug }, request, reply),
    )
  }
  app.get('/sitemap.xml', LIMITED, (request, reply) =>
    app.answers.answer(request, reply, 'sitemap', async () => ({
      body: await sitemapOf(origin, record),
      type: 'application/xml; charset=utf-8',
    })),
  )
  app.get('/robots.txt', HIDDEN, (request, reply) =>
    app.answers.answer(request, reply, 'robots', async () => ({
      body: robotsOf(origin),
      type: 'text/plain; charset=utf-8',
    })),
  )
}
