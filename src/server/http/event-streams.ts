import { networkOf } from './network-of.ts'
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { type ServerResponse } from 'node:http'

const BEAT_MS = 25_000
const RETRY_MS = 3_000
const MOST_BEHIND_BYTES = 65_536

/**
 * Sends states of one kind to whoever holds a stream open, each as an event with the whole state as JSON. A beat keeps
 * streams open on their way; one that falls behind is cut, and its page comes again; all end before the server does.
 *
 * @param name of the events
 * @param most open streams, and those of one address; who finds no room gets 503 and polls instead
 * @param check asked at every beat: a stream ends where it fails
 * @returns answers a request; `follow` gets what sends a state, which it may call at once, and what ends the stream, and
 * returns what ends the following
 */
export function eventStreams<State>(
  app: FastifyInstance,
  {
    name,
    most,
    mostAnAddress = most,
    check,
  }: {
    readonly name: string
    readonly most: number
    readonly mostAnAddress?: number
    readonly check?: (request: FastifyRequest) => Promise<unknown>
  },
) {
  const open = new Map<ServerResponse, FastifyRequest>()
  const beat = setInterval(() => {
    for (const [stream, request] of open) {
      stream.write(':\n\n')
      check?.(request).catch(() => stream.end())
    }
  }, BEAT_MS)
  beat.unref()
  app.addHook('preClose', async () => {
    clearInterval(beat)
    for (const stream of open.keys()) stream.end()
  })

  return async (
    request: FastifyRequest,
    reply: FastifyReply,
    follow: (send: (state: State) => void, fail: () => void) => Promise<() => void>,
  ): Promise<FastifyReply> => {
    const network = networkOf(request.ip)
    const own = [...open.values()].filter(({ ip }) => networkOf(ip) === network).length
    if (open.size >= most || own >= mostAnAddress) {
      return reply.code(503).header('retry-after', '30').send()
    }
    const stream = reply.raw
    let end: (() => void) | null = null
    let isOver = false
    const waiting: State[] = []
    const send = (state: State): void => {
      // Until the head is sent only the last one is kept: each is the whole state.
      if (!stream.headersSent) waiting[0] = state
      else if (stream.writableLength > MOST_BEHIND_BYTES) stream.destroy()
      else stream.write(`event: ${name}\ndata: ${JSON.stringify(state)}\n\n`)
    }
    stream.on('close', () => {
      isOver = true
      open.delete(stream)
      end?.()
    })
    end = await follow(send, () => stream.end())
    if (isOver) {
      end()
      return reply
    }
    reply.hijack()
    open.set(stream, request)
    stream.on('error', () => stream.destroy())
    stream.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    })
    stream.write(`retry: ${String(RETRY_MS)}\n\n`)
    for (const state of waiting) send(state)
    return reply
  }
}
