import { type Records } from './predictions.service.ts'
import { FEED_PATHS, robotsOf, sitemapOf, type FeedFile, type FeedName } from './feeds.service.ts'
import { type FastifyInstance } from 'fastify'

/** A copy may be kept, but not shown without asking. */
const ASK_AGAIN = 'no-cache'
const HIDDEN = { schema: { hide: true } }
const LIMITED = { ...HIDDEN, config: { rateLimit: { max: 60, timeWindow: '1 minute' } } }

/** Files for other programs: feeds, sitemap, robots. */
export function fileRoutes(
  app: FastifyInstance,
  {
    records,
    feed,
    origin,
  }: { records: Records; feed: (name: FeedName) => Promise<FeedFile>; origin: string },
): void {
  for (const name of ['rss', 'json'] as const) {
    app.get(FEED_PATHS[name], LIMITED, async (_, reply) => {
      const { type, text } = await feed(name)
      return reply.type(type).header('cache-control', ASK_AGAIN).send(text)
    })
  }
  app.get('/sitemap.xml', LIMITED, (_, reply) =>
    reply
      .type('application/xml; charset=utf-8')
      .header('cache-control', ASK_AGAIN)
      .send(sitemapOf(origin, records.snapshot())),
  )
  app.get('/robots.txt', HIDDEN, (_, reply) =>
    reply.type('text/plain; charset=utf-8').send(robotsOf(origin)),
  )
}
