import { type Warning } from '#contracts/operations.ts'
import { isPublicAddress } from '#server/kit/public-address.ts'
import { type FastifyInstance } from 'fastify'
import { isIP } from 'node:net'

/**
 * Notices a proxy whose word about visitors is not believed: all of them then share one address, and its limits. Said
 * once in the log, and to administrators for as long as the process lives. What comes from the internet says nothing: a
 * visitor may send any header.
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

/** A proxy puts an address last, perhaps with its port; whatever a visitor has sent stands before it. */
function namesAddress(header: string | readonly string[] | undefined): boolean {
  const last = String(header ?? '')
    .split(',')
    .at(-1)
    ?.trim()
    .replace(/^\[|\](?::\d+)?$|(?<=\.\d+):\d+$/g, '')
  return isIP(last ?? '') !== 0
}
