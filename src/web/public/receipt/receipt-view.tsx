import { type ReactNode } from 'react'
import { ASSETS } from '#domain/asset.ts'
import { timingName } from '#domain/claim/claim-input.ts'
import { labelOf } from '#domain/claim/text.ts'
import { readDay, showDay } from '#domain/day.ts'
import { showMsat } from '#domain/money/invoice.ts'
import { type Receipt } from '#web/api/payments.ts'
import { useSite } from '#web/head/site.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { Fact, Facts } from '#web/ui/facts.tsx'
import { QrCode } from '#web/ui/invoice.tsx'
import { DemonstrationNote } from '#web/ui/notice.tsx'
import { classNames, Row, Stack, Callout, Text, Section, Note } from '#web/ui/primitives.tsx'
import { satsText } from '#web/ui/show.ts'
import { VerdictBadge } from '#web/ui/verdict-badge.tsx'
import {
  momentText,
  PayHere,
  PaymentDetails,
  PredictionButton,
  WriteToUs,
} from './payment-details.tsx'
import css from './receipt-view.module.css'

export function ReceiptView({
  receipt,
  contactOffer,
  invoiceOffer,
}: {
  readonly receipt: Receipt
  /** Form for a notification contact; shown while there is none and news is pending. */
  readonly contactOffer: ReactNode
  /** Creates a new invoice; shown while unpaid without an open one. */
  readonly invoiceOffer: ReactNode
}) {
  const { origin } = useSite()
  const { submission, payment, review, prediction } = receipt
  const open = payment.paid ? undefined : payment.tries.findLast((one) => one.payment_request)
  const counted = payment.tries.find((one) => one.status === 'paid' || one.status === 'paid_late')
  const by = readDay(submission.target_time)
  const isOver =
    review.status === 'rejected' || (prediction?.success_status ?? 'pending') !== 'pending'
  return (
    <Stack as="article" gap={6}>
      {(open ?? counted ?? payment.tries.at(-1))?.demonstration && <DemonstrationNote />}
      <p className="lead semibold" role="status">
        {receipt.state}
      </p>
      {receipt.hint && <Callout tone="wait">{receipt.hint}</Callout>}
      <Stack as="ol" gap={0} aria-label="State of the submission">
        <Step title="Payment" state={payment.paid ? 'done' : 'now'}>
          {paymentText(receipt)}
        </Step>
        <Step title="Review" state={reviewState(receipt)}>
          {reviewText(receipt)}
          {review.comment && (
            <Text as="q" tone="quiet" className="block">
              {review.comment}
            </Text>
          )}
        </Step>
        <Step title="Prediction" state={prediction ? 'done' : 'later'}>
          {prediction ? (
            <Row as="span">
              Live. <VerdictBadge outcome={OUTCOMES[prediction.success_status]} />
            </Row>
          ) : (
            'Goes live once it is approved.'
          )}
        </Step>
      </Stack>
      {prediction && <PredictionButton path={prediction.path} />}
      {!payment.paid && !open && (
        <Section align="start" ruled title="Pay for it">
          <Note>
            A new invoice is for the same submission. If you still pay an earlier one, that counts
            too; if both are paid, this page notes the second payment so that it can be refunded.
          </Note>
          {invoiceOffer}
        </Section>
      )}
      {open?.payment_request && (
        <PayHere
          bolt11={open.payment_request}
          checkingId={open.checking_id}
          demonstration={open.demonstration}
        />
      )}
      <Section align="start" ruled title="What was submitted">
        <Facts>
          <Fact name="Asset">{ASSETS[submission.asset_type].pickerLabel}</Fact>
          <Fact name="Expert">
            <bdi>{submission.expert_name}</bdi>
          </Fact>
          <Fact name="X handle">{submission.twitter_handle}</Fact>
          <Fact name="Nostr">{submission.nostr_npub}</Fact>
          <Fact name={labelOf(submission.prediction_type)}>{submission.price_prediction}</Fact>
          <Fact name="Must be true">
            {timingName(submission.prediction_type, submission.timing)}
          </Fact>
          <Fact name="Target date">{by === null ? null : showDay(by)}</Fact>
          <Fact name="Said">{madeText(submission)}</Fact>
          <Fact name="Source">{submission.source_url}</Fact>
          <Fact name="Notes">{submission.notes}</Fact>
          <Fact name="Notices go to">{contactText(receipt)}</Fact>
        </Facts>
      </Section>
      {payment.paid && !receipt.contact?.confirmed && !isOver && contactOffer}
      <PaymentDetails tries={payment.tries} />
      <WriteToUs path={receipt.path} />
      <Section align="start" ruled title="Keep this address">
        <Note>Anyone with this address can read this page, so share it with care.</Note>
        <p>
          <a href={receipt.path}>{origin + receipt.path}</a>
        </p>
        <QrCode text={origin + receipt.path} label="Address of this receipt as a QR code" />
        <CopyButton text={origin + receipt.path} label="Copy link" done="Receipt link copied!" />
      </Section>
    </Stack>
  )
}

