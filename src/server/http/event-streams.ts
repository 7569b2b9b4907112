import '@fastify/sse'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { LIVE_REPEAT_MS } from '#contracts/paths.ts'
import { failureBody } from '#server/kit/failure.ts'
import { PRIVATE } from './answer-cache.ts'
import { type ConnectionLimit } from './limits.ts'

/** Maximum backlog of a slow client, at a heartbeat and at any time. */
const MOST_BEHIND_BYTES = 65_536
const MOST_BURST_BYTES = 1_000_000
/** Reconnection delay of browsers, plus a random part (public-site.md §9). */
const RETRY_MS = 5_000
const JITTER_MS = 2_500
const LEAVE_WITHIN_MS = 500

/** An event, encoded once for many streams. */
export type StreamEvent = { readonly event: string; readonly data: string; readonly id?: string }

export type EventStream = {
  readonly send: (event: StreamEvent) => void
  readonly end: () => void
}

export const STREAM = {
  kind: 'manual',
  heartbeat: false,
  serializer: (text: string) => text,
} as const

/** @param id sent back by a reconnecting browser as its last event */
export function streamEvent(event: string, data: unknown, id?: string): StreamEvent {
  return { event, data: JSON.stringify(data), ...(id === undefined ? {} : { id }) }
}

/** An event, as pages cannot see comments. */
const ALIVE = streamEvent('alive', 1)

/**
 * Event streams. `alive` keeps them open and reveals a lost connection to both ends; a client that falls behind is
 * cut off and reconnects; all streams end before the server does.
 *
 * @param limit refuses streams over the limit
 * @param check called at each heartbeat; the stream ends if it fails
 * @returns answers a request; `follow` gets the stream and returns its clean-up
 */
export function eventStreams(
  app: FastifyInstance,
  limit: ConnectionLimit,
  check?: (request: FastifyRequest) => Promise<unknown>,
) {
  const open = new Map<FastifyReply, EventStream>()
  const beat = setInterval(() => {
    for (const [reply, stream] of open) {
      if (reply.raw.writableLength > MOST_BEHIND_BYTES) reply.raw.destroy()
      else stream.send(ALIVE)
      check?.(reply.request).catch(stream.end)
    }
  }, LIVE_REPEAT_MS)
  beat.unref()
  app.addHook('preClose', async () => {
    clearInterval(beat)
    limit.shut()
    const replies = [...open.keys()]
    const closed = replies.map(({ raw }) => once(raw, 'close'))
    for (const { sse } of replies) sse.close()
    await Promise.race([Promise.all(closed), pause(LEAVE_WITHIN_MS, undefined, { ref: false })])
    for (const { raw } of replies) raw.destroy()
  })

  return async (
    request: FastifyRequest,
    reply: FastifyReply,
    follow: (stream: EventStream) => (() => void) | Promise<() => void>,
  ): Promise<FastifyReply | undefined> => {
    if (await limit.refuse(request, reply)) return reply
    const { sse, raw } = reply
    const stream: EventStream = {
      send: (event) => {
        if (raw.writableLength > MOST_BURST_BYTES) raw.destroy()
        else void sse.send(event).catch(() => {})
      },
      end: () => sse.close(),
    }
    // Each pending event adds a listener.
    raw.setMaxListeners(0)
    reply.header('cache-control', PRIVATE)
    let unfollow = (): void => {}
    const leave = limit.enter(request)
    open.set(reply, stream)
    sse.onClose(() => {
      open.delete(reply)
      leave()
      unfollow()
    })
    unfollow = await follow(stream)
    if (!sse.isConnected) {
      unfollow()
      if (raw.headersSent) return undefined
      // Browsers complain about the type of an empty success.
      void reply.code(503)
      return reply.send(failureBody('unavailable', 'The stream has ended. Please try again.'))
    }
    sse.keepAlive()
    const retry = RETRY_MS + Math.round(Math.random() * JITTER_MS)
    await sse.send({ data: undefined, retry })
    return undefined
  }
}
