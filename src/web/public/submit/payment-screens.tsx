import { receiptPath } from '#contracts/paths.ts'
import {
  useEffect,
  useEffectEvent,
  useState,
  useRef,
  type RefObject,
  type Dispatch,
  type SetStateAction,
} from 'react'
import { payByDemonstration, type PaymentOptions, fetchOptions } from '#web/api/payments.ts'
import { type OpenInvoice } from '#web/api/own-submissions.ts'
import { Button } from '#web/ui/button.tsx'
import { Invoice } from '#web/ui/invoice.tsx'
import { satsText } from '#web/ui/show.ts'
import { waitForLatePayment, waitForPayment, type Trouble } from './wait-for-payment.ts'
import { Row, Stack, Text, Failure } from '#web/ui/primitives.tsx'
import { MAX_SATS, readSats } from '#domain/money/invoice.ts'
import { showCount } from '#domain/price-text.ts'
import { Field } from '#web/ui/field.tsx'
import { useSite } from '#web/head/site.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { QrCode } from '#web/ui/qr-code.tsx'
import css from './payment-screens.module.css'

/** The success screen follows the payment after 2 seconds (public-site.md §9). */
const RECEIVED_MS = 2_000

/** The invoice, until its sats have arrived or it has ended. */
export function Waiting({
  invoice,
  options,
  onPaid,
  onEnded,
  onCancel,
}: {
  readonly invoice: OpenInvoice
  readonly options: PaymentOptions
  readonly onPaid: () => void
  readonly onEnded: (how: 'expired' | 'cancelled') => void
  readonly onCancel: () => void
}) {
  const heading = useStepFocus()
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
      <h3 ref={heading} tabIndex={-1} className={css.heading}>
        Pay {satsText(invoice.sats)}
      </h3>
      <Text tone="quiet" size="small">
        {worthText(invoice.sats, options)}
      </Text>
      <Row gap={4} tight align="baseline" justify="between">
        <Row as="p" whole className={css.waiting} role="status">
          <span className={css.spinner} aria-hidden="true" />
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
                const { paid } = await payByDemonstration(invoice.checkingId)
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

/** Why nothing is known of the payment at the moment, and what that means for it. */
const TROUBLE: Readonly<Record<Trouble, string>> = {
  network:
    'This site cannot be reached right now: please check your connection. We still notice a payment, and nothing is lost. You may close this page:',
  limits:
    'Your network is sending this site too many requests, so this page checks more slowly. We still notice a payment, and nothing is lost. You may close this page:',
  server: 'This site has a problem right now; nothing is lost. You may close this page:',
  wallet: 'The wallet cannot be reached right now; nothing is lost. You may close this page:',
}

/** It has ended; sats that still arrive are noticed. */
export function Expired({
  invoice,
  onAgain,
  onPaid,
}: {
  readonly invoice: OpenInvoice
  readonly onAgain: () => void
  readonly onPaid: () => void
}) {
  const heading = useStepFocus()
  const wait = useEffectEvent(() => waitForLatePayment(invoice, onPaid))
  useEffect(() => wait(), [invoice.checkingId])
  return (
    <>
      <h3 ref={heading} tabIndex={-1} className={css.heading}>
        Payment Expired
      </h3>
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

export function Received({ onDone }: { readonly onDone: () => void }) {
  const heading = useStepFocus()
  const done = useEffectEvent(onDone)
  useEffect(() => {
    const timer = setTimeout(() => done(), RECEIVED_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <Stack align="center" className={css.received} role="status">
      <span className={css.tick} aria-hidden="true" />
      <h3 ref={heading} tabIndex={-1} className={css.heading}>
        Payment Received
      </h3>
    </Stack>
  )
}

/** How many sats to pay: a quick pick or any whole number within the limits, with its worth. */
export function AmountChoice({
  options,
  sats,
  isBusy,
  fault,
  back = 'Back to the form',
  note = 'One payment, one submission for review. The sats count as votes for it.',
  onChange,
  onChoose,
  onBack,
}: {
  readonly options: PaymentOptions
  readonly sats: string
  readonly isBusy: boolean
  readonly fault: string | null
  readonly back?: string
  readonly note?: string
  readonly onChange: (sats: string) => void
  readonly onChoose: (sats: number) => void
  readonly onBack: () => void
}) {
  const heading = useStepFocus()
  const [pressed, setPressed] = useState(false)
  const limits = { min: options.min_sats, max: Math.min(options.max_sats, MAX_SATS) }
  const read = readSats(sats.replaceAll(/[,\s]/g, ''), limits)
  const wrong = typeof read === 'string' ? read : null
  return (
    <Stack
      as="form"
      gap={4}
      className={css.step}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setPressed(true)
        if (typeof read === 'number') onChoose(read)
      }}
    >
      <h3 ref={heading} tabIndex={-1} className={css.heading}>
        Choose an amount
      </h3>
      <div className={css.picks} role="group" aria-label="Quick picks">
        {options.quick_picks.map((pick) => (
          <Button
            key={pick}
            aria-label={satsText(pick)}
            aria-pressed={read === pick}
            onClick={() => onChange(String(pick))}
            disabled={isBusy}
          >
            {showCount(pick)}
          </Button>
        ))}
      </div>
      <Field
        label="Amount in sats"
        hint={wrong === null && typeof read === 'number' ? worthText(read, options) : undefined}
        fault={wrong !== null && (pressed || sats !== '') ? wrong : undefined}
      >
        {(control) => (
          <input
            {...control}
            name="amount"
            inputMode="numeric"
            autoComplete="off"
            value={sats}
            disabled={isBusy}
            onChange={(event) => onChange(event.target.value)}
          />
        )}
      </Field>
      <Failure said={fault} />
      <Row gap={3}>
        <Button look="primary" type="submit" disabled={isBusy}>
          {isBusy ? 'Creating the invoice...' : 'Create invoice'}
        </Button>
        <Button onClick={onBack} disabled={isBusy}>
          {back}
        </Button>
      </Row>
      <Text tone="quiet" size="small">
        {note}
      </Text>
    </Stack>
  )
}

/** `about $0.45`, with two decimals (public-site.md §9); below a cent with the two digits that count: `about $0.0012`. */
function worthText(sats: number, options: PaymentOptions): string {
  const usd = sats * options.usd_per_sat
  const digits = usd < 0.01 ? TWO_DIGITS : CENTS
  const text = `about $${usd.toLocaleString('en-US', digits)}`
  return options.usd_is_guess ? `${text}; no Bitcoin price is known at the moment` : text
}

const TWO_DIGITS = { maximumSignificantDigits: 2 } as const
const CENTS = { minimumFractionDigits: 2, maximumFractionDigits: 2 } as const

function TimeLeft({ endsAt }: { readonly endsAt: number }) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.max(0, Math.ceil((endsAt - now) / 1_000))
  const clock = `${String(Math.floor(seconds / 60))}:${String(seconds % 60).padStart(2, '0')}`
  return (
    <Text tone="quiet" size="small">
      Time left <span role="timer">{clock}</span>
    </Text>
  )
}

/** The address of the receipt, to keep as a link or to take to another device by camera. */
export function ReceiptOffer({ token }: { readonly token: string }) {
  const { origin } = useSite()
  const path = receiptPath(token)
  return (
    <Stack gap={1} className={css.receipt}>
      <Row gap={4} tight justify="between" className={css.actions}>
        <a href={path} target="_blank" rel="noreferrer">
          Open your receipt
        </a>
        <CopyButton text={origin + path} label="Copy link" done="Receipt link copied!" />
      </Row>
      <Text tone="quiet" size="small">
        Check payment and review from any browser. Anyone with the link can see it.
      </Text>
      <details>
        <summary>Take it to another device</summary>
        <QrCode text={origin + path} label="Address of your receipt as a QR code" />
      </details>
    </Stack>
  )
}

/** Puts the focus on the heading of a step as it appears: what had it before is gone. */
export function useStepFocus(): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  return heading
}

const CHECKED_AGAIN_MS = 3_000

/** How this site takes sats, asked again while its wallet is being checked; null until it is known. */
export function usePaymentOptions(): readonly [
  PaymentOptions | null,
  Dispatch<SetStateAction<PaymentOptions | null>>,
] {
  const [options, setOptions] = useState<PaymentOptions | null>(null)

  useEffect(() => {
    const leave = new AbortController()
    fetchOptions(leave.signal).then(setOptions, () => {
      // The form can be filled in meanwhile; it is asked again before paying.
    })
    return () => leave.abort()
  }, [])

  useEffect(() => {
    if (!options?.checking) return
    const leave = new AbortController()
    const timer = setTimeout(() => {
      // Where there is no answer, a copy of what was known asks again.
      const asAnswered = (now: PaymentOptions): void => {
        if (!leave.signal.aborted) setOptions(now)
      }
      fetchOptions(leave.signal).then(asAnswered, () => asAnswered({ ...options }))
    }, CHECKED_AGAIN_MS)
    return () => {
      clearTimeout(timer)
      leave.abort()
    }
  }, [options])

  return [options, setOptions]
}

export type Paid = { readonly token: string; readonly what: string }

export function EarlierPaid({ token, what }: Paid) {
  return (
    <p role="status">
      Your earlier submission (<bdi>{what}</bdi>) has been paid.{' '}
      <a href={receiptPath(token)} target="_blank" rel="noreferrer">
        Open its receipt
      </a>
    </p>
  )
}
