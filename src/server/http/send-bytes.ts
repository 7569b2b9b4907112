import { hasIt } from './send-hot.ts'
import { type FastifyReply, type FastifyRequest } from 'fastify'

/**
 * Sends bytes that other sites may show, or 304 when the asker has them already; then they are not even made.
 *
 * @param about `etag` null where there is nothing to compare
 */
export async function sendBytes(
  request: FastifyRequest,
  reply: FastifyReply,
  about: { readonly type: string; readonly etag: string | null; readonly maxAgeSeconds: number },
  make: () => Promise<Uint8Array>,
): Promise<FastifyReply> {
  const { type, etag, maxAgeSeconds } = about
  const isKnown = etag !== null && hasIt(request.headers['if-none-match'], etag)
  const bytes = isKnown ? null : await make()
  void reply
    .header('cache-control', `public, max-age=${String(maxAgeSeconds)}`)
    .header('cross-origin-resource-policy', 'cross-origin')
  if (etag !== null) void reply.header('etag', etag)
  if (bytes === null) return reply.code(304).send()
  return reply.type(type).send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
}
