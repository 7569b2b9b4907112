import { failure } from '#server/errors.ts'
import { type FastifyInstance, type FastifyRequest } from 'fastify'

const MOST_SWALLOWED_BYTES = 64_000
const MOST_READ_BYTES = 256 * 1024

/**
 * Mail programs unsubscribe by a form (RFC 8058), wallets hint in shapes of their own, empty and broken ones among them: what
 * they say is not read, up to a bound.
 *
 * @param isRead whose body is read all the same, as JSON
 */
export function swallowBodies(
  app: FastifyInstance,
  isRead: (request: FastifyRequest) => boolean = () => false,
): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (request, payload, done) => {
    const reads = isRead(request)
    const most = reads ? MOST_READ_BYTES : MOST_SWALLOWED_BYTES
    const kept: Buffer[] = []
    let size = 0
    payload.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > most) payload.destroy()
      else if (reads) kept.push(chunk)
    })
    payload.on('end', () => {
      if (!reads) return done(null, null)
      try {
        return done(null, JSON.parse(Buffer.concat(kept).toString('utf8')))
      } catch {
        return done(failure('invalid', 'The body is no JSON.'))
      }
    })
    payload.on('error', done)
  })
}
