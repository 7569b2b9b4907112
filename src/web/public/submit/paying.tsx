import { useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import { receiptPath } from '#contracts/paths.ts'
import { cancelPayment, payWithDemonstration } from '#contracts/payments.ts'
import { call } from '#web/api/call.ts'
import { type OpenInvoice } from '#web/api/own-submissions.ts'
import { WALLET_PATIENCE, type PaymentOptions } from '#web/api/payments.ts'
import { followOwnSubmissions } from '#web/api/stored-submissions.ts'
import { Button } from '#web/ui/button.tsx'
import { useNow } from '#web/ui/hooks.ts'
import { Invoice } from '#web/ui/invoice.tsx'
import { DemonstrationNote } from '#web/ui/notice.tsx'
import { Row, Stack, Note } from '#web/ui/primitives.tsx'
import { satsText } from '#web/ui/show.ts'
import { ReceiptOffer, StepTitle, worthText } from './payment-screens.tsx'
import { waitForLatePayment, waitForPayment, type Trouble } from './wait-for-payment.ts'
import css from './submit.module.css'

type State =
  | { readonly at: 'amount'; readonly message: string | null }
  | { readonly at: 'waiting' | 'expired' | 'paid'; readonly invoice: OpenInvoice }

const paramsOf = ({ checkingId }: OpenInvoice) => ({ checkingId })

const AMOUNT: State = { at: 'amount', message: null }
const CANCELLED: State = {
  at: 'amount',
  message: 'The payment was cancelled in another tab. If it still arrives, it counts.',
}

export function Paying({
  options,
  resumed = null,
  shared,
  amount,
  paid,
  onPaid,
  onLeft,
}: {
  readonly options: PaymentOptions
  readonly resumed?: OpenInvoice | null
  /** An invoice that another tab made for the same submission. */
  readonly shared?: () => OpenInvoice | null
  /**
   * The form for the amount.
   *
   * @param show displays the created invoice
   */
  readonly amount: (show: (invoice: OpenInvoice) => void) => ReactNode
  readonly paid: (invoice: OpenInvoice) => ReactNode
  readonly onPaid?: () => void
  /** Called when the invoice was cancelled or has expired. */
  readonly onLeft?: (invoice: OpenInvoice) => void
}) {
  const [state, setState] = useState<State>(resumed ? { at: 'waiting', invoice: resumed } : AMOUNT)
  const show = (invoice: OpenInvoice): void => setState({ at: 'waiting', invoice })

  const isPayable = state.at === 'waiting' || state.at === 'paid'
  const takeShared = useEffectEvent(() => {
    const invoice = shared?.()
    if (invoice) show(invoice)
  })
  useEffect(() => (isPayable ? undefined : followOwnSubmissions(() => takeShared())), [isPayable])

  function arrived(invoice: OpenInvoice): void {
    setState({ at: 'paid', invoice })
    onPaid?.()
  }

  function ended(invoice: OpenInvoice, how: 'expired' | 'cancelled'): void {
    onLeft?.(invoice)
    setState(how === 'cancelled' ? CANCELLED : { at: 'expired', invoice })
  }

  /** Sats already sent still count, since the server keeps checking. */
  async function cancel(invoice: OpenInvoice): Promise<void> {
    const left = await call(cancelPayment, { params: paramsOf(invoice) }).catch(() => null)
    if (left?.paid) return arrived(invoice)
    onLeft?.(invoice)
    setState(AMOUNT)
  }

  return (
    <Stack gap={4} className={`${css.step} full`}>
      {options.demonstration && <DemonstrationNote />}
      {state.at === 'amount' && (
        <>
          {state.message !== null && <p role="status">{state.message}</p>}
          {amount(show)}
        </>
      )}
      {state.at === 'waiting' && (
        <Waiting
          invoice={state.invoice}
          options={options}
          onPaid={() => arrived(state.invoice)}
          onEnded={(how) => ended(state.invoice, how)}
          onCancel={() => void cancel(state.invoice)}
        />
      )}
      {state.at === 'expired' && (
        <Expired
          invoice={state.invoice}
          onAgain={() => setState(AMOUNT)}
          onPaid={() => arrived(state.invoice)}
        />
      )}
      {state.at === 'paid' && paid(state.invoice)}
    </Stack>
  )
}

type InvoiceStep = { readonly invoice: OpenInvoice; readonly onPaid: () => void }

/** The invoice, until it is paid or ends. */
function Waiting({
  invoice,
  options,
  onPaid,
  onEnded,
  onCancel,
}: InvoiceStep & {
  readonly options: PaymentOptions
  readonly onEnded: (how: 'expired' | 'cancelled') => void
  readonly onCancel: () => void
}) {
  const [trouble, setTrouble] = useState<Trouble | null>(null)
  const { poll_ms: pollMs, polls } = options
  const wait = useEffectEvent(() =>
    waitForPayment(
      invoice,
      { pollMs, polls },
      { paid: onPaid, ended: onEnded, trouble: setTrouble },
    ),
  )
  useEffect(() => wait(), [invoice.checkingId, pollMs, polls])
  return (
    <>
      <StepTitle>Pay {satsText(invoice.sats)}</StepTitle>
      <Note>{worthText(invoice.sats, options)}</Note>
      <Row gap={4} tight align="baseline" justify="between">
        <Row as="p" whole className="semibold" role="status">
          <progress aria-hidden="true" />
          Waiting for payment...
        </Row>
        <TimeLeft endsAt={invoice.endsAt} />
      </Row>
      {trouble !== null && (
        <p role="status">
          {TROUBLE[trouble]}{' '}
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
                const { paid } = await call(payWithDemonstration, {
                  params: paramsOf(invoice),
                  ...WALLET_PATIENCE,
                })
                if (paid) onPaid()
              }
            : null
        }
      />
      <ReceiptOffer token={invoice.token} />
      <Row gap={3}>
        <Button onClick={onCancel}>Cancel</Button>
      </Row>
    </>
  )
}

/** Why the payment state is unknown, and what that means. */
const TROUBLE: Readonly<Record<Trouble, string>> = {
  network:
    'This site cannot be reached right now: please check your connection. We still notice a payment, and nothing is lost. You may close this page:',
  limits:
    'Your network is sending this site too many requests, so this page checks more slowly. We still notice a payment, and nothing is lost. You may close this page:',
  server: 'This site has a problem right now; nothing is lost. You may close this page:',
  wallet: 'The wallet cannot be reached right now; nothing is lost. You may close this page:',
}

/** The invoice has ended; late sats are still noticed. */
function Expired({ invoice, onAgain, onPaid }: InvoiceStep & { readonly onAgain: () => void }) {
  const wait = useEffectEvent(() => waitForLatePayment(invoice, onPaid))
  useEffect(() => wait(), [invoice.checkingId])
  return (
    <>
      <StepTitle>Payment Expired</StepTitle>
      <p>
        The invoice has expired. If your wallet has paid anyway, the payment still counts: this page
        and your receipt show it as soon as it arrives.
      </p>
      <ReceiptOffer token={invoice.token} />
      <Row gap={3}>
        <Button look="primary" onClick={onAgain}>
          Try Again
        </Button>
      </Row>
    </>
  )
}

function TimeLeft({ endsAt }: { readonly endsAt: number }) {
  const seconds = Math.max(0, Math.ceil((endsAt - useNow(1_000)) / 1_000))
  const clock = `${String(Math.floor(seconds / 60))}:${String(seconds % 60).padStart(2, '0')}`
  return (
    <Note>
      Time left <span role="timer">{clock}</span>
    </Note>
  )
}
