import websocket, { type WebSocket } from '@fastify/websocket'
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { type z } from 'zod'
import { LIVE_EVENTS_PATH, LIVE_REPEAT_MS, PRICE_SOCKET_PATH } from '#contracts/paths.ts'
import { LiveEventsQuery, status, LiveQuery, type PriceMessage } from '#contracts/prices.ts'
import { ASSET_KEYS, type AssetKey } from '#domain/asset.ts'
import {
  STREAM,
  eventStreams,
  streamEvent,
  type EventStream,
  type StreamEvent,
} from '#server/http/event-streams.ts'
import { connectionLimit, type ConnectionLimit } from '#server/http/limits.ts'
import { serve } from '#server/http/serve.ts'
import { failureBody } from '#server/kit/failure.ts'
import { type Clock } from '#server/kit/time.ts'
import { type Receipts } from '#server/payments/receipts.service.ts'
import { type LivePrices, byAsset, sentPrice, type RecordNews } from './live-prices.ts'
import { type StatusService } from './status.service.ts'

/** Connections per address or IPv6 network, which many people may share. */
const MOST_AN_ADDRESS = 200
const MOST_CONNECTIONS = 25_000
/** Limits receipt streams per address, as each reads the database. */
const RECEIPTS_A_MINUTE = 60

export const lineLimit = (): ConnectionLimit =>
  connectionLimit(MOST_CONNECTIONS, MOST_AN_ADDRESS, 429)

type LiveParts = {
  readonly live: LivePrices
  readonly clock: Clock
  readonly receipts: Pick<Receipts, 'follow'>
  readonly limit: ConnectionLimit
  /** The record's version; null before it was read. */
  readonly version: () => string | null
}

export async function liveRoutes(
  app: FastifyInstance,
  parts: LiveParts & { readonly state: StatusService },
): Promise<void> {
  const joinEvents = liveEvents(app, parts)
  await priceSocketRoutes(app, parts)
  serve(app, status, () => parts.state.status())
  app.get(
    LIVE_EVENTS_PATH,
    {
      exposeHeadRoute: false,
      sse: STREAM,
      schema: {
        querystring: LiveEventsQuery,
        summary:
          'Events `price` (of the asset, with its time), `verdict`, `prediction` (published, corrected, withdrawn) and `receipt`, as they happen.',
      },
      config: {
        rateLimit: {
          max: RECEIPTS_A_MINUTE,
          timeWindow: '1 minute',
          // Streams without receipts read nothing; open streams are limited separately.
          allowList: ({ query }) => !LiveEventsQuery.safeParse(query).data?.receipt.length,
        },
      },
    },
    (request, reply) => joinEvents(request, reply, LiveEventsQuery.parse(request.query)),
  )
}

/** Record versions and events buffered for reconnecting streams. */
const MOST_EVENTS = 2_000
const RESET = [streamEvent('reset', 1)]

/**
 * Event streams: prices of the asset, all new verdicts and changes of predictions, and receipts. Each event is encoded
 * once for all streams.
 * @returns a request handler
 */
function liveEvents(app: FastifyInstance, { live, clock, receipts, limit, version }: LiveParts) {
  const streams = { ...byAsset(() => new Set<EventStream>()), none: new Set<EventStream>() }
  const news = recentNews(version)
  const answer = eventStreams(app, limit)

  const unlisten = live.listen((event) => {
    if (event.kind === 'price') {
      const price = streamEvent('price', sentPrice(event.price, clock))
      for (const stream of streams[event.price.asset]) stream.send(price)
      return
    }
    const events = news.add(event.news)
    for (const set of Object.values(streams)) for (const stream of set) sendAll(stream, events)
  })
  app.addHook('preClose', async () => {
    unlisten()
  })

  /** Subscribes a stream. Must not retain the request, which would live as long as the stream. */
  function follow(stream: EventStream, asset: keyof typeof streams, lastId: string | undefined) {
    streams[asset].add(stream)
    const last = asset === 'none' ? null : live.last(asset)
    if (last) stream.send(streamEvent('price', sentPrice(last, clock)))
    if (lastId !== undefined) sendAll(stream, news.since(lastId))
    // Sent after the missed events: the page is up to date with this version.
    stream.send(streamEvent('alive', 1, news.version() ?? undefined))
    return () => void streams[asset].delete(stream)
  }

  return (
    request: FastifyRequest,
    reply: FastifyReply,
    { asset, receipt, after }: z.output<typeof LiveEventsQuery>,
  ): ReturnType<typeof answer> => {
    const header = request.headers['last-event-id']
    const lastId = typeof header === 'string' && header !== '' ? header : after
    return answer(request, reply, (stream) => {
      const unfollow = follow(stream, asset, lastId)
      return receipt.length === 0
        ? unfollow
        : withReceipts(unfollow, stream, receipt, receipts, request.log)
    })
  }
}

function sendAll(stream: EventStream, events: readonly StreamEvent[]): void {
  for (const event of events) stream.send(event)
}

/** Sends receipts asynchronously, so that prices do not wait for the database. */
function withReceipts(
  unfollow: () => void,
  stream: EventStream,
  receipt: readonly string[],
  receipts: Pick<Receipts, 'follow'>,
  log: FastifyRequest['log'],
): () => void {
  const ends = receipt.map((token) =>
    receipts
      .follow(
        token,
        (state) => stream.send(streamEvent('receipt', state)),
        (error) => log.warn({ err: error }, 'a receipt could not be sent'),
      )
      .catch(
        // The receipt does not exist or cannot be read now; the page retries and reports it.
        () => () => {},
      ),
  )
  return () => {
    unfollow()
    for (const end of ends) void end.then((now) => now())
  }
}

