import { type FastifyInstance } from 'fastify'
import * as calls from '#contracts/reports.ts'
import { done, serve, serveAdmin } from '#server/http/serve.ts'
import * as service from './reports.service.ts'

export function reportRoutes(app: FastifyInstance, kit: service.ReportsKit): void {
  serve(app, calls.fileReport, ({ body, request }) => service.takeReport(kit, body, request.ip))
  serveAdmin(app, calls.listReports, ({ query }) => service.reportQueue(kit, query))
  serveAdmin(app, calls.declineReport, async ({ admin, params, body }) => {
    await service.decline(kit, admin, params.number, body)
    return done('Declined. Its page says why.')
  })
  serveAdmin(app, calls.reopenReport, async ({ admin, params }) => {
    await service.reopen(kit, admin, params.number)
    return done('Open again.')
  })
  serveAdmin(app, calls.withholdReport, async ({ admin, params, body }) => {
    await service.withhold(kit, admin, params.number, body.withheld)
    return done(body.withheld ? 'Its words are withheld.' : 'Its words are shown.')
  })
  serveAdmin(app, calls.acceptReport, async ({ admin, params, body }) => {
    await service.acceptByCorrection(kit, admin, params.number, body.correction)
    await kit.record.refresh().catch(() => {})
    return done('Accepted. Its page shows the correction.')
  })
}
