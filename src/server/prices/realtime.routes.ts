import {
  LIVE_OLD_MS,
  LIVE_REPEAT_MS,
  type LIVE_EVENTS,
  type LiveQuery,
  type PriceMessage,
  type SentPrice,
} from '#contracts/live.ts'
import { ASSET_KEYS, type AssetKey } from '#domain/asset.ts'
import { failureBody } from '#server/kit/failure.ts'
import { type Clock } from '#server/kit/ports.ts'
import { type LiveEvent, type LivePrices } from './live-prices.ts'
import { networkOf } from '#server/http/network-of.ts'
import websocket, { type WebSocket } from '@fastify/websocket'
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { randomBytes } from 'node:crypto'
import { type ServerResponse } from 'node:http'
import { type z } from 'zod'

/** A client that lets so many bytes pile up is too slow and is let go; it may come again. */
const MOST_BEHIND_BYTES = 65_536
/** Many verdicts at once are more than that; a stream has some time to take them, but never this much. */
const BEHIND_FOR_MS = 5_000
const MOST_BURST_BYTES = 4_000_000
/** Connections of one address, or one IPv6 network; many people may share one. */
const MOST_AN_ADDRESS = 200
const MOST_CONNECTIONS = 25_000
/** Clients say nothing; whatever they send is not read beyond this. */
const MOST_FROM_CLIENT_BYTES = 1_024
const BEAT_MS = 30_000
const LEAVE_WITHIN_MS = 500
const RETRY_MS = 5_000
/** Events of the record that a stream which comes again is told. */
const MOST_KEPT = 2_000

type Asked = z.output<typeof LiveQuery>

export type Realtime = {
  /** Sends prices of the asset asked for to a websocket. */
  readonly joinSocket: (socket: WebSocket, request: FastifyRequest, query: Asked) => void
  /** Sends prices of the asset, and all new verdicts and changes of predictions, as events. */
  readonly joinEvents: (request: FastifyRequest, reply: FastifyReply, query: Asked) => void
  /** Refuses an address that has too many connections; use it before joining. */
  readonly admit: (request: FastifyRequest, reply: FastifyReply) => Promise<void>
  /** Refuses what does not ask for a websocket. */
  readonly onlySockets: (request: FastifyRequest, reply: FastifyReply) => Promise<void>
}

/**
 * Registers websockets and keeps all that is connected: each message is encoded once and sent to everybody, the slow are
 * dropped, the dead found by a beat, and all are closed when the server stops.
 */