/** Events of recent record versions, for streams that reconnect to this process or another. */
function recentNews(version: () => string | null) {
  /** Oldest first. */
  const recent: { readonly version: string; readonly events: readonly StreamEvent[] }[] = []
  const eventCount = (): number =>
    recent.reduce((sum, { events }) => sum + Math.max(1, events.length), 0)

  const newest = (): string | null => recent.at(-1)?.version ?? version()

  return {
    /** Version of a stream that has received everything. */
    version: newest,
    /** @returns its events; only the last has the version as its id, so that an interrupted stream gets all of them again */
    add({ since, version: id, verdicts, predictions }: RecordNews): StreamEvent[] {
      if (since !== null && recent.at(-1)?.version !== since) {
        recent.push({ version: since, events: [] })
      }
      const changes = [
        ...verdicts.map((data) => ['verdict', data] as const),
        ...predictions.map((data) => ['prediction', data] as const),
      ]
      const events = changes.map(([name, data], i) =>
        streamEvent(name, data, i === changes.length - 1 ? id : undefined),
      )
      recent.push({ version: id, events })
      while (recent.length > 1 && eventCount() > MOST_EVENTS) recent.shift()
      return events
    },
    /** Events after this version; a `reset` if it is unknown. */
    since(lastId: string): readonly StreamEvent[] {
      if (lastId === newest()) return []
      const at = recent.findLastIndex((one) => one.version === lastId)
      return at < 0 ? RESET : recent.slice(at + 1).flatMap(({ events }) => events)
    },
  }
}

/** Sockets with a larger backlog are too slow and are closed; clients may reconnect. */
const MOST_BEHIND_BYTES = 65_536
/** Clients have nothing to send; larger messages close the socket. */
const MOST_FROM_CLIENT_BYTES = 1_024
const BEAT_MS = 30_000
const LEAVE_WITHIN_MS = 500
const AS_TEXT = { binary: false, compress: false }

type Sockets = Record<AssetKey, Set<WebSocket>>

/**
 * Sends live prices to other programs by WebSocket. Messages are encoded once for all sockets; slow sockets are
 * closed, dead ones detected by a ping.
 */
async function priceSocketRoutes(app: FastifyInstance, { live, clock, limit }: LiveParts) {
  const sockets: Sockets = byAsset(() => new Set())
  const sentAt = new Map<AssetKey, number>()
  /** Sockets that answered the last ping, or have not been pinged yet. */
  const answered = new WeakSet<WebSocket>()

  function broadcast(message: PriceMessage): void {
    sentAt.set(message.asset, performance.now())
    const data = encoded(message, clock)
    for (const socket of sockets[message.asset]) send(socket, data)
  }

  const unlisten = live.listen((event) => {
    if (event.kind === 'price') broadcast(event.price)
  })
  const beat = setInterval(() => pingAll(sockets, answered), BEAT_MS)
  // Repeats the last price with its time while venues are silent, so that clients can tell a dead connection.
  const repeat = setInterval(() => {
    for (const asset of ASSET_KEYS) {
      const last = live.last(asset)
      const agoMs = performance.now() - (sentAt.get(asset) ?? -Infinity)
      if (last && agoMs >= LIVE_REPEAT_MS / 2) broadcast(last)
    }
  }, LIVE_REPEAT_MS)
  for (const timer of [beat, repeat]) timer.unref()

  await app.register(websocket, {
    options: { perMessageDeflate: false, maxPayload: MOST_FROM_CLIENT_BYTES },
    preClose: async () => {
      limit.shut()
      unlisten()
      clearInterval(beat)
      clearInterval(repeat)
      await closeAll(sockets)
    },
  })

  app.get(
    PRICE_SOCKET_PATH,
    {
      exposeHeadRoute: false,
      schema: { querystring: LiveQuery, hide: true },
      preHandler: async (request: FastifyRequest, reply: FastifyReply) => {
        if (request.ws) await limit.refuse(request, reply)
        else {
          await reply
            .code(426)
            .headers({ upgrade: 'websocket', connection: 'upgrade' })
            .send(failureBody('invalid', 'Prices are sent here by WebSocket only.'))
        }
      },
      websocket: true,
    },
    (socket, request) => {
      const { asset } = LiveQuery.parse(request.query)
      socket.once('close', limit.enter(request))
      sockets[asset].add(socket)
      answered.add(socket)
      socket.on('pong', () => answered.add(socket))
      // Aborted client connections are not errors.
      socket.on('error', () => {})
      socket.on('close', () => sockets[asset].delete(socket))
      const last = live.last(asset)
      if (last) send(socket, encoded(last, clock))
    },
  )
}

function encoded(message: PriceMessage, clock: Clock): Buffer {
  return Buffer.from(JSON.stringify(sentPrice(message, clock)))
}

function send(socket: WebSocket, data: Buffer): void {
  if (socket.bufferedAmount > MOST_BEHIND_BYTES) socket.terminate()
  else socket.send(data, AS_TEXT)
}

function allOf(sockets: Sockets): WebSocket[] {
  return Object.values(sockets).flatMap((set) => [...set])
}

function pingAll(sockets: Sockets, answered: WeakSet<WebSocket>): void {
  for (const socket of allOf(sockets)) {
    if (answered.delete(socket)) socket.ping()
    else socket.terminate()
  }
}

async function closeAll(sockets: Sockets): Promise<void> {
  for (const socket of allOf(sockets)) socket.close(1_001, 'the server is stopping')
  const until = performance.now() + LEAVE_WITHIN_MS
  while (allOf(sockets).length > 0 && performance.now() < until) {
    await new Promise((done) => setTimeout(done, 10))
  }
  for (const socket of allOf(sockets)) socket.terminate()
}