const OUTCOMES = { success: 'hit', miss: 'miss', pending: 'pending' } as const
const TONES = { done: 'good', now: 'wait', later: 'quiet', refused: 'bad' } as const
type StepState = keyof typeof TONES

function Step({
  title,
  state,
  children,
}: {
  readonly title: string
  readonly state: StepState
  readonly children: ReactNode
}) {
  return (
    <Stack
      as="li"
      className={classNames(css.step, state === 'later' && 'muted')}
      data-tone={TONES[state]}
      aria-current={state === 'now' ? 'step' : undefined}
    >
      <Text as="h2" size="base">
        {title}
      </Text>
      <div>{children}</div>
    </Stack>
  )
}

function contactText({ contact, payment }: Receipt): string | null {
  if (contact === null || contact.confirmed) return contact?.shown ?? null
  return payment.paid
    ? `${contact.shown}, waiting for you to confirm: please open the link in the mail we sent there.`
    : `${contact.shown}: once the payment arrives, we will send a mail there for you to confirm.`
}

/** `2024 (counts as said on 31/12/2024)` */
function madeText({ prediction_made: made, made_precision: precision }: Receipt['submission']) {
  const day = readDay(made)
  if (day === null) return null
  const dayText = showDay(day, precision)
  return precision === 'day' ? dayText : `${dayText} (counts as said on ${showDay(day)})`
}

/** With `1 of 50 sats` if the received amount differs. */
function paymentText({ payment }: Receipt): string {
  if (!payment.paid) return UNPAID[payment.tries.at(-1)?.status ?? 'creating']
  const { sats, asked_sats: asked, received_msat: msat } = payment
  const isExact = asked === null || msat === null || msat === asked * 1_000
  const amount = isExact ? satsText(asked ?? sats) : `${showMsat(msat)} of ${satsText(asked)}`
  const when = payment.paid_at === null ? '' : ` on ${momentText(payment.paid_at)}`
  return `${amount} received${when}${payment.late ? ', after the invoice had expired' : ''}.`
}

const UNPAID: Readonly<Record<Receipt['payment']['tries'][number]['status'], string>> = {
  creating: 'Not paid yet.',
  failed: 'Not paid yet.',
  pending: 'Waiting for payment...',
  expired: 'Not paid: the invoice has expired.',
  cancelled: 'Not paid: the payment was cancelled.',
  paid: 'Received.',
  paid_late: 'Received.',
  overpaid: 'Received.',
}

function reviewState({ payment, review }: Receipt): StepState {
  if (review.status === 'approved') return 'done'
  if (review.status === 'rejected') return 'refused'
  return payment.paid ? 'now' : 'later'
}

function reviewText({ review }: Receipt): string {
  const when = review.decided_at === null ? '' : ` on ${momentText(review.decided_at)}`
  return {
    unpaid: 'Begins once the payment has arrived.',
    pending: 'Pending review.',
    approved: `Approved${when}.`,
    rejected: `Not published${when}.`,
  }[review.status]
}