export async function realtime(
  app: FastifyInstance,
  { live, clock }: { live: LivePrices; clock: Clock },
): Promise<Realtime> {
  const sockets = byAsset<WebSocket>()
  const streams = byAsset<ServerResponse>()
  const answered = new WeakSet<WebSocket>()
  const toldAt = new Map<AssetKey, number>()
  const addresses = new Map<string, number>()
  /** What was told of the record, oldest first, for streams that come again; numbers begin anew with the process. */
  const told: { readonly number: number; readonly line: Buffer }[] = []
  const boot = randomBytes(6).toString('base64url')
  let lastNumber = 0
  let count = 0
  let closing = false

  await app.register(websocket, {
    options: { perMessageDeflate: false, maxPayload: MOST_FROM_CLIENT_BYTES },
    preClose: leave,
  })

  function tellSockets(message: PriceMessage): void {
    toldAt.set(message.asset, performance.now())
    const data = sentPrice(message)
    for (const socket of sockets[message.asset]) sendTo(socket, data)
  }

  function sentPrice(message: PriceMessage): Buffer {
    const sent: SentPrice = { ...message, now: clock.now() }
    return Buffer.from(JSON.stringify(sent))
  }

  function keep<Name extends 'verdict' | 'prediction'>(
    name: Name,
    data: z.input<(typeof LIVE_EVENTS)[Name]>,
  ): Buffer {
    lastNumber += 1
    const line = Buffer.concat([
      Buffer.from(`id: ${boot}-${String(lastNumber)}\n`),
      eventLine(name, data),
    ])
    told.push({ number: lastNumber, line })
    if (told.length > MOST_KEPT) told.splice(0, MOST_KEPT / 2)
    return line
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
      if (clock.now() - message.at > LIVE_OLD_MS) return
      const line = eventLine('price', event.price)
      for (const stream of streams[event.asset]) writeTo(stream, line)
      return
    }
    const lines = Buffer.concat(
      event.kind === 'verdicts'
        ? event.verdicts.map((verdict) => keep('verdict', verdict))
        : event.predictions.map((prediction) => keep('prediction', prediction)),
    )
    for (const key of ASSET_KEYS) for (const stream of streams[key]) writeTo(stream, lines)
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
  // The prices of a stream carry no time, so it is told that it lives.
  const repeat = setInterval(() => {
    for (const key of ASSET_KEYS) {
      for (const stream of streams[key]) writeTo(stream, ALIVE)
      const last = live.last(key)
      const agoMs = performance.now() - (toldAt.get(key) ?? -Infinity)
      if (last && agoMs >= LIVE_REPEAT_MS / 2) tellSockets(last)
    }
  }, LIVE_REPEAT_MS)
  repeat.unref()

  async function leave(): Promise<void> {
    closing = true
    unlisten()
    clearInterval(beat)
    clearInterval(repeat)
    const open = ASSET_KEYS.flatMap((key) => [...sockets[key]])
    for (const socket of open) socket.close(1_001, 'the server is stopping')
    for (const key of ASSET_KEYS) for (const stream of streams[key]) stream.end()
    const until = performance.now() + LEAVE_WITHIN_MS
    while (count > 0 && performance.now() < until) {
      await new Promise((done) => setTimeout(done, 10))
    }
    for (const socket of open) socket.terminate()
    for (const key of ASSET_KEYS) for (const stream of streams[key]) stream.destroy()
  }

  /** Keeps count of a connection until it ends. */
  function enter(address: string): () => void {
    let inside = true
    count += 1
    addresses.set(address, (addresses.get(address) ?? 0) + 1)
    return () => {
      if (!inside) return
      inside = false
      count -= 1
      const left = (addresses.get(address) ?? 1) - 1
      if (left > 0) addresses.set(address, left)
      else addresses.delete(address)
    }
  }

  return {
    async admit(request, reply) {
      // Behind a proxy that is not named in TRUST_PROXY everybody comes from this machine.
      const connected = addresses.get(networkOf(request.ip)) ?? 0
      const isCrowded = !isLoopback(request.ip) && connected >= MOST_AN_ADDRESS
      if (closing || isCrowded || count >= MOST_CONNECTIONS) {
        const text = isCrowded
          ? 'Too many open connections from this address.'
          : 'No more connections can be taken at the moment.'
        const code = isCrowded ? 'too_many' : 'unavailable'
        await reply
          .code(isCrowded ? 429 : 503)
          .header('retry-after', '30')
          .send(failureBody(code, text))
      }
    },

    async onlySockets(request, reply) {
      if (request.ws) return
      const text = 'Prices are told here by websocket only.'
      await reply
        .code(426)
        .headers({ upgrade: 'websocket', connection: 'upgrade' })
        .send(failureBody('invalid', text))
    },

    joinSocket(socket, request, { asset }) {
      socket.once('close', enter(networkOf(request.ip)))
      sockets[asset].add(socket)
      answered.add(socket)
      socket.on('pong', () => answered.add(socket))
      socket.on('error', ignore)
      socket.on('close', () => sockets[asset].delete(socket))
      const last = live.last(asset)
      if (last) sendTo(socket, sentPrice(last))
    },

    joinEvents(request, reply, { asset }) {
      reply.hijack()
      const stream = reply.raw
      if (stream.destroyed) return
      stream.once('close', enter(networkOf(request.ip)))
      stream.on('error', ignore)
      stream.on('close', () => streams[asset].delete(stream))
      stream.writeHead(200, {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
        'x-content-type-options': 'nosniff',
      })
      streams[asset].add(stream)
      stream.write(`retry: ${String(RETRY_MS)}\n\n`)
      const last = live.last(asset)
      if (last) writeTo(stream, eventLine('price', last.price))
      const heard = request.headers['last-event-id']
      if (typeof heard === 'string' && heard !== '') writeTo(stream, since(heard))
      // After what was missed: an event without data is not dispatched, but its id is remembered for the next time.
      writeTo(stream, Buffer.from(`id: ${boot}-${String(lastNumber)}\n\n`))
    },
  }
}

/** Pages hear events only; others pass over the name. */
const ALIVE = Buffer.from('event: alive\ndata: 1\n\n')
const RESET = Buffer.from('event: reset\ndata: 1\n\n')

function sendTo(socket: WebSocket, data: Buffer): void {
  if (socket.bufferedAmount > MOST_BEHIND_BYTES) socket.terminate()
  else socket.send(data, AS_TEXT)
}

const AS_TEXT = { binary: false, compress: false }

const behindSince = new WeakMap<ServerResponse, number>()

function writeTo(stream: ServerResponse, data: Buffer): void {
  const waiting = stream.writableLength
  if (waiting <= MOST_BEHIND_BYTES) behindSince.delete(stream)
  else {
    const since = behindSince.get(stream) ?? performance.now()
    behindSince.set(stream, since)
    if (waiting > MOST_BURST_BYTES || performance.now() - since > BEHIND_FOR_MS) {
      stream.destroy()
      return
    }
  }
  stream.write(data)
}

function eventLine<Name extends keyof typeof LIVE_EVENTS>(
  name: Name,
  data: z.input<(typeof LIVE_EVENTS)[Name]>,
): Buffer {
  return Buffer.from(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`)
}

function byAsset<T>(): Record<AssetKey, Set<T>> {
  return { btc: new Set(), mstr: new Set(), naka: new Set() }
}

function isLoopback(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address)
}

function ignore(): void {
  // A client that goes away in the middle of something is no concern of ours.
}
