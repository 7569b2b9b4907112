import { useEffect, useState } from 'react'
import { receiptPath } from '#contracts/receipt.ts'
import { type SubmissionFields } from '#domain/submission.ts'
import { CallError } from '#web/api/call.ts'
import {
  giveUpPayment,
  newInvoice,
  newKey,
  payByDemonstration,
  type NewInvoice,
  type PaymentOptions,
} from '#web/api/payments.ts'
import { Button } from '#web/ui/button.tsx'
import { DemonstrationNote } from '#web/ui/demonstration-note.tsx'
import { Invoice } from '#web/ui/invoice.tsx'
import { satsText } from '#web/ui/sats-text.ts'
import { AmountChoice } from './amount-choice.tsx'
import { type Asked } from './draft.ts'
import { leftOpen } from './left-open.ts'
import css from './payment-step.module.css'
import { ReceiptOffer } from './receipt-offer.tsx'
import { Duplicates } from './submission-preview.tsx'
import { TimeLeft } from './time-left.tsx'
import { type Preview } from './use-preview.ts'
import { useStepFocus } from './use-step-focus.ts'
import { watchPayment, type OpenInvoice } from './watch-payment.ts'

/** The success screen follows the payment after 2 seconds (public-site.md §9). */
const RECEIVED_MS = 2_000
const LOOK_MS = 15_000
const DROPPED = 'The earlier try could not be continued. Please create the invoice once more.'
const NOT_FOUND_OUT =
  'This submission may have been paid already. Please look at its receipt before you try again.'
const NO_INVOICE = 'Failed to create payment invoice. Please try again.'

type State =
  | { readonly at: 'amount' }
  | { readonly at: 'waiting'; readonly invoice: OpenInvoice }
  | { readonly at: 'expired'; readonly invoice: OpenInvoice }
  | { readonly at: 'received'; readonly invoice: OpenInvoice }

/** From the choice of an amount to the sats that have arrived. */
export function PaymentStep({
  payload,
  preview,
  options,
  receipt,
  earlier,
  resumed,
  onReceipt,
  onDrop,
  lastAsked,
  onAsked,
  onFaults,
  onBack,
  onPaid,
}: {
  /** What is submitted, as calls carry it. */
  readonly payload: SubmissionFields
  readonly preview: Preview | null
  readonly options: PaymentOptions
  /** Of an earlier try. */
  readonly receipt: string | null
  /** The receipt of a form that has been changed since. */
  readonly earlier: string | null
  /** An invoice that was left open. */
  readonly resumed: OpenInvoice | null
  readonly onReceipt: (token: string) => void
  /** The earlier try can no longer be gone on with. */
  readonly onDrop: () => void
  /** The call for an invoice whose answer has been lost; it is kept until there is one. */
  readonly lastAsked: () => Asked | null
  readonly onAsked: (asked: Asked | null) => void
  /** The server found something wrong with the form. */
  readonly onFaults: (faults: Readonly<Record<string, string>>) => boolean
  readonly onBack: () => void
  readonly onPaid: (token: string) => void
}) {
  const [state, setState] = useState<State>(
    resumed ? { at: 'waiting', invoice: resumed } : { at: 'amount' },
  )
  const [sats, setSats] = useState(() => String(lastAsked()?.sats ?? options.default_sats))
  const link = receipt ?? earlier
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<string | null>(null)

  async function create(amount: number): Promise<void> {
    setBusy(true)
    setFault(null)
    try {
      const ask = { amount, submissionData: payload, receipt }
      const body = JSON.stringify(ask)
      const lost = lastAsked()
      const key = lost?.body === body ? lost.key : newKey()
      onAsked({ key, sats: amount, body })
      const made = await newInvoice(ask, key)
      onReceipt(made.receipt.token)
      setState({ at: 'waiting', invoice: openInvoice(made) })
    } catch (error) {
      if (isAnswer(error)) onAsked(null)
      const isForm = error instanceof CallError && onFaults(error.fields)
      if (!isForm) setFault(receipt && isRefused(error) ? await outcomeOf(receipt) : faultOf(error))
    } finally {
      setBusy(false)
    }
  }

  /** What became of a try that takes no further invoice; leads on when it has been paid. */
  async function outcomeOf(token: string): Promise<string | null> {
    const left = await leftOpen(token, AbortSignal.timeout(LOOK_MS)).catch(() => null)
    if (!left) return NOT_FOUND_OUT
    if (left.state !== 'paid') {
      onDrop()
      return DROPPED
    }
    onPaid(token)
    return null
  }

  /** Sats that are on their way count all the same; the server keeps watching. */
  async function cancel(invoice: OpenInvoice): Promise<void> {
    const left = await giveUpPayment(invoice.checkingId).catch(() => null)
    if (left?.paid) setState({ at: 'received', invoice })
    else restart()
  }

  function restart(): void {
    setSats(String(options.default_sats))
    setState({ at: 'amount' })
  }

  return (
    <div className={css.step}>
      {options.demonstration && <DemonstrationNote />}
      {state.at === 'amount' && (
        <>
          {preview && <Summary preview={preview} />}
          <AmountChoice
            options={options}
            sats={sats}
            isBusy={isBusy}
            fault={fault}
            onChange={(next) => {
              setFault(null)
              setSats(next)
            }}
            onChoose={(amount) => void create(amount)}
            onBack={onBack}
          />
          {link !== null && <ReceiptOffer token={link} />}
        </>
      )}
      {state.at === 'waiting' && (
        <Waiting
          invoice={state.invoice}
          options={options}
          onPaid={() => setState({ at: 'received', invoice: state.invoice })}
          onEnded={() => setState({ at: 'expired', invoice: state.invoice })}
          onCancel={() => void cancel(state.invoice)}
        />
      )}
      {state.at === 'expired' && <Expired invoice={state.invoice} onAgain={restart} />}
      {state.at === 'received' && <Received onDone={() => onPaid(state.invoice.token)} />}
    </div>
  )
}

