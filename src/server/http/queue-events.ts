import { type QueueEvent } from '#contracts/posts.ts'
import { type QueueBoard } from '#server/services/queue-board.ts'
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { type ServerResponse } from 'node:http'

const MOST = 100
const BEAT_MS = 25_000
const RETRY_MS = 3_000
const MOST_BEHIND_BYTES = 65_536

/**
 * Sends the state of the queue as events of the name `queue`: at once, and whenever it changes. A stream ends when the
 * session behind it does, at the next beat at the latest.
 */
export function queueEvents(
  app: FastifyInstance,
  board: Pick<QueueBoard, 'watch'>,
): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  const open = new Map<ServerResponse, FastifyRequest>()
  const beat = setInterval(() => {
    for (const [stream, request] of open) {
      stream.write(':\n\n')
      app.sessions.guard(request).catch(() => stream.end())
    }
  }, BEAT_MS)
  beat.unref()
  app.addHook('preClose', async () => {
    clearInterval(beat)
    for (const stream of open.keys()) stream.end()
  })

  return async (request, reply) => {
    if (open.size >= MOST) return reply.code(503).header('retry-after', '30').send()
    const stream = reply.raw
    let end: (() => void) | null = null
    let waiting: QueueEvent | null = null
    const send = (state: QueueEvent): void => {
      if (!stream.headersSent) waiting = state
      else if (stream.writableLength > MOST_BEHIND_BYTES) stream.destroy()
      else stream.write(`event: queue\ndata: ${JSON.stringify(state)}\n\n`)
    }
    let isOver = false
    stream.on('close', () => {
      isOver = true
      open.delete(stream)
      end?.()
    })
    end = await board.watch(send)
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
    if (waiting) send(waiting)
    return reply
  }
}
