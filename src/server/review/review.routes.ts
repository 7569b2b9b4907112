import { roleMay } from '#contracts/access.ts'
import {
  adminHome,
  approveMstr,
  approveNaka,
  approveSubmission,
  bulkReject,
  decideSubmission,
  decideSubmissionToo,
  dryRun,
  editSubmission,
  listInfluencers,
  listInfluencersToo,
  listSubmissions,
  oneSubmission,
  reviewHere,
  savePredictionDate,
  searchSubmissions,
  TOTAL_HEADER,
  undoDecision,
} from '#contracts/review.ts'
import { ASSET_KEYS } from '#domain/asset.ts'
import { serveAdmin } from '#server/http/serve.ts'
import { countToDecide } from '#server/publishing/read-posts.service.ts'
import { type ReviewKit } from './review-kit.ts'
import { rejectAll } from './reject.service.ts'
import { undo } from './undo.service.ts'
import { decide } from './decide.service.ts'
import { approve, type Approved } from './approve.service.ts'
import { edit } from './edit.service.ts'
import { reviewHome } from './home.service.ts'
import { dryRunById, influencersToChoose, submissionDetail } from './submission-detail.service.ts'
import { type FastifyInstance } from 'fastify'

/** The messages of administrator-tools.md §8. */
const SAVED = 'Data saved successfully!'
const DATE_SAVED = 'Prediction date saved successfully!'
const APPROVED = 'Submission approved successfully! Switch to the Approved tab to see it.'
const REJECTED = 'Submission rejected successfully!'
const REOPENED = 'The submission is pending again.'

/** The plain list has no pages; programs that need more ask for pages. */
const NEWEST = { q: '', sort: 'submitted', dir: 'desc', size: 250, flags: 'no' } as const

const DECIDED = { approved: APPROVED, rejected: REJECTED, pending: REOPENED } as const
const done = (message: string) => ({ success: true as const, message })

/** Looking through submissions and deciding them. */
export function reviewRoutes(app: FastifyInstance, kit: ReviewKit): void {
  serveAdmin(app, listSubmissions, async ({ query, reply }) => {
    const asked = { asset: query.asset || 'btc', status: query.status || 'all' } as const
    const { rows, total } = await kit.readPage({ ...asked, ...NEWEST })
    reply.header(TOTAL_HEADER, total)
    return rows
  })
  serveAdmin(app, searchSubmissions, ({ query }) => kit.readPage(query))
  serveAdmin(app, adminHome, ({ signedIn }) => reviewHome(kit, roleMay(signedIn.role, 'read-all')))
  serveAdmin(app, reviewHere, async ({ admin, signedIn, body }) => {
    const counted = await kit.counts.read()
    return {
      waiting: ASSET_KEYS.map((key) => ({ asset_type: key, pending: counted[key].pending })),
      posts_to_decide: roleMay(signedIn.role, 'read-all') ? await countToDecide(kit) : null,
      others: kit.presence.here(admin, body.tab, body.submission_id),
    }
  })
  serveAdmin(app, listInfluencers, () => influencersToChoose(kit))
  serveAdmin(app, listInfluencersToo, () => influencersToChoose(kit))

  serveAdmin(app, oneSubmission, ({ admin, params }) => submissionDetail(kit, admin, params.id))
  serveAdmin(app, dryRun, ({ params, body }) => dryRunById(kit, params.id, body))
  serveAdmin(app, editSubmission, async ({ admin, params, body }) => ({
    ...done(SAVED),
    submission: await edit(kit, admin, params.id, body),
  }))
  serveAdmin(app, savePredictionDate, async ({ admin, params, body }) => ({
    ...done(DATE_SAVED),
    submission: await edit(kit, admin, params.id, {
      version: body.version,
      prediction_made: body.prediction_made ?? null,
    }),
  }))

  for (const route of [decideSubmission, decideSubmissionToo]) {
    serveAdmin(app, route, async ({ admin, params, body }) => {
      const { status, admin_comment: comment, version } = body
      const submission = await decide(kit, admin, params.id, { status, comment, version })
      return { ...done(DECIDED[status]), submission }
    })
  }
  serveAdmin(app, approveSubmission, async ({ admin, params, body }) =>
    approved(await approve(kit, admin, params.id, body)),
  )
  serveAdmin(app, approveMstr, async ({ admin, params, body }) =>
    approved(await approve(kit, admin, params.id, body, 'mstr')),
  )
  serveAdmin(app, approveNaka, async ({ admin, params, body }) =>
    approved(await approve(kit, admin, params.id, body, 'naka')),
  )
  serveAdmin(app, bulkReject, async ({ admin, body }) => {
    const results = await rejectAll(kit, admin, body)
    const rejected = results.filter((one) => one.ok).length
    return { ...done(`${String(rejected)} of ${String(results.length)} rejected.`), results }
  })
  serveAdmin(app, undoDecision, async ({ admin, params }) => ({
    ...done('Undone. The submission is pending again.'),
    submission: await undo(kit, admin, params.id),
  }))
}

function approved({ submission, predictionId, influencer }: Approved) {
  return {
    ...done(APPROVED),
    submission,
    prediction_id: predictionId,
    influencer,
  }
}
