import { type FastifyInstance } from 'fastify'
import * as calls from '#contracts/reports.ts'
import { done, serve, serveAdmin } from '#server/http/serve.ts'
import * as service from './decide-reports.service.ts'
import { type ReportsKit } from './read-reports.service.ts'

export function reportRoutes(app: FastifyInstance, kit: ReportsKit): void {
  serve(app, calls.fileReport, ({ body, request }) => service.takeReport(kit, body, request.ip))
  serveAdmin(app, calls.listReports, ({ query }) => service.reportsPage(kit, query))
  serveAdmin(app, calls.declineReport, async ({ admin, params, body }) => ({
    ...done('Declined. Its page says why.'),
    report: await service.decline(kit, admin, params.number, body),
  }))
  serveAdmin(app, calls.reopenReport, async ({ admin, params }) => ({
    ...done('Open again.'),
    report: await service.reopen(kit, admin, params.number),
  }))
  serveAdmin(app, calls.withholdReport, async ({ admin, params, body }) => ({
    ...done(body.withheld ? 'Its words are withheld.' : 'Its words are shown.'),
    report: await service.withhold(kit, admin, params.number, body.withheld),
  }))
  serveAdmin(app, calls.acceptReport, async ({ admin, params, body }) => {
    const report = await service.acceptByCorrection(kit, admin, params.number, body.correction)
    await kit.record.refresh().catch(() => {})
    return { ...done('Accepted. Its page shows the correction.'), report }
  })
}
