import { type FastifyInstance } from 'fastify'
import { roleMay } from '#contracts/access.ts'
import { reviewWaiting } from '#contracts/accounts.ts'
import * as calls from '#contracts/review.ts'
import { ASSET_KEYS } from '#domain/asset.ts'
import { done, serveAdmin } from '#server/http/serve.ts'
import * as decisions from './decide.service.ts'
import { type ReviewKit, edit } from './edit.service.ts'
import { countByStatus, reviewHome, toDo } from './home.service.ts'
import { readPage } from './review-list.service.ts'
import { dryRunById, submissionDetail } from './submission-detail.service.ts'
import { peopleWithNames } from './submission-person.service.ts'

/** Messages of administrator-tools.md §8. */
const SAVED = 'Data saved successfully!'
const DATE_SAVED = 'Prediction date saved successfully!'
const APPROVED = 'Submission approved successfully! Switch to the Approved tab to see it.'
const REJECTED = 'Submission rejected successfully!'
const REOPENED = 'The submission is pending again.'

/** The plain list is not paginated; clients that need more rows request pages. */
const NEWEST = { q: '', sort: 'submitted', dir: 'desc', size: 250, flags: 'no' } as const

const DECIDED = { approved: APPROVED, rejected: REJECTED, pending: REOPENED } as const

export function reviewRoutes(app: FastifyInstance, kit: ReviewKit): void {
  serveAdmin(app, calls.listSubmissions, async ({ query, reply }) => {
    const filter = { asset: query.asset || 'btc', status: query.status || 'all' } as const
    const { rows, total } = await readPage(kit, { ...filter, ...NEWEST })
    reply.header(calls.TOTAL_HEADER, total)
    return rows
  })
  serveAdmin(app, calls.searchSubmissions, ({ query }) => readPage(kit, query))
  serveAdmin(app, calls.adminHome, ({ signedIn }) =>
    reviewHome(kit, roleMay(signedIn.role, 'read-all')),
  )
  serveAdmin(app, reviewWaiting, async ({ signedIn }) => {
    const counted = await countByStatus(kit.db)
    return {
      waiting: ASSET_KEYS.map((key) => ({ asset_type: key, pending: counted[key].pending })),
      to_do: await toDo(kit, roleMay(signedIn.role, 'read-all')),
    }
  })
  for (const route of [calls.listInfluencers, calls.listInfluencersToo]) {
    serveAdmin(app, route, () => peopleWithNames(kit.db))
  }

  serveAdmin(app, calls.oneSubmission, ({ admin, params }) =>
    submissionDetail(kit, admin, params.id),
  )
  serveAdmin(app, calls.dryRun, ({ params, body }) => dryRunById(kit, params.id, body))
  serveAdmin(app, calls.editSubmission, async ({ admin, params, body }) => ({
    ...done(SAVED),
    submission: await edit(kit, admin, params.id, body),
  }))
  serveAdmin(app, calls.savePredictionDate, async ({ admin, params, body }) => ({
    ...done(DATE_SAVED),
    submission: await edit(kit, admin, params.id, { prediction_made: null, ...body }),
  }))

  for (const route of [calls.decideSubmission, calls.decideSubmissionToo]) {
    serveAdmin(app, route, async ({ admin, params, body }) => {
      const submission = await decisions.decide(kit, admin, params.id, body)
      return { ...done(DECIDED[body.status]), submission }
    })
  }
  for (const [route, only] of [
    [calls.approveSubmission, null],
    [calls.approveMstr, 'mstr'],
    [calls.approveNaka, 'naka'],
  ] as const) {
    serveAdmin(app, route, async ({ admin, params, body }) => {
      const { submission, predictionId, influencer } = await decisions.approve(
        kit,
        admin,
        params.id,
        body,
        only,
      )
      return { ...done(APPROVED), submission, prediction_id: predictionId, influencer }
    })
  }
  serveAdmin(app, calls.bulkApprove, async ({ admin, body }) =>
    resulted('approved', await decisions.approveAll(kit, admin, body)),
  )
  serveAdmin(app, calls.bulkReject, async ({ admin, body }) =>
    resulted('rejected', await decisions.rejectAll(kit, admin, body)),
  )
  serveAdmin(app, calls.bulkUndo, async ({ admin, body }) =>
    resulted('pending again', await decisions.undoAll(kit, admin, body.ids)),
  )
  serveAdmin(app, calls.undoDecision, async ({ admin, params }) => ({
    ...done('Undone. The submission is pending again.'),
    submission: await decisions.undo(kit, admin, params.id),
  }))
}

function resulted(what: string, results: decisions.Results) {
  const all = results.filter(({ ok }) => ok).length
  return { ...done(`${String(all)} of ${String(results.length)} ${what}.`), results }
}
