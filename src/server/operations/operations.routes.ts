import '#server/http/session.ts'
import { createHash, timingSafeEqual } from 'node:crypto'
import { type FastifyInstance, type FastifyRequest } from 'fastify'
import { type z } from 'zod'
import * as calls from '#contracts/operations.ts'
import { done, serveAdmin } from '#server/http/serve.ts'
import { failure } from '#server/kit/failure.ts'
import { type PaymentsAdmin } from '#server/payments/payments-admin.service.ts'
import { type StatusService } from '#server/prices/status.service.ts'
import { type AuditLog } from './audit-log.service.ts'
import { type FailedService } from './failed.service.ts'
import { type Metrics } from './metrics.service.ts'
import { type Operations } from './operations.service.ts'

const FILE_TYPES = {
  csv: 'text/csv; charset=utf-8',
  jsonl: 'application/jsonl; charset=utf-8',
} as const
const HINT = 'Nothing was sent: refunds are made by hand in the wallet.'

export type OperationParts = {
  readonly operations: Operations
  readonly failed: FailedService
  readonly sourceChecks: () => Promise<z.input<typeof calls.listSourceChecks.reply>>
  readonly audit: AuditLog
  readonly payments: PaymentsAdmin
  readonly state: StatusService
  readonly warnings: () => Promise<calls.Warning[]>
}

export function operationRoutes(
  app: FastifyInstance,
  { payments, operations, failed, sourceChecks, audit, state, warnings }: OperationParts,
): void {
  serveAdmin(app, calls.listPaymentsAdmin, ({ query }) => payments.list(query.kind, query.page))
  serveAdmin(app, calls.onePaymentAdmin, ({ params }) => payments.one(params.id))
  serveAdmin(app, calls.markPaymentHandled, async ({ admin, params, body }) => ({
    ...done(`Marked as settled. ${HINT}`),
    payment: await payments.markHandled(admin, params.id, body.note),
  }))
  serveAdmin(app, calls.reopenPayment, async ({ admin, params, body }) => ({
    ...done('The payment is listed as odd again.'),
    payment: await payments.reopen(admin, params.id, body.note),
  }))
  serveAdmin(app, calls.lookAtPayment, async ({ params }) => {
    const looked = await payments.look(params.id)
    const messages = {
      paid: 'The wallet says it is paid.',
      unpaid: 'The wallet says it is not paid.',
      unknown: `It could not be checked. ${looked.payment.last_error ?? ''}`.trim(),
    }
    return { ...done(messages[looked.found]), ...looked }
  })

  serveAdmin(app, calls.listJobs, async () => ({
    ...(await operations.jobs()),
    failed: await failed.list(),
    warnings: await warnings(),
  }))
  serveAdmin(app, calls.listSources, () => state.status())
  serveAdmin(app, calls.retryJob, async ({ admin, params, body }) =>
    done(await failed.decide(admin, params.id, 'again', body.state)),
  )
  serveAdmin(app, calls.dismissFailed, async ({ admin, params }) =>
    done(await failed.decide(admin, params.id, 'dismissed', 'failed')),
  )
  serveAdmin(app, calls.markArrived, async ({ admin, params }) =>
    done(await failed.decide(admin, params.id, 'arrived', 'unknown')),
  )
  serveAdmin(app, calls.runSource, async ({ admin, body }) =>
    done(await operations.runSource(admin, body)),
  )
  serveAdmin(app, calls.listJumps, () => operations.jumps())
  serveAdmin(app, calls.answerJump, async ({ admin, body }) =>
    done(await operations.answer(admin, body)),
  )

  serveAdmin(app, calls.listEarlierDays, () => operations.earlierDays())
  serveAdmin(app, calls.publishEarlierDays, async ({ admin, body }) =>
    done(await operations.publishEarlier(admin, body)),
  )

  serveAdmin(app, calls.listSourceChecks, () => sourceChecks())

  serveAdmin(app, calls.listAudit, ({ query: { page, ...filter } }) => audit.list(filter, page))
  serveAdmin(app, calls.exportAudit, ({ query: { format, ...filter }, reply }) => {
    reply
      .type(FILE_TYPES[format])
      .header('content-disposition', `attachment; filename="audit-log.${format}"`)
    return audit.file(filter, format)
  })
}

/** `/metrics` for administrators and clients with the token; 401 for all others. */
export function metricsRoute(
  app: FastifyInstance,
  { metrics, token }: { metrics: Metrics; token: string | null },
): void {
  // Registered before the routes, so that it sees all of them.
  app.addHook('onResponse', (request, reply, next) => {
    const { url = 'pages' } = request.routeOptions
    // Names of built files contain a hash, so they share one label.
    const route = url.includes('/assets/') ? 'built files' : url
    metrics.answered(route, request.method, reply.statusCode, reply.elapsedTime / 1_000)
    next()
  })
  app.get(
    '/metrics',
    { schema: { hide: true }, config: { rateLimit: { max: 120, timeWindow: '1 minute' } } },
    async (request, reply) => {
      if (!bringsToken(request, token)) {
        const signedIn = await app.sessions.who(request)
        if (!signedIn) {
          throw failure('unauthorized', 'Please sign in, or send METRICS_TOKEN as a bearer token.')
        }
        app.sessions.ask(request, signedIn, 'read-all')
      }
      return reply.type(metrics.contentType).send(await metrics.text())
    },
  )
}

function bringsToken({ headers }: FastifyRequest, token: string | null): boolean {
  const input = /^Bearer ([\x21-\x7e]{1,400})$/i.exec(headers.authorization ?? '')?.[1]
  if (token === null || input === undefined) return false
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(input), hash(token))
}

/** `/healthz`: the process is alive. `/readyz`: its database responds, and it is not stopping. */
export function healthRoutes(
  app: FastifyInstance,
  health: {
    isOpen: () => boolean
    /** The database disk is full, so writes fail. */
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
