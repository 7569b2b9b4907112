import { type Receipt } from '#contracts/receipt.ts'
import { type Receipts } from '#server/services/receipts.ts'
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { type ServerResponse } from 'node:http'

/** Open streams of one address and of all; who finds no room polls instead. */
const MOST_AN_ADDRESS = 20
const MOST = 2_000
const BEAT_MS = 25_000
const RETRY_MS = 3_000
const MOST_BEHIND_BYTES = 65_536

/** Sends a receipt as events of the name `receipt`: at once, and whenever it changes. */
export function receiptEvents(
  app: FastifyInstance,
  receipts: Pick<Receipts, 'follow'>,
): (request: FastifyRequest, reply: FastifyReply, token: string) => Promise<unknown> {
  const open = new Map<ServerResponse, string>()
  const beat = setInterval(() => {
    for (const stream of open.keys()) stream.write(':\n\n')
  }, BEAT_MS)
  beat.unref()
  app.addHook('preClose', async () => {
    clearInterval(beat)
    for (const stream of open.keys()) stream.end()
  })

  return async (request, reply, token) => {
    const own = [...open.values()].filter((address) => address === request.ip).length
    if (open.size >= MOST || own >= MOST_AN_ADDRESS) {
      return reply.code(503).header('retry-after', '30').send()
    }
    const stream = reply.raw
    let end: (() => void) | null = null
    let isOver = false
    const waiting: Receipt[] = []
    const send = (receipt: Receipt): void => {
      if (!stream.headersSent) {
        waiting.push(receipt)
        return
      }
      if (stream.writableLength > MOST_BEHIND_BYTES) stream.destroy()
      else stream.write(`event: receipt\ndata: ${JSON.stringify(receipt)}\n\n`)
    }
    stream.on('close', () => {
      isOver = true
      open.delete(stream)
      end?.()
    })
    end = await receipts.follow(token, send, (error) => {
      request.log.warn({ err: error }, 'a receipt could not be sent; its page asks again')
      stream.end()
    })
    if (isOver) {
      end()
      return reply
    }
    reply.hijack()
    open.set(stream, request.ip)
    stream.on('error', () => stream.destroy())
    stream.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    })
    stream.write(`retry: ${String(RETRY_MS)}\n\n`)
    for (const receipt of waiting) send(receipt)
    return reply
  }
}
