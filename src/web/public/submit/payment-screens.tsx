import { useEffect, useEffectEvent, useState, useRef, type ReactNode } from 'react'
import { receiptPath } from '#contracts/paths.ts'
import { payReceipt } from '#contracts/payments.ts'
import { MAX_SATS, readSats } from '#domain/money/invoice.ts'
import { showCount } from '#domain/price-text.ts'
import { call, CallError } from '#web/api/call.ts'
import { noteInvoice } from '#web/api/own-submissions.ts'
import { fetchOptions, ordered, type PaymentOptions } from '#web/api/payments.ts'
import { useSite } from '#web/head/site.ts'
import { Button } from '#web/ui/button.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { TextField } from '#web/ui/field.tsx'
import { Fold } from '#web/ui/fold.tsx'
import { after, during, pause } from '#web/ui/hooks.ts'
import { QrCode } from '#web/ui/invoice.tsx'
import { Row, Stack, Failure, sends, Note } from '#web/ui/primitives.tsx'
import { satsText } from '#web/ui/show.ts'
import { useChange } from '#web/ui/use-change.ts'
import { VerdictSign } from '#web/ui/verdict-badge.tsx'
import { repeatableAsk, type Paid } from './open-payments.ts'
import css from './submit.module.css'

/** Delay of the success screen after the payment (public-site.md §9). */
const RECEIVED_MS = 2_000

export function Received({ onDone }: { readonly onDone: () => void }) {
  const done = useEffectEvent(onDone)
  useEffect(() => after(RECEIVED_MS, () => done()), [])
  return (
    <Stack align="center" className={css.received} role="status">
      <span className={`${css.tick} toned`} data-outcome="hit">
        <VerdictSign outcome="hit" />
      </span>
      <StepTitle>Payment Received</StepTitle>
    </Stack>
  )
}

/** The amount in sats: a quick pick or any integer within the limits, with its value. */
export function AmountChoice({
  options,
  first = options.default_sats,
  back = 'Back to the form',
  note = 'One payment, one submission for review. The sats count as votes for it.',
  onChoose,
  onBack,
}: {
  readonly options: PaymentOptions
  readonly first?: number | undefined
  readonly back?: string
  readonly note?: string
  /** Creates the invoice; errors are shown here. */
  readonly onChoose: (sats: number) => Promise<void>
  readonly onBack: () => void
}) {
  const [sats, setSats] = useState(String(first))
  const { run, isBusy, message: fault, forget } = useChange()
  const [pressed, setPressed] = useState(false)
  const [field, setField] = useState<HTMLElement | null>(null)
  const limits = { min: options.min_sats, max: Math.min(options.max_sats, MAX_SATS) }
  const read = readSats(sats.replaceAll(/[,\s]/g, ''), limits)
  function change(next: string): void {
    forget()
    setSats(next)
  }
  return (
    <Stack
      as="form"
      gap={4}
      className={`${css.step} full`}
      {...sends(() => {
        setPressed(true)
        if (typeof read === 'number') void run(() => onChoose(read))
        else field?.focus()
      })}
    >
      <StepTitle>Choose an amount</StepTitle>
      <div className={css.picks} role="group" aria-label="Quick picks">
        {options.quick_picks.map((pick) => (
          <Button
            key={pick}
            aria-label={satsText(pick)}
            aria-pressed={read === pick}
            onClick={() => change(String(pick))}
            disabled={isBusy}
          >
            {showCount(pick)}
          </Button>
        ))}
      </div>
      <TextField
        label="Amount in sats"
        name="amount"
        ref={setField}
        inputMode="numeric"
        hint={typeof read === 'number' && worthText(read, options)}
        fault={typeof read === 'string' && (pressed || sats !== '') ? read : undefined}
        value={sats}
        disabled={isBusy}
        onChange={change}
      />
      <Failure message={fault} />
      <Row gap={3}>
        <Button look="primary" type="submit" disabled={isBusy}>
          {isBusy ? 'Creating the invoice...' : 'Create invoice'}
        </Button>
        <Button onClick={onBack} disabled={isBusy}>
          {back}
        </Button>
      </Row>
      <Note>{note}</Note>
    </Stack>
  )
}

/** Another invoice for an unpaid submission; payments of earlier ones still count. */
export function InvoiceOffer({
  token,
  onMade,
}: {
  readonly token: string
  readonly onMade: () => void
}) {
  const [options, setOptions] = useState<PaymentOptions | null>(null)
  const { run, isBusy, message: fault } = useChange()
  const [ask] = useState(repeatableAsk)

  async function open(): Promise<void> {
    const now = await fetchOptions()
    if (!now.open) throw new CallError(now.closed_because ?? 'Submitting is closed.', 0)
    setOptions(now)
  }

  if (options === null) {
    return (
      <>
        <p>
          <Button look="primary" disabled={isBusy} onClick={() => void run(open)}>
            Pay with a new invoice
          </Button>
        </p>
        <Failure message={fault} />
      </>
    )
  }
  return (
    <AmountChoice
      options={options}
      back="Not now"
      onChoose={async (sats) => {
        const input = { params: { token }, body: { amount: sats } }
        noteInvoice(await ask(sats, (key) => call(payReceipt, { ...input, ...ordered(key) })))
        setOptions(null)
        onMade()
      }}
      onBack={() => setOptions(null)}
    />
  )
}

/** `about $0.45`, with two decimals (public-site.md §9); below a cent with two significant digits: `about $0.0012`. */
export function worthText(sats: number, options: PaymentOptions): string {
  const usd = sats * options.usd_per_sat
  const digits = usd < 0.01 ? TWO_DIGITS : CENTS
  const text = `about $${usd.toLocaleString('en-US', digits)}`
  return options.usd_is_guess ? `${text}; no Bitcoin price is known at the moment` : text
}

const TWO_DIGITS = { maximumSignificantDigits: 2 } as const
const CENTS = { minimumFractionDigits: 2, maximumFractionDigits: 2 } as const

/** The receipt address, as a link and as a QR code for another device. */
export function ReceiptOffer({ token }: { readonly token: string }) {
  const { origin } = useSite()
  const path = receiptPath(token)
  return (
    <Stack gap={1} className={`${css.receipt} card full pad`}>
      <Row gap={4} tight justify="between" className="taps semibold">
        <a href={path} target="_blank" rel="noreferrer">
          Open your receipt
        </a>
        <CopyButton text={origin + path} label="Copy link" done="Receipt link copied!" />
      </Row>
      <Note>Check payment and review from any browser. Anyone with the link can see it.</Note>
      <Fold title="Take it to another device">
        <QrCode text={origin + path} label="Address of your receipt as a QR code" />
      </Fold>
    </Stack>
  )
}

/** The heading of a step; it takes the focus when it appears, since the focused element is gone. */
export function StepTitle({ children }: { readonly children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  return (
    <h3 ref={heading} tabIndex={-1} className="title">
      {children}
    </h3>
  )
}

const CHECKED_AGAIN_MS = 3_000

/** Payment options of the site, polled while its wallet is being checked; null until known. */
export function usePaymentOptions() {
  const [options, setOptions] = useState<PaymentOptions | null>(null)

  useEffect(() => {
    if (options && !options.checking) return
    return during(async (signal) => {
      await pause(options ? CHECKED_AGAIN_MS : 0, signal)
      // The form can be filled in meanwhile; a copy triggers another attempt.
      const next = await fetchOptions(signal).catch(() => options && { ...options })
      if (!signal.aborted) setOptions(next)
    })
  }, [options])

  return [options, setOptions] as const
}

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
