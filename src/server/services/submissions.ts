import { verdictRow } from '#contracts/prediction-wire.ts'
import {
  type listExperts,
  type previewSubmission,
  type SubmissionData,
} from '#contracts/submissions.ts'
import { splitFactor } from '#domain/corporate-action.ts'
import { day } from '#domain/day.ts'
import { isDuplicate } from '#domain/duplicate.ts'
import { judge, windowOf } from '#domain/judge.ts'
import { scaleClaim, type Statement } from '#domain/prediction.ts'
import { readSubmission, type Submission } from '#domain/submission.ts'
import { ruleSentence } from '#domain/verdict-text.ts'
import { failure } from '#server/errors.ts'
import { loadActions } from '#server/store/corporate-actions.ts'
import { type Db } from '#server/store/database.ts'
import { listInfluencers } from '#server/store/influencers.ts'
import { type z } from 'zod'
import { type Catalog, type CatalogPrediction } from './catalog.ts'

const MOST_DUPLICATES = 5

export type Submissions = ReturnType<typeof submissionService>

/** What can be said of a submission before it is paid. */
export function submissionService({ db, catalog }: { db: Db; catalog: Catalog }) {
  return {
    async preview(given: SubmissionData): Promise<z.input<typeof previewSubmission.reply>> {
      const today = catalog.today()
      const read = readSubmission(given, today)
      if (!read.ok) {
        const none = { price_prediction: null, rule: null, verdict: null, split_factor: 1 }
        return { fields: read.faults, ...none, duplicates: [] }
      }
      const { submission } = read
      const { asset, made, by } = submission
      const factor = splitFactor(asset, made, await loadActions(db))
      const claim = scaleClaim(submission.claim, 1 / factor)
      const statement: Statement = { asset, claim, made, from: null, by }
      const record = catalog.snapshot()?.assets[asset]
      const verdict = record ? judge(record.judged.series, statement, 'touch', today) : null
      return {
        fields: {},
        price_prediction: submission.pricePrediction,
        rule: ruleSentence(statement, 'touch', verdict?.direction ?? null, windowOf(statement)),
        verdict: verdict ? verdictRow(verdict) : null,
        split_factor: factor,
        duplicates: (record?.predictions ?? [])
          .filter((one) => isSame({ ...submission, claim }, one))
          .slice(0, MOST_DUPLICATES)
          .map(({ row }) => ({
            id: row.id,
            expert_name: row.influencer.name,
            price_prediction: row.price_prediction,
            target_time: row.target_time,
          })),
      }
    },

    async experts(): Promise<z.input<typeof listExperts.reply>> {
      const all = await listInfluencers(db)
      return all.map(({ name, slug, handle }) => ({ name, slug, x_handle: handle }))
    },

    /** Who is not signed in submits by paying. @throws AppError `payment_required` */
    refuseUnpaid(): never {
      throw failure(
        'payment_required',
        'Submitting a prediction is paid with a Lightning invoice. Send it to POST /api/payments/create-invoice as {"amount": <sats>, "submissionData": {…}}, pay the invoice in the answer, and it goes into review. On the site: the Submit Prediction button.',
      )
    },
  }
}

function isSame(submission: Submission, { row, statement }: CatalogPrediction): boolean {
  return isDuplicate(
    {
      expertName: submission.expertName,
      handle: submission.twitterHandle,
      asset: submission.asset,
      claim: submission.claim,
      by: submission.by,
    },
    {
      expertName: row.influencer.name,
      handle: row.influencer.x_handle,
      asset: statement.asset,
      claim: statement.claim,
      by: day(row.target_time),
    },
  )
}
