import { LIVE_REPEAT_MS } from '#contracts/live.paths.ts'
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { type OutgoingHttpHeader } from 'node:http'
import { type Writable } from 'node:stream'
import { PRIVATE } from './cache-control.ts'
import { type ConnectionLimit } from './connection-limit.ts'

/** A stream that lets so many bytes pile up is slow. It has some time to take them, but never more than a burst. */
const MOST_BEHIND_BYTES = 65_536
const BEHIND_FOR_MS = 5_000
const MOST_BURST_BYTES = 4_000_000
const RETRY_MS = 5_000
const LEAVE_WITHIN_MS = 500

const HEAD = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': PRIVATE,
  'x-accel-buffering': 'no',
  'x-content-type-options': 'nosniff',
}
const RETRY = Buffer.from(`retry: ${String(RETRY_MS)}\n\n`)

/** Pages hear events only; others pass over the name. */
const ALIVE = eventLine('alive', 1)

/** One open stream; what is written before its head is sent follows behind it. */
export type EventStream = {
  readonly send: (name: string, data: unknown) => void
  /** Sends what `eventLine` has encoded, once for many streams. */
  readonly write: (line: Buffer) => void
  readonly end: () => void
}

/** @param id what a stream that comes again names as the last event it has heard */
export function eventLine(name: string, data: unknown, id?: string): Buffer {
  const named = id === undefined ? '' : `id: ${id}\n`
  return Buffer.from(`${named}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`)
}

/**
 * Answers requests with streams of events. `alive` keeps them open on their way and shows both ends when the connection is lost; one that
 * stays behind is cut, and its page comes again; all end before the server does.
 *
 * @param limit refuses a stream that is one too many
 * @param check asked at every beat: a stream ends where it fails
 * @returns answers a request; `follow` gets the stream, and returns what is called once it has ended
 */
export function eventStreams(
  app: FastifyInstance,
  {
    limit,
    check,
  }: {
    readonly limit: ConnectionLimit
    readonly check?: (request: FastifyRequest) => Promise<unknown>
  },
) {
  const open = new Map<Writable, { stream: EventStream; check: (() => Promise<unknown>) | null }>()
  const beat = setInterval(() => {
    for (const { stream, check: isAllowed } of open.values()) {
      stream.write(ALIVE)
      isAllowed?.().catch(stream.end)
    }
  }, LIVE_REPEAT_MS)
  beat.unref()
  app.addHook('preClose', async () => {
    clearInterval(beat)
    limit.shut()
    for (const line of open.keys()) line.end()
    const until = performance.now() + LEAVE_WITHIN_MS
    while (open.size > 0 && performance.now() < until) {
      await new Promise((done) => setTimeout(done, 10))
    }
    for (const line of open.keys()) line.destroy()
  })

  return async (
    request: FastifyRequest,
    reply: FastifyReply,
    follow: (stream: EventStream) => (() => void) | Promise<() => void>,
  ): Promise<FastifyReply> => {
    if (await limit.refuse(request, reply)) return reply
    const leave = limit.enter(request)
    const { stream, begin } = newStream()
    let unfollow: () => void
    try {
      unfollow = await follow(stream)
    } catch (error) {
      leave()
      throw error
    }
    reply.hijack()
    if (reply.raw.destroyed) {
      leave()
      unfollow()
      return reply
    }
    const line = reply.raw
    open.set(line, { stream, check: check ? () => check(request) : null })
    line.on('error', () => line.destroy())
    line.on('close', () => {
      open.delete(line)
      leave()
      unfollow()
    })
    const headers: Readonly<Record<string, OutgoingHttpHeader | undefined>> = reply.getHeaders()
    line.writeHead(200, { ...headers, ...HEAD })
    begin(line)
    return reply
  }
}

/** A stream, and how it begins: what was written before follows then. */
function newStream(): { stream: EventStream; begin: (line: Writable) => void } {
  let waiting: Buffer[] = []
  let write = (given: Buffer): void => void waiting.push(given)
  let to: Writable | null = null
  let isOver = false
  const stream: EventStream = {
    send: (name, data) => stream.write(eventLine(name, data)),
    write: (given) => write(given),
    end: () => {
      isOver = true
      to?.end()
    },
  }
  return {
    stream,
    begin(line) {
      to = line
      line.write(Buffer.concat([RETRY, ...waiting]))
      waiting = []
      write = writerTo(line)
      if (isOver) line.end()
    },
  }
}

function writerTo(line: Writable): (line: Buffer) => void {
  let behindSince: number | null = null
  return (given) => {
    const behind = line.writableLength
    if (behind <= MOST_BEHIND_BYTES) behindSince = null
    else {
      behindSince ??= performance.now()
      if (behind > MOST_BURST_BYTES || performance.now() - behindSince > BEHIND_FOR_MS) {
        line.destroy()
        return
      }
    }
    line.write(given)
  }
}
