import { SHARED } from './cache-control.ts'
import { hasIt } from './send-hot.ts'
import { type FastifyReply, type FastifyRequest } from 'fastify'

/** Sends bytes that other sites may show, or 304 when the asker has them already; then they are not even made. */
export async function sendBytes(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, etag }: { readonly type: string; readonly etag: string },
  make: () => Promise<Uint8Array>,
): Promise<FastifyReply> {
  const bytes = hasIt(request.headers['if-none-match'], etag) ? null : await make()
  void reply
    .header('cache-control', SHARED)
    .header('cross-origin-resource-policy', 'cross-origin')
    .header('etag', etag)
  if (bytes === null) return reply.code(304).send()
  return reply.type(type).send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
}
