import {
  LIVE_REPEAT_MS,
  type LIVE_EVENTS,
  type LiveEventsQuery,
  type LiveQuery,
  type PriceMessage,
  type SentPrice,
} from '#contracts/live.ts'
import { ASSET_KEYS, type AssetKey } from '#domain/asset.ts'
import { failureBody } from '#server/kit/failure.ts'
import { type Clock } from '#server/kit/ports.ts'
import { type LiveEvent, type LivePrices } from './live-prices.ts'
import { connectionLimit } from '#server/http/connection-limit.ts'
import { eventLine, eventStreams, type EventStream } from '#server/http/event-streams.ts'
import websocket, { type WebSocket } from '@fastify/websocket'
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { randomBytes } from 'node:crypto'
import { type z } from 'zod'

/** A socket that lets so many bytes pile up is too slow and is let go; it may come again. */
const MOST_BEHIND_BYTES = 65_536
/** Connections of one address, or one IPv6 network; many people may share one. */
const MOST_AN_ADDRESS = 200
const MOST_CONNECTIONS = 25_000
/** Clients say nothing; whatever they send is not read beyond this. */
const MOST_FROM_CLIENT_BYTES = 1_024
const BEAT_MS = 30_000
const LEAVE_WITHIN_MS = 500
/** Events of the record that a stream which comes again is told. */
const MOST_KEPT = 2_000

/** Sends a receipt at once and whenever it changes; see `receiptService`. */
export type FollowReceipts = {
  readonly follow: (
    token: string,
    onChange: (receipt: unknown) => void,
    onFault: (error: unknown) => void,
  ) => Promise<() => void>
}

export type Realtime = {
  /** Refuses what does not ask for a websocket, and an address that has too many connections. */
  readonly admitSocket: (request: FastifyRequest, reply: FastifyReply) => Promise<void>
  /** Sends prices of the asset asked for to a websocket. */
  readonly joinSocket: (
    socket: WebSocket,
    request: FastifyRequest,
    query: z.output<typeof LiveQuery>,
  ) => void
  /** Sends prices of the asset, all new verdicts and changes of predictions, and receipts, as events. */
  readonly joinEvents: (
    request: FastifyRequest,
    reply: FastifyReply,
    query: z.output<typeof LiveEventsQuery>,
  ) => Promise<FastifyReply>
}

/**
 * Registers websockets and keeps all that is connected: each message is encoded once and sent to all, the slow are
 * dropped, the dead found by a beat, and all are closed when the server stops.
 */
