import { LiveEventsQuery } from '#contracts/live.ts'
import { LIVE_EVENTS_PATH } from '#contracts/live.paths.ts'
import { status } from '#contracts/status.ts'
import { connectionLimit, type ConnectionLimit } from '#server/http/connection-limit.ts'
import { liveEvents, type FollowReceipts } from './live-events.routes.ts'
import { priceSocketRoutes } from './price-socket.routes.ts'
import { serve } from '#server/http/serve.ts'
import { type Clock } from '#server/kit/ports.ts'
import { type LivePrices } from './live-prices.ts'
import { type StatusService } from './status.service.ts'
import { type FastifyInstance } from 'fastify'

/** Connections of one address, or one IPv6 network; many people may share one. */
const MOST_AN_ADDRESS = 200
const MOST_CONNECTIONS = 25_000
/** Streams that follow a receipt, of one address: each reads it from the database. */
const RECEIPTS_A_MINUTE = 60

/** Counts the live lines of a process. */
export const lineLimit = (): ConnectionLimit =>
  connectionLimit({ most: MOST_CONNECTIONS, mostOfOne: MOST_AN_ADDRESS, crowded: 429 })

/** What moves: prices and verdicts as they happen, and how the sources are doing. */
export async function liveRoutes(
  app: FastifyInstance,
  {
    live,
    state,
    clock,
    receipts,
    limit,
    version,
  }: {
    live: LivePrices
    state: StatusService
    clock: Clock
    receipts: FollowReceipts
    limit: ConnectionLimit
    version: () => string | null
  },
): Promise<void> {
  const joinEvents = liveEvents(app, { live, clock, receipts, limit, version })
  await priceSocketRoutes(app, { live, clock, limit })
  serve(app, status, () => state.status())
  app.get(
    LIVE_EVENTS_PATH,
    {
      exposeHeadRoute: false,
      schema: {
        querystring: LiveEventsQuery,
        summary:
          'Events `price` (of the asset, with its time), `verdict`, `prediction` (published, corrected, withdrawn) and `receipt`, as they happen.',
      },
      config: {
        rateLimit: {
          max: RECEIPTS_A_MINUTE,
          timeWindow: '1 minute',
          // Without receipts nothing is read for a stream, and those that stay open are counted.
          allowList: ({ query }) => !LiveEventsQuery.safeParse(query).data?.receipt.length,
        },
      },
    },
    (request, reply) => joinEvents(request, reply, LiveEventsQuery.parse(request.query)),
  )
}
