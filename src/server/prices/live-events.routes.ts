import { type LiveEventsQuery } from '#contracts/live.ts'
import { type ConnectionLimit } from '#server/http/connection-limit.ts'
import { eventLine, eventStreams, type EventStream } from '#server/http/event-streams.ts'
import { type Clock } from '#server/kit/ports.ts'
import { byAsset, sentPrice, type LivePrices, type RecordNews } from './live-prices.ts'
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { type z } from 'zod'

/** So many versions of the record, and events between them, are kept for streams that come again. */
const MOST_KEPT = 2_000
const RESET = eventLine('reset', 1)
const NOTHING = Buffer.alloc(0)

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
    version,
  }: {
    live: LivePrices
    clock: Clock
    receipts: FollowReceipts
    limit: ConnectionLimit
    /** Of the record as it is now; null before it was read. */
    version: () => string | null
  },
) {
  const streams = { ...byAsset(() => new Set<EventStream>()), none: new Set<EventStream>() }
  const news = keptNews(version)
  const answer = eventStreams(app, { limit })

  const unlisten = live.listen((event) => {
    if (event.kind === 'price') {
      const line = eventLine('price', sentPrice(event.price, clock))
      for (const stream of streams[event.price.asset]) stream.write(line)
      return
    }
    const lines = news.add(event.news)
    for (const set of Object.values(streams)) for (const stream of set) stream.write(lines)
  })
  app.addHook('preClose', async () => {
    unlisten()
  })

  /** What follows the stream from now on; it must not hold the request, which would live as long. */
  function follow(stream: EventStream, asset: keyof typeof streams, heard: string | undefined) {
    streams[asset].add(stream)
    const last = asset === 'none' ? null : live.last(asset)
    if (last) stream.send('price', sentPrice(last, clock))
    if (heard !== undefined) stream.write(news.since(heard))
    // After what was missed: from here on the page is up to date.
    stream.write(eventLine('alive', 1, news.version() ?? undefined))
    return () => void streams[asset].delete(stream)
  }

  return (
    request: FastifyRequest,
    reply: FastifyReply,
    { asset, receipt, after }: z.output<typeof LiveEventsQuery>,
  ): Promise<FastifyReply> => {
    const header = request.headers['last-event-id']
    const heard = typeof header === 'string' && header !== '' ? header : after
    return answer(request, reply, (stream) => {
      const unfollow = follow(stream, asset, heard)
      return receipt.length === 0
        ? unfollow
        : withReceipts(unfollow, { stream, receipt, receipts, log: request.log })
    })
  }
}

/** Sends receipts as they come: prices do not wait for the database. */
function withReceipts(
  unfollow: () => void,
  {
    stream,
    receipt,
    receipts,
    log,
  }: {
    stream: EventStream
    receipt: readonly string[]
    receipts: FollowReceipts
    log: FastifyRequest['log']
  },
): () => void {
  const ends = receipt.map((token) =>
    receipts
      .follow(
        token,
        (state) => stream.send('receipt', state),
        (error) => log.warn({ err: error }, 'a receipt could not be sent'),
      )
      .catch(
        // There is no such receipt, or it cannot be read now: the page asks for it and says so.
        () => () => {},
      ),
  )
  return () => {
    unfollow()
    for (const end of ends) void end.then((now) => now())
  }
}

/** What came with each of the last versions of the record, for streams that come again: to this process or another one. */
function keptNews(version: () => string | null) {
  /** Oldest first. */
  const kept: { readonly version: string; readonly events: number; readonly lines: Buffer }[] = []
  const eventsKept = (): number => kept.reduce((sum, { events }) => sum + Math.max(1, events), 0)

  const newest = (): string | null => kept.at(-1)?.version ?? version()

  return {
    /** The one that a stream is at that has heard all. */
    version: newest,
    /** @returns its lines; the last one has the version as its id, so that a stream that breaks before it hears all again */
    add({ since, version: id, verdicts, predictions }: RecordNews): Buffer {
      if (since !== null && kept.at(-1)?.version !== since) {
        kept.push({ version: since, events: 0, lines: NOTHING })
      }
      const events = [
        ...verdicts.map((data) => ['verdict', data] as const),
        ...predictions.map((data) => ['prediction', data] as const),
      ]
      const lines = events.map(([name, data], i) =>
        eventLine(name, data, i === events.length - 1 ? id : undefined),
      )
      const all = Buffer.concat(lines)
      kept.push({ version: id, events: events.length, lines: all })
      while (kept.length > 1 && eventsKept() > MOST_KEPT) kept.shift()
      return all
    },
    /** What came after this version; a `reset` where that is not known. */
    since(heard: string): Buffer {
      if (heard === newest()) return NOTHING
      const at = kept.findLastIndex((one) => one.version === heard)
      return at < 0 ? RESET : Buffer.concat(kept.slice(at + 1).map(({ lines }) => lines))
    },
  }
}
