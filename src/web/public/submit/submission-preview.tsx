import { useDeferredValue, useMemo } from 'react'
import { receiptPath } from '#contracts/paths.ts'
import { verdictOfRow } from '#contracts/prediction-wire.ts'
import { type SubmissionForm } from '#contracts/submissions.ts'
import { levelsOf, scaleClaim } from '#domain/claim/claim.ts'
import { headline, madeText, type Prediction, type Statement } from '#domain/claim/prediction.ts'
import { showDay, readDay, type Day } from '#domain/day.ts'
import { splitFactor } from '#domain/judging/bar.ts'
import { windowOf } from '#domain/judging/judge.ts'
import { verdictSentence, ruleSentence } from '#domain/judging/verdict-text.ts'
import { directionOf, RULE_VERSION, type Verdict } from '#domain/judging/verdict.ts'
import {
  payloadOf,
  type SubmissionFields,
  readSubmission,
  type Submission,
} from '#domain/submission.ts'
import { predictionPath } from '#web/address/addresses.ts'
import { fetchPreview, type SubmissionPreview } from '#web/api/payments.ts'
import { fetchCloses, type Prices, lastClose } from '#web/api/prices.ts'
import { useAnswer, useRested } from '#web/ui/hooks.ts'
import { pictureOf } from '#web/ui/prediction-picture.tsx'
import { Callout, Panel, Text } from '#web/ui/primitives.tsx'
import css from './submit.module.css'

const SIZE = { width: 400, height: 240 } as const
/** Minimum history shown, days. */
const BEFORE = 365

export function SubmissionPreview({
  preview,
  today,
}: {
  readonly preview: Preview | null
  readonly today: Day
}) {
  return (
    <Panel as="section" size="small" aria-label="Preview">
      {preview ? (
        <>
          <Text size="lead" strong>
            {headline(preview.prediction)}
          </Text>
          <Picture preview={preview} today={today} />
          <p>{preview.rule}</p>
          {preview.prediction.made < today && <p>{madeText(preview.prediction)}.</p>}
          <div role="status">
            {preview.prediction.verdicts.touch.outcome !== 'pending' && (
              <Callout tone="wait" gap={1} strong className={css.warning}>
                {verdictSentence(preview.prediction, 'touch')}
              </Callout>
            )}
            <Duplicates preview={preview} />
            <AlreadySubmitted waiting={preview.waiting} />
          </div>
        </>
      ) : (
        <p className={`${css.empty} centred muted at-center`}>
          Here you will see the prediction over the price, and the rule that will judge it.
        </p>
      )}
    </Panel>
  )
}

export function Duplicates({ preview: { duplicates } }: { readonly preview: Preview }) {
  if (duplicates.length === 0) return null
  return (
    <Callout as="div" tone="wait" gap={1} strong className={css.warning}>
      <p>Already on record:</p>
      <ul>
        {duplicates.map((one) => {
          const by = readDay(one.target_time)
          return (
            <li key={one.id}>
              <a href={predictionPath(one)} target="_blank" rel="noreferrer">
                {one.expert_name}: {one.price_prediction}
                {by !== null && ` by ${showDay(by)}`}
              </a>
            </li>
          )
        })}
      </ul>
    </Callout>
  )
}

function Picture({ preview, today }: { readonly preview: Preview; readonly today: Day }) {
  const { prediction, prices } = useDeferredValue(preview)
  const markup = useMemo(() => {
    if (!prices || prices.days.length === 0) return null
    const { made, by } = prediction
    const from = Math.min(today - BEFORE, today - (by - today), made - (by - made) / 4)
    const first = Math.max(
      0,
      prices.days.findIndex((day) => day >= from),
    )
    const points = { days: prices.days.slice(first), closes: prices.closes.slice(first) }
    return pictureOf({ prediction, points, today, size: SIZE })
  }, [prediction, prices, today])
  // Our own markup; sceneToSvg escapes all text.
  return markup && <div className="fluid" dangerouslySetInnerHTML={{ __html: markup }} />
}

const REST_MS = 400

export const NOTHING_WAITS: SubmissionPreview['waiting'] = { own: [], others: false }

export type Preview = ReturnType<typeof previewOf> & {
  readonly prices: Prices | null
  readonly duplicates: SubmissionPreview['duplicates']
  readonly waiting: SubmissionPreview['waiting']
}

/** Preview of the form's prediction; null while the form is invalid. */
export function usePreview(form: SubmissionForm, today: Day): Preview | null {
  const { asset_type: asset } = form
  // Without prices the preview shows the rule without a picture.
  const { data: prices = null } = useAnswer(asset, (signal) => fetchCloses(asset, null, signal))

  // Fields that do not affect the prediction.
  const payload = useMemo<SubmissionFields>(
    () => payloadOf({ ...form, submitter_email: '', notes: '', source_url: '', nostr_npub: '' }),
    [form],
  )
  const key = JSON.stringify(payload)
  const submission = useMemo(() => {
    const read = readSubmission(payloadOf(form), today)
    return read.ok ? read.submission : null
  }, [form, today])
  const rested = useRested(submission && key, REST_MS)
  // Optional: the form can be sent without it.
  const { data: answer } = useAnswer(rested, async (signal) => ({
    key,
    preview: await fetchPreview(payload, signal),
  }))

  return useMemo(() => {
    if (!submission) return null
    const current = answer?.key === key ? answer.preview : null
    return {
      ...previewOf(submission, prices, current),
      prices,
      duplicates: current?.duplicates ?? [],
      waiting: current?.waiting ?? NOTHING_WAITS,
    }
  }, [submission, prices, answer, key])
}

/** The resulting prediction: from the server, or until then estimated from the last close. */
function previewOf(
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
      statedClaim: submission.claim,
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

export type Waiting = SubmissionPreview['waiting']

export function isWaiting({ own, others }: Waiting): boolean {
  return own.length > 0 || others
}

export function AlreadySubmitted({ waiting }: { readonly waiting: Waiting }) {
  if (!isWaiting(waiting)) return null
  return (
    <Callout as="div" tone="wait" gap={1} strong className={css.warning}>
      {waiting.own.map(({ receipt, status }) => (
        <p key={receipt}>
          {OWN[status]}{' '}
          <a href={receiptPath(receipt)} target="_blank" rel="noreferrer">
            Open its receipt
          </a>
        </p>
      ))}
      {waiting.own.length === 0 && (
        <p>The same prediction has already been submitted and is waiting for review.</p>
      )}
    </Callout>
  )
}

const OWN: Readonly<Record<Waiting['own'][number]['status'], string>> = {
  pending: 'You have already submitted this; it is waiting for review.',
  approved: 'You have already submitted this; it has been approved.',
  rejected: 'You have submitted this before; it was not published.',
}
