import { LiveQuery, type PriceMessage } from '#contracts/prices.ts'
import { LIVE_REPEAT_MS, PRICE_SOCKET_PATH } from '#contracts/paths.ts'
import { ASSET_KEYS, type AssetKey } from '#domain/asset.ts'
import { type ConnectionLimit } from '#server/http/connection-limit.ts'
import { failureBody } from '#server/kit/failure.ts'
import { type Clock } from '#server/kit/ports.ts'
import { byAsset, sentPrice, type LivePrices } from './live-prices.ts'
import websocket, { type WebSocket } from '@fastify/websocket'
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'

/** A socket that lets so many bytes pile up is too slow and is cut; it may come again. */
const MOST_BEHIND_BYTES = 65_536
/** Clients have nothing to send; whatever they send is not read beyond this. */
const MOST_FROM_CLIENT_BYTES = 1_024
const BEAT_MS = 30_000
const LEAVE_WITHIN_MS = 500
const AS_TEXT = { binary: false, compress: false }

type Sockets = Record<AssetKey, Set<WebSocket>>

/**
 * Sends live prices to other programs by websocket. A message is encoded once for all sockets, the slow are cut, the dead
 * are found by a ping, and all are closed when the server stops.
 */
export async function priceSocketRoutes(
  app: FastifyInstance,
  { live, clock, limit }: { live: LivePrices; clock: Clock; limit: ConnectionLimit },
): Promise<void> {
  const sockets: Sockets = byAsset(() => new Set())
  const sentAt = new Map<AssetKey, number>()
  /** Sockets that have answered the last ping, or have had none yet. */
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
  // While the venues are silent the last price is sent again, as old as it is: that shows that the connection is not dead.
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
        else await refuseHttp(reply)
      },
      websocket: true,
    },
    (socket, request) => {
      const { asset } = LiveQuery.parse(request.query)
      socket.once('close', limit.enter(request))
      sockets[asset].add(socket)
      answered.add(socket)
      socket.on('pong', () => answered.add(socket))
      socket.on('error', ignore)
      socket.on('close', () => sockets[asset].delete(socket))
      const last = live.last(asset)
      if (last) send(socket, encoded(last, clock))
    },
  )
}

async function refuseHttp(reply: FastifyReply): Promise<void> {
  const text = 'Prices are sent here by websocket only.'
  await reply
    .code(426)
    .headers({ upgrade: 'websocket', connection: 'upgrade' })
    .send(failureBody('invalid', text))
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

function ignore(): void {
  // A client that goes away in the middle of something is no concern of ours.
}
