import { useEffect, useState } from 'react'
import { type AssetKey } from '#domain/asset.ts'
import { type SubmissionFields } from '#domain/submission.ts'
import { CallError } from '#web/api/call.ts'
import { newKey } from '#web/api/new-key.ts'
import { giveUpPayment, newInvoice, type PaymentOptions } from '#web/api/payments.ts'
import { followOwnSubmissions } from '#web/api/kept-submissions.ts'
import {
  forget,
  inTurn,
  noteCancelled,
  noteTry,
  openInvoiceOf,
  tryOf,
  type OpenInvoice,
} from '#web/api/own-submissions.ts'
import { Button } from '#web/ui/button.tsx'
import { useChange } from '#web/ui/use-change.ts'
import { DemonstrationNote } from '#web/ui/loaded.tsx'
import {
  AlreadySubmitted,
  isWaiting,
  type Waiting as AlreadyWaiting,
  Duplicates,
  type Preview,
} from './submission-preview.tsx'
import {
  AmountChoice,
  Expired,
  Received,
  Waiting,
  ReceiptOffer,
  useStepFocus,
  EarlierPaid,
  type Paid,
} from './payment-screens.tsx'
import { contentOf, type Asked } from './use-submission-form.ts'
import { PAID_MEANWHILE, paidMeanwhile, leftOpen, openInvoice } from './open-payments.ts'
import css from './payment-screens.module.css'
import { troubleOf } from './wait-for-payment.ts'
import { Row, Stack } from '#web/ui/primitives.tsx'

const LOOK_MS = 15_000
const DROPPED = 'The earlier attempt could not be continued. Please create the invoice again.'
const NOT_FOUND_OUT =
  'This submission may have been paid already. Please look at its receipt before you try again.'
const NOT_REACHED = 'This site cannot be reached from here: please check your connection.'
const NO_INVOICE = 'Failed to create payment invoice. Please try again.'

type State =
  | { readonly at: 'amount'; readonly said: string | null }
  | { readonly at: 'waiting'; readonly invoice: OpenInvoice }
  | { readonly at: 'expired'; readonly invoice: OpenInvoice }
  | { readonly at: 'received'; readonly invoice: OpenInvoice }

const AMOUNT: State = { at: 'amount', said: null }
const CANCELLED: State = {
  at: 'amount',
  said: 'The payment was cancelled in another tab. If it still arrives, it counts.',
}

