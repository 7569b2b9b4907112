import { type FastifyInstance } from 'fastify'
import { failure } from '#server/kit/failure.ts'

/** What monitoring asks of every process. */
const ASKED = ['/healthz', '/readyz', '/metrics']

/**
 * The server of a process that does jobs: it answers those who watch it, and says to all others where the pages are. They have come
 * here by mistake, as when a balancer names it.
 */
export function onlyHealth(app: FastifyInstance, origin: string): void {
  app.addHook('onRequest', async ({ url }) => {
    if (ASKED.includes(url.split('?')[0] ?? '')) return
    throw failure('not_found', `This process does jobs. Pages and calls are at ${origin}.`)
  })
}
