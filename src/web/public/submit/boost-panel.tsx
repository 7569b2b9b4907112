import { useState } from 'react'
import { boostPrediction, getSupportReceipt, type SupportReceipt } from '#contracts/payments.ts'
import { call } from '#web/api/call.ts'
import { type OpenInvoice } from '#web/api/own-submissions.ts'
import { ordered } from '#web/api/payments.ts'
import { Button } from '#web/ui/button.tsx'
import { useLoaded } from '#web/ui/loaded.tsx'
import { Panel, Row, Stack, Text } from '#web/ui/primitives.tsx'
import { satsText } from '#web/ui/show.ts'
import { VerdictSign } from '#web/ui/verdict-badge.tsx'
import { repeatableAsk } from './open-payments.ts'
import { Paying } from './paying.tsx'
import { AmountChoice, ReceiptOffer, usePaymentOptions, StepTitle } from './payment-screens.tsx'
import css from './submit.module.css'

export function BoostPanel({
  id,
  onPaid,
  onClose,
}: {
  readonly id: string
  readonly onPaid: () => void
  readonly onClose: () => void
}) {
  const [options] = usePaymentOptions()
  const [ask] = useState(repeatableAsk)
  const invoice = (amount: number) => (key: string) =>
    call(boostPrediction, { params: { id }, body: { amount }, ...ordered(key) })
  return (
    <Panel>
      {options === null && (
        <Text tone="quiet" role="status">
          Loading…
        </Text>
      )}
      {options?.open === false && (
        <Stack gap={4}>
          <p role="status">{options.closed_because ?? 'Payments are closed at the moment.'}</p>
          <Row>
            <Button onClick={onClose}>Close</Button>
          </Row>
        </Stack>
      )}
      {options?.open && (
        <Paying
          options={options}
          onPaid={onPaid}
          amount={(show) => (
            <AmountChoice
              options={options}
              back="Not now"
              note="The sats are added to the score of this prediction. They go to this site, and never change a verdict."
              onChoose={async (sats) => show(await ask(sats, invoice(sats)))}
              onBack={onClose}
            />
          )}
          paid={(paid) => <Thanks invoice={paid} onClose={onClose} />}
        />
      )}
    </Panel>
  )
}

function Thanks({
  invoice,
  onClose,
}: {
  readonly invoice: OpenInvoice
  readonly onClose: () => void
}) {
  const { token } = invoice
  const receipt = useLoaded(getSupportReceipt, { params: { checkingId: token } }).data
  return (
    <>
      <Stack align="center" className="pad at-center" role="status">
        <span className={`${css.tick} toned`} data-outcome="hit">
          <VerdictSign outcome="hit" />
        </span>
        <StepTitle>Thank you</StepTitle>
        <p>
          {satsText(invoice.sats)} received.
          {receipt && ` ${becameOf(receipt)}`}
        </p>
      </Stack>
      <ReceiptOffer token={token} />
      <Row>
        <Button onClick={onClose}>Close</Button>
      </Row>
    </>
  )
}

/** The prediction may have been withdrawn while the invoice was open. */
function becameOf({ credited_sats: credited }: SupportReceipt): string {
  return credited > 0
    ? 'They now count in the score.'
    : 'The prediction was withdrawn before they came, so they count nowhere. Please write to us: they should be sent back.'
}
