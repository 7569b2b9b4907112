import { type FastifyInstance } from 'fastify'
import { failure } from '#server/kit/failure.ts'

/** Calls of monitoring. */
const ASKED = ['/healthz', '/readyz', '/metrics']

/**
 * The server of a worker: it serves monitoring and tells all others, such as a misconfigured balancer, where the
 * pages are.
 */
export function onlyHealth(app: FastifyInstance, origin: string): void {
  app.addHook('onRequest', async ({ url }) => {
    if (ASKED.includes(url.split('?')[0] ?? '')) return
    throw failure('not_found', `This process does jobs. Pages and calls are at ${origin}.`)
  })
}
