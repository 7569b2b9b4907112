import { fileText } from '#server/kit/text.ts'
import { failure } from '#server/kit/failure.ts'
import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify'
import { type Readable } from 'node:stream'

const MOST_SWALLOWED_BYTES = 64_000
const MOST_READ_BYTES = 256 * 1024
/** How much of an oversized body is drained. */
const MOST_DRAINED_BYTES = 8_000_000
const LONGEST_DRAIN_MS = 10_000

/**
 * Accepts bodies that are not read, up to a limit: mail programs unsubscribe by a form (RFC 8058), wallets send hints
 * in any shape, even empty or broken.
 *
 * @param isRead whether the body is read as JSON all the same
 */
export function swallowBodies(
  app: FastifyInstance,
  isRead: (request: FastifyRequest) => boolean = () => false,
): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (request, payload, done) => {
    const reads = isRead(request)
    const most = reads ? MOST_READ_BYTES : MOST_SWALLOWED_BYTES
    const chunks: Buffer[] = []
    let size = 0
    const take = (chunk: Buffer): void => {
      size += chunk.length
      if (size > most) end(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE())
      else if (reads) chunks.push(chunk)
    }
    const end = (error?: Error): void => {
      payload.off('data', take).off('end', end).off('error', end)
      if (error) return done(error)
      if (!reads) return done(null, null)
      try {
        return done(null, JSON.parse(fileText(Buffer.concat(chunks))))
      } catch {
        return done(failure('invalid', 'The body is not JSON.'))
      }
    }
    payload.on('data', take).on('end', end).on('error', end)
  })
}

/**
 * Drains an unread body, within limits: closing a connection while the client still sends resets it and loses the response.
 */
export async function drain(body: Readable): Promise<void> {
  if (body.readableEnded || body.destroyed) return
  await new Promise<void>((done) => {
    let left = MOST_DRAINED_BYTES
    const take = (chunk: Buffer): void => {
      left -= chunk.length
      if (left < 0) end()
    }
    const end = (): void => {
      clearTimeout(timer)
      body.off('data', take).off('end', end).off('close', end).off('error', end)
      done()
    }
    const timer = setTimeout(end, LONGEST_DRAIN_MS)
    body.on('data', take).on('end', end).on('close', end).on('error', end)
    body.resume()
  })
}
