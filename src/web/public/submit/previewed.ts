import { type SubmissionForm } from '#contracts/submissions.ts'
import { verdictOfRow } from '#contracts/prediction-wire.ts'
import { splitFactor } from '#domain/judging/corporate-action.ts'
import { type Day } from '#domain/day.ts'
import { windowOf } from '#domain/judging/judge.ts'
import { type Prediction, type Statement } from '#domain/claim/prediction.ts'
import { levelsOf, scaleClaim } from '#domain/claim/claim.ts'
import { payloadOf, readSubmission, type Submission } from '#domain/submission.ts'
import { ruleSentence } from '#domain/judging/verdict-text.ts'
import { directionOf, RULE_VERSION, type Verdict } from '#domain/judging/verdict.ts'
import { lastClose, type Prices } from '#web/api/prices.ts'
import { type SubmissionPreview } from '#web/api/payments.ts'

/** The submission that a form makes; null while something is wrong with it. */
export function submissionOf(form: SubmissionForm, today: Day): Submission | null {
  const read = readSubmission(payloadOf(form), today)
  return read.ok ? read.submission : null
}

/**
 * The prediction that a submission would become: as the server says, and before its answer as the last close suggests.
 */
export function previewOf(
  submission: Submission,
  prices: Prices | null,
  answer: SubmissionPreview | null,
): { readonly prediction: Prediction; readonly rule: string } {
  const { asset, made, madePrecision, by } = submission
  const factor = answer?.split_factor ?? splitFactor(asset, made)
  const claim = scaleClaim(submission.claim, 1 / factor)
  const statement: Statement = { asset, claim, made, madePrecision, from: null, by }
  const verdict = answer?.verdict ? verdictOfRow(answer.verdict) : openVerdict(statement, prices)
  return {
    rule: answer?.rule ?? ruleSentence(statement, 'touch', verdict.direction, verdict.window),
    prediction: {
      ...statement,
      id: 'preview',
      expert: { id: 0, name: submission.expertName, slug: '', handle: submission.twitterHandle },
      said: submission.claim,
      splitFactor: factor,
      madePrecision,
      byPrecision: 'day',
      deadlineAssumed: false,
      summary: '',
      sources: submission.sources,
      voteScore: 0,
      createdAt: '',
      chartValue: null,
      excludeFromChart: false,
      verdicts: { touch: verdict, close: { ...verdict, mode: 'close' } },
    },
  }
}

function openVerdict(statement: Statement, prices: Prices | null): Verdict {
  return {
    outcome: 'pending',
    mode: 'touch',
    rule: RULE_VERSION,
    reason: 'not-started',
    day: null,
    level: levelsOf(statement.claim),
    direction: directionOf(statement.claim, prices && lastClose(prices)),
    reference: null,
    window: windowOf(statement),
    bar: null,
    nearest: null,
    unconfirmed: null,
    closeOnly: false,
    someClosesOnly: false,
  }
}
