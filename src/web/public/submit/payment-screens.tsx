import { useEffect, useEffectEvent, useState } from 'react'
import { receiptPath } from '#contracts/receipt.ts'
import { payByDemonstration, type PaymentOptions } from '#web/api/payments.ts'
import { type OpenInvoice } from '#web/api/own-submissions.ts'
import { Button } from '#web/ui/button.tsx'
import { Invoice } from '#web/ui/invoice.tsx'
import { satsText } from '#web/ui/sats-text.ts'
import { worthText } from './amount-choice.tsx'
import css from './payment-step.module.css'
import { ReceiptOffer } from './receipt-offer.tsx'
import { TimeLeft } from './time-left.tsx'
import { useStepFocus } from './use-step-focus.ts'
import { waitForLatePayment, waitForPayment, type Trouble } from './wait-for-payment.ts'
import { Row, Stack } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'

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
