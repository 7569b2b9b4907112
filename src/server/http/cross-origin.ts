import { type FastifyInstance, type FastifyReply } from 'fastify'

/** What a page of another site may read of an answer beside its body. */
const EXPOSED = [
  'etag',
  'last-modified',
  'link',
  'retry-after',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
].join(', ')

/** Lets pages of all other sites read this answer. It must be the same for everyone: cookies are never sent along. */
export function openToAll(reply: FastifyReply): FastifyReply {
  return reply
    .header('access-control-allow-origin', '*')
    .header('access-control-expose-headers', EXPOSED)
}

/** Answers the question of browsers that comes before a request with conditions, such as `If-None-Match`. */
export function allowAsking(app: FastifyInstance, url: string): void {
  app.options(url, { schema: { hide: true } }, (_, reply) =>
    openToAll(reply)
      .header('access-control-allow-methods', 'GET, HEAD')
      .header('access-control-allow-headers', 'accept, if-none-match, if-modified-since')
      .header('access-control-max-age', '86400')
      .code(204)
      .send(),
  )
}
