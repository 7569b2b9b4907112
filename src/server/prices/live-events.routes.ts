import { type LIVE_EVENTS, type LiveEventsQuery } from '#contracts/live.ts'
import { type ConnectionLimit } from '#server/http/connection-limit.ts'
import { eventLine, eventStreams, type EventStream } from '#server/http/event-streams.ts'
import { type Clock } from '#server/kit/ports.ts'
import { byAsset, sentPrice, type LivePrices } from './live-prices.ts'
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { randomBytes } from 'node:crypto'
import { type z } from 'zod'

/** Events of the record that are kept for streams that come again. */
const MOST_KEPT = 2_000
const RESET = eventLine('reset', 1)

/** Sends a receipt at once and whenever it changes; see `receiptService`. */
export type FollowReceipts = {
  readonly follow: (
    token: string,
    onChange: (receipt: unknown) => void,
    onFault: (error: unknown) => void,
  ) => Promise<() => void>
}

/**
 * Streams of events: prices of the asset, all new verdicts and changes of predictions, and receipts. A line is encoded
 * once for all streams.
 *
 * @returns answers a request
 */
export function liveEvents(
  app: FastifyInstance,
  {
    live,
    clock,
    receipts,
    limit,
  }: { live: LivePrices; clock: Clock; receipts: FollowReceipts; limit: ConnectionLimit },
) {
  const streams = { ...byAsset(() => new Set<EventStream>()), none: new Set<EventStream>() }
  const news = keptNews()
  const answer = eventStreams(app, { limit })

  const unlisten = live.listen((event) => {
    if (event.kind === 'price') {
      const line = eventLine('price', sentPrice(event.price, clock))
      for (const stream of streams[event.price.asset]) stream.write(line)
      return
    }
    const lines = Buffer.concat(
      event.kind === 'verdicts'
        ? event.verdicts.map((verdict) => news.add('verdict', verdict))
        : event.predictions.map((prediction) => news.add('prediction', prediction)),
    )
    for (const set of Object.values(streams)) for (const stream of set) stream.write(lines)
  })
  app.addHook('preClose', async () => {
    unlisten()
  })

  return (
    request: FastifyRequest,
    reply: FastifyReply,
    { asset, receipt, after }: z.output<typeof LiveEventsQuery>,
  ): Promise<FastifyReply> =>
    answer(request, reply, (stream) => {
      streams[asset].add(stream)
      const last = asset === 'none' ? null : live.last(asset)
      if (last) stream.send('price', sentPrice(last, clock))
      const header = request.headers['last-event-id']
      const heard = typeof header === 'string' && header !== '' ? header : after
      if (heard !== undefined) stream.write(news.since(heard))
      // After what was missed: from here on the page is up to date.
      stream.write(Buffer.from(`event: alive\ndata: 1\nid: ${news.lastId()}\n\n`))
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
            () => () => {},
          ),
      )
      return () => {
        streams[asset].delete(stream)
        for (const end of ends) void end.then((now) => now())
      }
    })
}

/** The last events of the record, for streams that come again. Their numbers begin again with the process. */
function keptNews() {
  /** Oldest first. */
  const kept: { readonly number: number; readonly line: Buffer }[] = []
  const boot = randomBytes(6).toString('base64url')
  let lastNumber = 0
  const lastId = (): string => `${boot}-${String(lastNumber)}`

  return {
    lastId,
    /** @returns its line */
    add<Name extends 'verdict' | 'prediction'>(
      name: Name,
      data: z.input<(typeof LIVE_EVENTS)[Name]>,
    ): Buffer {
      lastNumber += 1
      const line = eventLine(name, data, lastId())
      kept.push({ number: lastNumber, line })
      if (kept.length > MOST_KEPT) kept.splice(0, MOST_KEPT / 2)
      return line
    },
    /** What came after this event; a `reset` where that is not known. */
    since(lastEventId: string): Buffer {
      const isOurs = lastEventId.startsWith(`${boot}-`)
      const number = isOurs ? Number(lastEventId.slice(boot.length + 1)) : NaN
      const oldest = (kept[0]?.number ?? lastNumber + 1) - 1
      if (!(number >= oldest && number <= lastNumber)) return RESET
      return Buffer.concat(kept.filter((one) => one.number > number).map(({ line }) => line))
    },
  }
}
