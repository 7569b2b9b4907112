import { useState } from 'react'
import { createInvoice } from '#contracts/payments.ts'
import { type AssetKey } from '#domain/asset.ts'
import { type SubmissionFields } from '#domain/submission.ts'
import { call, CallError } from '#web/api/call.ts'
import {
  forget,
  oneAtATime,
  noteCancelled,
  noteTry,
  openInvoiceOf,
  tryOf,
  type OpenInvoice,
  type OwnSubmission,
} from '#web/api/own-submissions.ts'
import { ordered, type PaymentOptions } from '#web/api/payments.ts'
import { Button } from '#web/ui/button.tsx'
import { Row, Stack } from '#web/ui/primitives.tsx'
import {
  askOnce,
  isAnswer,
  leftOpen,
  PAID_MEANWHILE,
  paidMeanwhile,
  type LastAsk,
  type Paid,
} from './open-payments.ts'
import { Paying } from './paying.tsx'
import { AmountChoice, Received, ReceiptOffer, StepTitle, EarlierPaid } from './payment-screens.tsx'
import {
  AlreadySubmitted,
  isWaiting,
  type Waiting as AlreadyWaiting,
  Duplicates,
  type Preview,
} from './submission-preview.tsx'
import { contentOf } from './use-submission-form.ts'
import { troubleOf } from './wait-for-payment.ts'
import css from './submit.module.css'

const LOOK_MS = 15_000
const DROPPED = 'The earlier attempt could not be continued. Please create the invoice again.'
const NOT_FOUND_OUT =
  'This submission may have been paid already. Please look at its receipt before you try again.'
const NOT_REACHED = 'This site cannot be reached from here: please check your connection.'
const NO_INVOICE = 'Failed to create payment invoice. Please try again.'

export function PaymentStep({
  asset,
  payload,
  preview,
  options,
  waiting,
  resumed,
  lastAsk,
  onFaults,
  onBack,
  onPaid,
}: {
  readonly asset: AssetKey
  readonly payload: SubmissionFields
  readonly preview: Preview | null
  readonly options: PaymentOptions
  readonly waiting: AlreadyWaiting
  readonly resumed: OpenInvoice | null
  readonly lastAsk: LastAsk
  readonly onFaults: (faults: Readonly<Record<string, string>>) => boolean
  readonly onBack: () => void
  readonly onPaid: (token: string) => void
}) {
  const content = contentOf(payload)
  const [isWarned, setWarned] = useState(!isWaiting(waiting))
  const [paidBefore, setPaidBefore] = useState<Paid | null>(null)
  const attempt = (): OwnSubmission | null => tryOf(asset, content)
  const shared = (): OpenInvoice | null => openInvoiceOf(attempt())

  /** @returns null if something other than an invoice is shown */
  async function create(sats: number): Promise<OpenInvoice | null> {
    const before = attempt()
    const open = openInvoiceOf(before)
    if (open) return open
    const paid = await paidMeanwhile(asset, content, AbortSignal.timeout(LOOK_MS))
    if (paid) {
      setPaidBefore(paid)
      throw new CallError(PAID_MEANWHILE, 0)
    }
    const receipt = before?.token ?? null
    const ask = { amount: sats, submissionData: payload, receipt }
    try {
      const body = JSON.stringify(ask)
      const invoice = await askOnce(lastAsk, { sats, body }, (key) =>
        call(createInvoice, { body: ask, ...ordered(key) }),
      )
      const { expert_name: name, price_prediction: level } = payload
      noteTry({ asset, content, what: `${name ?? ''}: ${String(level ?? '')}`, invoice })
      return invoice
    } catch (error) {
      if (error instanceof CallError && onFaults(error.fields)) return null
      const message = receipt && isRefused(error) ? await outcomeOf(receipt) : faultOf(error)
      if (message !== null) throw new CallError(message, 0)
      return null
    }
  }

  /** The error message for a submission that accepts no further invoice; null if it was paid, which continues. */
  async function outcomeOf(token: string): Promise<string | null> {
    const left = await leftOpen(token, AbortSignal.timeout(LOOK_MS)).catch(() => null)
    if (!left) return NOT_FOUND_OUT
    if (left.state !== 'paid') {
      forget(token)
      return DROPPED
    }
    onPaid(token)
    return null
  }

  return (
    <Paying
      options={options}
      resumed={resumed}
      shared={shared}
      onLeft={noteCancelled}
      amount={(show) => {
        if (!isWarned) {
          return (
            <>
              <StepTitle>Submitted already</StepTitle>
              <AlreadySubmitted waiting={waiting} />
              <p>One submission is enough for a review; a second one costs its sats again.</p>
              <Row gap={3}>
                <Button look="primary" onClick={onBack}>
                  Back to the form
                </Button>
                <Button onClick={() => setWarned(true)}>Submit it anyway</Button>
              </Row>
            </>
          )
        }
        const token = attempt()?.token
        return (
          <>
            {paidBefore && <EarlierPaid {...paidBefore} />}
            {preview && (
              <Stack gap={2} size="small" className={`${css.summary} ruled-bottom`}>
                <p>{preview.rule}</p>
                <Duplicates preview={preview} />
              </Stack>
            )}
            <AmountChoice
              options={options}
              first={lastAsk.last()?.sats}
              // Another tab may have created an invoice for the same submission meanwhile.
              onChoose={(sats) =>
                oneAtATime(`invoice-${asset}`, async () => {
                  const invoice = await create(sats)
                  if (invoice) show(invoice)
                })
              }
              onBack={onBack}
            />
            {token !== undefined && <ReceiptOffer token={token} />}
          </>
        )
      }}
      paid={({ token }) => <Received onDone={() => onPaid(token)} />}
    />
  )
}

/** The submission has been paid, or does not exist. */
function isRefused(error: unknown): boolean {
  return error instanceof CallError && (error.code === 'conflict' || error.code === 'not_found')
}

/** Server messages if the visitor can act on them; otherwise the texts of the specification. */
function faultOf(error: unknown): string {
  if (isAnswer(error)) return error.message
  return troubleOf(error) === 'network' ? `${NO_INVOICE} ${NOT_REACHED}` : NO_INVOICE
}
