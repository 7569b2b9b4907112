import { isIP } from 'node:net'
import { type FastifyInstance, type FastifyReply } from 'fastify'
import { type Warning } from '#contracts/operations.ts'
import { isPublicAddress } from '#server/kit/reach.ts'

const EXPOSED =
  'etag, last-modified, link, retry-after, x-ratelimit-limit, x-ratelimit-remaining, x-ratelimit-reset'

/** Allows all origins to read this response. It must be the same for everyone: cookies are never sent. */
export function openToAll(reply: FastifyReply): FastifyReply {
  return reply
    .header('access-control-allow-origin', '*')
    .header('access-control-expose-headers', EXPOSED)
}

/** Answers the preflight of conditional requests (`If-None-Match`). */
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

/**
 * Detects an untrusted proxy, behind which all visitors share one address and its limits. Reported once in the log,
 * and to administrators while the process runs. Requests from the internet prove nothing: a visitor may send any
 * header.
 *
 * @returns the warning for administrators
 */
export function noticeUnbelievedProxy(app: FastifyInstance): () => Warning[] {
  let text: string | null = null
  app.addHook('onRequest', (request, _, next) => {
    const { remoteAddress } = request.socket
    const { headers } = request
    const isRead = namesAddress(headers['x-forwarded-for'])
    const names = isRead || headers['forwarded'] !== undefined
    const isBelieved = (request.ips?.length ?? 0) > 1
    if (text === null && names && !isBelieved && remoteAddress && !isPublicAddress(remoteAddress)) {
      const trust = `set TRUST_PROXY=${remoteAddress}, or to the number of proxies in front of the site`
      text = isRead
        ? `A proxy at ${remoteAddress} sends X-Forwarded-For, but TRUST_PROXY is not set for it: all its visitors share one limit. If it is yours, ${trust}.`
        : `A proxy at ${remoteAddress} sends Forwarded, which is not read here: all its visitors share one limit. If it is yours, let it send X-Forwarded-For, and ${trust}.`
      request.log.warn(text)
    }
    next()
  })
  return () => (text === null ? [] : [{ name: 'unbelieved-proxy', text }])
}

/** A proxy appends the address, perhaps with a port; earlier entries come from the visitor. */
function namesAddress(header: string | readonly string[] | undefined): boolean {
  const last = String(header ?? '')
    .split(',')
    .at(-1)
    ?.trim()
    .replace(/^\[|\](?::\d+)?$|(?<=\.\d+):\d+$/g, '')
  return isIP(last ?? '') !== 0
}
