import { type z } from 'zod'
import { verdictRow } from '#contracts/prediction-wire.ts'
import type * as contract from '#contracts/submissions.ts'
import { scaleClaim } from '#domain/claim/claim.ts'
import { isDuplicate, type StatementKey } from '#domain/claim/duplicate.ts'
import { type Statement } from '#domain/claim/prediction.ts'
import { showClaim } from '#domain/claim/text.ts'
import { isoDay } from '#domain/day.ts'
import { splitFactor, type CorporateAction } from '#domain/judging/bar.ts'
import { judge, windowOf } from '#domain/judging/judge.ts'
import { ruleSentence } from '#domain/judging/verdict-text.ts'
import { readSubmission, type Submission } from '#domain/submission.ts'
import { failure } from '#server/kit/failure.ts'
import { listInfluencers } from '#server/people/people.rows.ts'
import { type PublicSite } from '#server/predictions/predictions.service.ts'
import { sayingSame } from '#server/record/record.service.ts'
import { comparedOf } from '#server/review/review-flags.service.ts'
import { submissionsLike } from './submissions.rows.ts'

const MOST_DUPLICATES = 5

type Previewed = z.input<typeof contract.previewSubmission.reply>

export type Submissions = ReturnType<typeof submissionService>

export function submissionService({ db, record, tokens }: PublicSite) {
  /** Submissions of other people are not identified. */
  async function waitingLike(
    key: StatementKey & Pick<Submission, 'asset' | 'by'>,
    actions: readonly CorporateAction[],
    receipts: readonly string[],
  ): Promise<Previewed['waiting']> {
    const tokenOf = new Map(receipts.map((token) => [tokens.hash(token), token]))
    const found = (await submissionsLike(db, key, [...tokenOf.keys()])).filter((row) => {
      const other = comparedOf(row, actions)
      return other !== null && isDuplicate(key, other)
    })
    const own = found.flatMap(({ receiptHash, status }) => {
      const receipt = tokenOf.get(receiptHash ?? '')
      // An unpaid one is resumed, not listed.
      return receipt === undefined || status === 'unpaid' ? [] : [{ receipt, status }]
    })
    return {
      own: own.slice(0, MOST_DUPLICATES),
      others: found.some((row) => !tokenOf.has(row.receiptHash ?? '')),
    }
  }

  return {
    /** @param receipts tokens of the visitor's own submissions, to be marked */
    async preview(data: contract.SubmissionData, receipts: readonly string[]): Promise<Previewed> {
      const today = record.today()
      const read = readSubmission(data, today)
      if (!read.ok) {
        const none = {
          price_prediction: null,
          rule: null,
          verdict: null,
          split_factor: 1,
          duplicates: [],
        }
        return { fields: read.faults, ...none, waiting: { own: [], others: false } }
      }
      const { submission } = read
      const { asset, made, madePrecision, by } = submission
      const { actions, [asset]: prices } = await record.prices()
      const factor = splitFactor(asset, made, actions)
      const claim = scaleClaim(submission.claim, 1 / factor)
      const statement: Statement = { asset, claim, made, madePrecision, from: null, by }
      const { expertName, twitterHandle: handle } = submission
      const key = { expertName, handle, asset, claim, by, sources: submission.sources }
      const verdict = judge(prices.series, statement, 'touch', today)
      const same = await sayingSame(record, key)
      return {
        fields: {},
        price_prediction: submission.pricePrediction,
        rule: ruleSentence(statement, 'touch', verdict.direction, windowOf(statement)),
        verdict: verdictRow(verdict),
        split_factor: factor,
        duplicates: same.slice(0, MOST_DUPLICATES).map((one) => ({
          id: one.id,
          expert_name: one.expert.name,
          price_prediction: showClaim(one.statedClaim),
          target_time: isoDay(one.by),
        })),
        waiting: await waitingLike(key, actions, receipts),
      }
    },

    async experts(): Promise<z.input<typeof contract.listExperts.reply>> {
      const all = await listInfluencers(db)
      return all.map(({ name, slug, handle }) => ({ name, slug, x_handle: handle }))
    },

    /** Without a session, submitting requires payment. @throws AppError `payment_required` */
    refuseUnpaid(): never {
      throw failure(
        'payment_required',
        'A submission is paid for with a Lightning invoice. Send it to POST /api/payments/create-invoice as {"amount": <sats>, "submissionData": {…}}, pay the invoice in the answer, and it goes into review. On the site: the Submit Prediction button.',
      )
    },
  }
}