export async function realtime(
  app: FastifyInstance,
  { live, clock, receipts }: { live: LivePrices; clock: Clock; receipts: FollowReceipts },
): Promise<Realtime> {
  const sockets = byAsset<WebSocket>()
  const streams = byAsset<EventStream>()
  const answered = new WeakSet<WebSocket>()
  const toldAt = new Map<AssetKey, number>()
  const newsOnly = new Set<EventStream>()
  const limit = connectionLimit({
    most: MOST_CONNECTIONS,
    mostOfOne: MOST_AN_ADDRESS,
    crowded: 429,
  })
  const answer = eventStreams(app, { limit })
  /** What was told of the record, oldest first, for streams that come again; numbers begin anew with the process. */
  const told: { readonly number: number; readonly line: Buffer }[] = []
  const boot = randomBytes(6).toString('base64url')
  let lastNumber = 0

  await app.register(websocket, {
    options: { perMessageDeflate: false, maxPayload: MOST_FROM_CLIENT_BYTES },
    preClose: leave,
  })

  function tellSockets(message: PriceMessage): void {
    toldAt.set(message.asset, performance.now())
    const data = Buffer.from(JSON.stringify(sent(message)))
    for (const socket of sockets[message.asset]) sendTo(socket, data)
  }

  function sent(message: PriceMessage): SentPrice {
    return { ...message, now: clock.now() }
  }

  function keep<Name extends 'verdict' | 'prediction'>(
    name: Name,
    data: z.input<(typeof LIVE_EVENTS)[Name]>,
  ): Buffer {
    lastNumber += 1
    const line = eventLine(name, data, lastId())
    told.push({ number: lastNumber, line })
    if (told.length > MOST_KEPT) told.splice(0, MOST_KEPT / 2)
    return line
  }

  function lastId(): string {
    return `${boot}-${String(lastNumber)}`
  }

  /** What came after the event that a stream has heard last. */
  function since(lastEventId: string): Buffer {
    const number = lastEventId.startsWith(`${boot}-`)
      ? Number(lastEventId.slice(boot.length + 1))
      : NaN
    const oldest = (told[0]?.number ?? lastNumber + 1) - 1
    if (!(number >= oldest && number <= lastNumber)) return RESET
    return Buffer.concat(told.filter((one) => one.number > number).map(({ line }) => line))
  }

  function broadcast(event: LiveEvent): void {
    if (event.kind === 'price') {
      const { kind: _, ...message } = event
      tellSockets(message)
      const line = eventLine('price', sent(message))
      for (const stream of streams[event.asset]) stream.write(line)
      return
    }
    const lines = Buffer.concat(
      event.kind === 'verdicts'
        ? event.verdicts.map((verdict) => keep('verdict', verdict))
        : event.predictions.map((prediction) => keep('prediction', prediction)),
    )
    for (const set of [...Object.values(streams), newsOnly]) {
      for (const stream of set) stream.write(lines)
    }
  }

  const unlisten = live.listen(broadcast)
  const beat = setInterval(() => {
    for (const key of ASSET_KEYS) {
      for (const socket of sockets[key]) {
        if (!answered.has(socket)) socket.terminate()
        else {
          answered.delete(socket)
          socket.ping()
        }
      }
    }
  }, BEAT_MS)
  beat.unref()
  // While the venues are silent the last price is said again, as old as it is: that a line is dead is something else.
  const repeat = setInterval(() => {
    for (const key of ASSET_KEYS) {
      const last = live.last(key)
      const agoMs = performance.now() - (toldAt.get(key) ?? -Infinity)
      if (last && agoMs >= LIVE_REPEAT_MS / 2) tellSockets(last)
    }
  }, LIVE_REPEAT_MS)
  repeat.unref()

  async function leave(): Promise<void> {
    limit.shut()
    unlisten()
    clearInterval(beat)
    clearInterval(repeat)
    const open = (): WebSocket[] => ASSET_KEYS.flatMap((key) => [...sockets[key]])
    for (const socket of open()) socket.close(1_001, 'the server is stopping')
    const until = performance.now() + LEAVE_WITHIN_MS
    while (open().length > 0 && performance.now() < until) {
      await new Promise((done) => setTimeout(done, 10))
    }
    for (const socket of open()) socket.terminate()
  }

  return {
    async admitSocket(request, reply) {
      if (request.ws) {
        await limit.refuse(request, reply)
        return
      }
      const text = 'Prices are sent here by websocket only.'
      await reply
        .code(426)
        .headers({ upgrade: 'websocket', connection: 'upgrade' })
        .send(failureBody('invalid', text))
    },

    joinSocket(socket, request, { asset }) {
      socket.once('close', limit.enter(request))
      sockets[asset].add(socket)
      answered.add(socket)
      socket.on('pong', () => answered.add(socket))
      socket.on('error', ignore)
      socket.on('close', () => sockets[asset].delete(socket))
      const last = live.last(asset)
      if (last) sendTo(socket, Buffer.from(JSON.stringify(sent(last))))
    },

    joinEvents: (request, reply, { asset, receipt, after }) =>
      answer(request, reply, (stream) => {
        const joined = asset === 'none' ? newsOnly : streams[asset]
        joined.add(stream)
        const last = asset === 'none' ? null : live.last(asset)
        if (last) stream.send('price', sent(last))
        const header = request.headers['last-event-id']
        const heard = typeof header === 'string' && header !== '' ? header : after
        if (heard !== undefined) stream.write(since(heard))
        // After what was missed: from here on the page is up to date.
        stream.write(Buffer.from(`event: alive\ndata: 1\nid: ${lastId()}\n\n`))
        // Receipts come when they have been read: prices do not wait for the database.
        const ends = receipt.map((token) =>
          receipts
            .follow(
              token,
              (state) => stream.send('receipt', state),
              (error) => request.log.warn({ err: error }, 'a receipt could not be sent'),
            )
            .catch(
              // There is no such receipt, or it cannot be read now: the page asks for it and says so.
              () => ignore,
            ),
        )
        return () => {
          joined.delete(stream)
          for (const end of ends) void end.then((now) => now())
        }
      }),
  }
}

const RESET = eventLine('reset', 1)

function sendTo(socket: WebSocket, data: Buffer): void {
  if (socket.bufferedAmount > MOST_BEHIND_BYTES) socket.terminate()
  else socket.send(data, AS_TEXT)
}

const AS_TEXT = { binary: false, compress: false }

function byAsset<T>(): Record<AssetKey, Set<T>> {
  return { btc: new Set(), mstr: new Set(), naka: new Set() }
}

function ignore(): void {
  // A client that goes away in the middle of something is no concern of ours.
}
