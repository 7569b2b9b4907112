import { type Records } from '#server/services/records.ts'
import { FEED_PATHS, robotsOf, sitemapOf, type FeedName } from '#server/services/syndication.ts'
import { type FastifyInstance } from 'fastify'
import { type Feed } from 'feed'

const HIDDEN = { schema: { hide: true } }
const LIMITED = { ...HIDDEN, config: { rateLimit: { max: 60, timeWindow: '1 minute' } } }

/** The files that machines look for: feeds, sitemap, robots. */
export function fileRoutes(
  app: FastifyInstance,
  {
    records,
    feed,
    origin,
  }: { records: Records; feed: (name: FeedName) => Promise<Feed>; origin: string },
): void {
  const write: Readonly<Record<FeedName, [type: string, text: (made: Feed) => string]>> = {
    rss: ['application/rss+xml; charset=utf-8', (made) => made.rss2()],
    json: ['application/feed+json; charset=utf-8', (made) => made.json1()],
  }
  for (const name of ['rss', 'json'] as const) {
    const [type, text] = write[name]
    app.get(FEED_PATHS[name], LIMITED, async (_, reply) =>
      reply.type(type).send(text(await feed(name))),
    )
  }
  app.get('/sitemap.xml', LIMITED, (_, reply) =>
    reply.type('application/xml; charset=utf-8').send(sitemapOf(origin, records.snapshot())),
  )
  app.get('/robots.txt', HIDDEN, (_, reply) =>
    reply.type('text/plain; charset=utf-8').send(robotsOf(origin)),
  )
}
