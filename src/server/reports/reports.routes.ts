import { type FastifyInstance } from 'fastify'
import {
  acceptReport,
  declineReport,
  fileReport,
  listReports,
  reopenReport,
  withholdReport,
} from '#contracts/reports.ts'
import { serve, serveAdmin } from '#server/http/serve.ts'
import {
  acceptByCorrection,
  decline,
  reopen,
  reportsPage,
  withhold,
  takeReport,
} from './decide-reports.service.ts'
import { type ReportsKit } from './read-reports.service.ts'

/** Storing a report takes a database lock; nobody writes more by hand. */
const REPORTS_A_MINUTE = 20

const done = (message: string) => ({ success: true as const, message })

export function reportRoutes(app: FastifyInstance, kit: ReportsKit): void {
  serve(app, fileReport, ({ body, request }) => takeReport(kit, body, request.ip), REPORTS_A_MINUTE)
  serveAdmin(app, listReports, ({ query }) => reportsPage(kit, query))
  serveAdmin(app, declineReport, async ({ admin, params, body }) => ({
    ...done('Declined. Its page says why.'),
    report: await decline(kit, admin, params.number, body),
  }))
  serveAdmin(app, reopenReport, async ({ admin, params }) => ({
    ...done('Open again.'),
    report: await reopen(kit, admin, params.number),
  }))
  serveAdmin(app, withholdReport, async ({ admin, params, body }) => ({
    ...done(body.withheld ? 'Its words are withheld.' : 'Its words are shown.'),
    report: await withhold(kit, admin, params.number, body.withheld),
  }))
  serveAdmin(app, acceptReport, async ({ admin, params, body }) => {
    const report = await acceptByCorrection(kit, admin, params.number, body.correction)
    await kit.record.refresh().catch(() => {})
    return { ...done('Accepted. Its page shows the correction.'), report }
  })
}
