import { type FastifyInstance } from 'fastify'

/** `/healthz`: the process lives. `/readyz`: it can serve, its database answers, and it is not stopping. */
export function healthRoutes(
  app: FastifyInstance,
  health: {
    isOpen: () => boolean
    /** The disk of the database is full: nothing can be written. */
    isFull: () => boolean
    pingDatabase: () => Promise<unknown>
  },
): void {
  app.get('/healthz', { schema: { hide: true } }, () => ({ ok: true }))
  app.get('/readyz', { schema: { hide: true } }, async (_, reply) => {
    if (!health.isOpen()) return reply.code(503).send({ ready: false, why: 'stopping' })
    if (health.isFull()) return reply.code(503).send({ ready: false, why: 'disk full' })
    try {
      await health.pingDatabase()
      return { ready: true }
    } catch {
      return reply.code(503).send({ ready: false, why: 'database' })
    }
  })
}
