import { LIVE_EVENTS_PATH, LiveQuery, PRICE_SOCKET_PATH } from '#contracts/live.ts'
import { status } from '#contracts/status.ts'
import { realtime } from './realtime.routes.ts'
import { serve } from '#server/http/serve.ts'
import { type Clock } from '#server/kit/ports.ts'
import { type LivePrices } from './live-prices.ts'
import { type StatusService } from './status.service.ts'
import { type FastifyInstance } from 'fastify'

/** What moves: prices and verdicts as they happen, and how the sources are doing. */
export async function liveRoutes(
  app: FastifyInstance,
  { live, state, clock }: { live: LivePrices; state: StatusService; clock: Clock },
): Promise<void> {
  const { admit, onlySockets, joinSocket, joinEvents } = await realtime(app, { live, clock })
  serve(app, status, ({ reply }) => {
    reply.header('cache-control', 'no-store')
    return state.status()
  })
  const asked = (query: unknown): { asset: 'btc' | 'mstr' | 'naka' } => LiveQuery.parse(query)
  const shared = {
    exposeHeadRoute: false,
    schema: { querystring: LiveQuery },
    preHandler: admit,
  }
  app.get(
    LIVE_EVENTS_PATH,
    {
      ...shared,
      schema: {
        ...shared.schema,
        summary:
          'Events `price` (USD, of the asset), `verdict`, and `prediction` (published, corrected, withdrawn), as they happen.',
      },
    },
    (request, reply) => joinEvents(request, reply, asked(request.query)),
  )
  app.get(
    PRICE_SOCKET_PATH,
    {
      ...shared,
      schema: { ...shared.schema, hide: true },
      preHandler: [onlySockets, admit],
      websocket: true,
    },
    (socket, request) => joinSocket(socket, request, asked(request.query)),
  )
}