function Summary({ preview }: { readonly preview: Preview }) {
  return (
    <div className={css.summary}>
      <p>{preview.rule}</p>
      <Duplicates preview={preview} />
    </div>
  )
}

function Waiting({
  invoice,
  options,
  onPaid,
  onEnded,
  onCancel,
}: {
  readonly invoice: OpenInvoice
  readonly options: PaymentOptions
  readonly onPaid: () => void
  readonly onEnded: () => void
  readonly onCancel: () => void
}) {
  const heading = useStepFocus()
  const [isKnown, setKnown] = useState(true)
  const { poll_ms: pollMs, polls } = options
  useEffect(
    () =>
      watchPayment(invoice, { pollMs, polls }, { paid: onPaid, ended: onEnded, known: setKnown }),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- one watch for each invoice; the callbacks only set a state
    [invoice, pollMs, polls],
  )
  return (
    <>
      <h3 ref={heading} tabIndex={-1} className={css.heading}>
        Pay {satsText(invoice.sats)}
      </h3>
      <div className={css.progress}>
        <p className={css.waiting} role="status">
          <span className={css.spinner} aria-hidden="true" />
          Waiting for payment...
        </p>
        <TimeLeft endsAt={invoice.endsAt} />
      </div>
      {!isKnown && (
        <p role="status">
          The wallet cannot be asked at the moment; nothing is lost. You may close this page:{' '}
          <a href={receiptPath(invoice.token)} target="_blank" rel="noreferrer">
            your receipt
          </a>{' '}
          shows the payment as soon as it is known.
        </p>
      )}
      <Invoice
        bolt11={invoice.bolt11}
        onDemonstration={
          invoice.demonstration
            ? async () => {
                const { paid } = await payByDemonstration(invoice.checkingId)
                if (paid) onPaid()
              }
            : null
        }
      />
      <ReceiptOffer token={invoice.token} />
      <div className={css.actions}>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </>
  )
}

function Expired({
  invoice,
  onAgain,
}: {
  readonly invoice: OpenInvoice
  readonly onAgain: () => void
}) {
  const heading = useStepFocus()
  return (
    <>
      <h3 ref={heading} tabIndex={-1} className={css.heading}>
        Payment Expired
      </h3>
      <p>
        The invoice has ended. If your wallet has paid after all, the payment still counts: your
        receipt shows it as soon as it arrives.
      </p>
      <ReceiptOffer token={invoice.token} />
      <div className={css.actions}>
        <Button look="primary" onClick={onAgain}>
          Try Again
        </Button>
      </div>
    </>
  )
}

function Received({ onDone }: { readonly onDone: () => void }) {
  const heading = useStepFocus()
  useEffect(() => {
    const timer = setTimeout(onDone, RECEIVED_MS)
    return () => clearTimeout(timer)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the two seconds begin once
  }, [])
  return (
    <div className={css.received} role="status">
      <span className={css.tick} aria-hidden="true" />
      <h3 ref={heading} tabIndex={-1} className={css.heading}>
        Payment Received
      </h3>
    </div>
  )
}

function openInvoice(made: NewInvoice): OpenInvoice {
  return {
    bolt11: made.invoice.payment_request,
    checkingId: made.invoice.checking_id,
    sats: made.sats,
    endsAt: Date.now() + made.expires_in_ms,
    demonstration: made.demonstration,
    token: made.receipt.token,
  }
}

/** The receipt is of a submission that has been paid, or of none. */
function isRefused(error: unknown): boolean {
  return error instanceof CallError && (error.code === 'conflict' || error.code === 'not_found')
}

/** What the visitor can do something about is said as the server says it; all else in the words of the specification. */
function faultOf(error: unknown): string {
  return isAnswer(error) ? error.message : NO_INVOICE
}

/** Whether the server has said no; anything else may have made an invoice all the same. */
function isAnswer(error: unknown): error is CallError {
  return error instanceof CallError && error.code !== null && error.code !== 'internal'
}