export function PaymentStep({
  asset,
  payload,
  preview,
  options,
  waiting,
  resumed,
  lastAsked,
  onAsked,
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
  /** The call for an invoice whose answer has been lost; it is kept until there is one. */
  readonly lastAsked: () => Asked | null
  readonly onAsked: (asked: Asked | null) => void
  readonly onFaults: (faults: Readonly<Record<string, string>>) => boolean
  readonly onBack: () => void
  readonly onPaid: (token: string) => void
}) {
  const content = contentOf(payload)
  const [state, setState] = useState<State>(resumed ? { at: 'waiting', invoice: resumed } : AMOUNT)
  const [sats, setSats] = useState(() => String(lastAsked()?.sats ?? options.default_sats))
  const { run, isBusy, said: fault, forget: forgetFault } = useChange()
  const [isWarned, setWarned] = useState(!isWaiting(waiting))
  const [paidBefore, setPaidBefore] = useState<Paid | null>(null)

  const isPayable = state.at === 'waiting' || state.at === 'received'
  useEffect(() => {
    if (isPayable) return
    return followOwnSubmissions(() => {
      const shared = openInvoiceOf(tryOf(asset, content))
      if (shared) setState({ at: 'waiting', invoice: shared })
    })
  }, [isPayable, asset, content])

  async function create(amount: number): Promise<void> {
    // A second tab that is asked for the same at the same time finds the invoice of the first one.
    await run(() => inTurn(`invoice-${asset}`, () => createAlone(amount)))
  }

  async function createAlone(amount: number): Promise<void> {
    const before = tryOf(asset, content)
    const shared = openInvoiceOf(before)
    if (shared) {
      setState({ at: 'waiting', invoice: shared })
      return
    }
    const paid = await paidMeanwhile(asset, content, AbortSignal.timeout(LOOK_MS))
    if (paid) {
      setPaidBefore(paid)
      throw new CallError(PAID_MEANWHILE, 0)
    }
    const receipt = before?.token ?? null
    try {
      const ask = { amount, submissionData: payload, receipt }
      const body = JSON.stringify(ask)
      const lost = lastAsked()
      const key = lost?.body === body ? lost.key : newKey()
      onAsked({ key, sats: amount, body })
      const invoice = openInvoice(await newInvoice(ask, key))
      onAsked(null)
      noteTry({ asset, content, what: whatOf(payload), invoice })
      setState({ at: 'waiting', invoice })
    } catch (error) {
      if (isAnswer(error)) onAsked(null)
      const isForm = error instanceof CallError && onFaults(error.fields)
      if (isForm) return
      const said = receipt && isRefused(error) ? await outcomeOf(receipt) : faultOf(error)
      if (said !== null) throw new CallError(said, 0)
    }
  }

  /** What became of a try that takes no further invoice; leads on when it has been paid. */
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

  /** Sats that are on their way still count; the server keeps checking. */
  async function cancel(invoice: OpenInvoice): Promise<void> {
    const left = await giveUpPayment(invoice.checkingId).catch(() => null)
    if (left?.paid) {
      setState({ at: 'received', invoice })
      return
    }
    noteCancelled(invoice)
    restart(AMOUNT)
  }

  function restart(next: State): void {
    setSats(String(options.default_sats))
    setState(next)
  }

  function ended(invoice: OpenInvoice, how: 'expired' | 'cancelled'): void {
    noteCancelled(invoice)
    if (how === 'cancelled') restart(CANCELLED)
    else setState({ at: 'expired', invoice })
  }

  const link = state.at === 'amount' ? (tryOf(asset, content)?.token ?? null) : null
  return (
    <Stack gap={4} className={css.step}>
      {options.demonstration && <DemonstrationNote />}
      {state.at === 'amount' && !isWarned && (
        <Warned waiting={waiting} onGoOn={() => setWarned(true)} onBack={onBack} />
      )}
      {state.at === 'amount' && isWarned && (
        <>
          {state.said !== null && <p role="status">{state.said}</p>}
          {paidBefore && <EarlierPaid {...paidBefore} />}
          {preview && <Summary preview={preview} />}
          <AmountChoice
            options={options}
            sats={sats}
            isBusy={isBusy}
            fault={fault}
            onChange={(next) => {
              forgetFault()
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
          onEnded={(how) => ended(state.invoice, how)}
          onCancel={() => void cancel(state.invoice)}
        />
      )}
      {state.at === 'expired' && (
        <Expired
          invoice={state.invoice}
          onAgain={() => restart(AMOUNT)}
          onPaid={() => setState({ at: 'received', invoice: state.invoice })}
        />
      )}
      {state.at === 'received' && <Received onDone={() => onPaid(state.invoice.token)} />}
    </Stack>
  )
}

function Warned({
  waiting,
  onGoOn,
  onBack,
}: {
  readonly waiting: AlreadyWaiting
  readonly onGoOn: () => void
  readonly onBack: () => void
}) {
  const heading = useStepFocus()
  return (
    <>
      <h3 ref={heading} tabIndex={-1} className={css.heading}>
        Submitted already
      </h3>
      <AlreadySubmitted waiting={waiting} />
      <p>One submission is enough for a review; a second one costs its sats again.</p>
      <Row gap={3}>
        <Button look="primary" onClick={onBack}>
          Back to the form
        </Button>
        <Button onClick={onGoOn}>Submit it anyway</Button>
      </Row>
    </>
  )
}

function Summary({ preview }: { readonly preview: Preview }) {
  return (
    <Stack gap={2} size="small" className={css.summary}>
      <p>{preview.rule}</p>
      <Duplicates preview={preview} />
    </Stack>
  )
}

/** The submission of the receipt has been paid, or does not exist. */
function isRefused(error: unknown): boolean {
  return error instanceof CallError && (error.code === 'conflict' || error.code === 'not_found')
}

/** `Expert A: $150,000` */
function whatOf({ expert_name: name, price_prediction: level }: SubmissionFields): string {
  return `${name ?? ''}: ${String(level ?? '')}`
}

/**
 * What the visitor can do something about is said as the server says it; all else in the words of the specification, and
 * whose fault it is.
 */
function faultOf(error: unknown): string {
  if (isAnswer(error)) return error.message
  return troubleOf(error) === 'network' ? `${NO_INVOICE} ${NOT_REACHED}` : NO_INVOICE
}

/** Whether the server has said no; anything else may have made an invoice all the same. */
function isAnswer(error: unknown): error is CallError {
  return error instanceof CallError && error.code !== null && error.code !== 'internal'
}
