import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  lookAtPayment,
  onePaymentAdmin,
  reopenPayment,
  markPaymentHandled,
  type AdminPayment,
} from '#contracts/payments-admin.ts'
import { reportPath } from '#contracts/reports-log.ts'
import { arrivalOf, showMsat } from '#domain/money/invoice.ts'
import { predictionPath } from '#web/address/addresses.ts'
import { adminCall } from '#web/api/admin-call.ts'
import { sentenceOf } from '#web/api/call.ts'
import { Button } from '#web/ui/button.tsx'
import { ChangeFailure } from '#web/ui/change-failure.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { Loaded } from '#web/ui/loaded.tsx'
import { satsText } from '#web/ui/sats-text.ts'
import { momentOr, showMoment } from '#web/ui/show-moment.ts'
import { TextField } from '#web/ui/text-field.tsx'
import { useToasts } from '#web/ui/toasts.tsx'
import { useChange } from '#web/ui/use-change.ts'
import { PaidFor } from './paid-for.tsx'
import { StateTag } from './state-tag.tsx'
import { Panel, Row, Stack } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'
import { Fact, Facts } from '#web/ui/facts.tsx'

/** One invoice: what became of it, the other tries, and settling what is odd. */
export function PaymentDetail({
  id,
  onClose,
}: {
  readonly id: string
  readonly onClose: () => void
}) {
  const query = useQuery({
    queryKey: ['payment-admin', id],
    queryFn: ({ signal }) => adminCall(onePaymentAdmin, { params: { id }, signal }),
  })
  return (
    <Panel as="section" aria-label="Payment">
      <Loaded
        query={query}
        loading="Loading the payment..."
        failed="The payment could not be loaded."
      >
        {(payment) => <Shown payment={payment} onClose={onClose} />}
      </Loaded>
    </Panel>
  )
}

function Shown({
  payment,
  onClose,
}: {
  readonly payment: AdminPayment
  readonly onClose: () => void
}) {
  const params = { id: payment.id }
  const [note, setNote] = useState('')
  const client = useQueryClient()
  const toasts = useToasts()
  const settle = useChange()
  const check = useChange()
  const isOdd = payment.overpaid || payment.short || payment.extra || payment.unused

  function shown(next: AdminPayment): void {
    client.setQueryData(['payment-admin', payment.id], next)
    void client.invalidateQueries({ queryKey: ['payments-admin'] })
  }

  async function reopen(): Promise<void> {
    const answer = await adminCall(reopenPayment, { params, body: {} })
    shown(answer.payment)
  }

  return (
    <>
      <Row gap={4} align="baseline" justify="between">
        <Text as="h2" size="lead">
          {satsText(payment.sats)} · <PaidFor row={payment} />
        </Text>
        <Button onClick={onClose}>Close</Button>
      </Row>
      <p>
        <StateTag row={payment} />
      </p>
      <PaymentFacts payment={payment} />
      {payment.tries.length > 1 && (
        <>
          <Text as="h3" size="small">
            All attempts to pay for this
          </Text>
          <Stack as="ul" gap={2} size="small">
            {payment.tries.map((one) => (
              <li key={one.id}>
                {showMoment(one.created_at)}: {satsText(one.sats)},{' '}
                {one.status.replaceAll('_', ' ')}
                {one.id === payment.id && ' (this one)'}
              </li>
            ))}
          </Stack>
        </>
      )}
      <Row>
        <Button
          disabled={check.isBusy}
          onClick={() => {
            void check.run(async () => {
              const answer = await adminCall(lookAtPayment, { params })
              toasts.done(answer.message)
              shown(answer.payment)
            })
          }}
        >
          {check.isBusy ? 'Asking the wallet...' : 'Check again now'}
        </Button>
      </Row>
      <ChangeFailure change={check} />
      {payment.settled && (
        <Panel tone="wait" gap={2} size="small">
          <p>
            Settled by {payment.settled.by} on {showMoment(payment.settled.at)}:{' '}
            <bdi>{payment.settled.note}</bdi>
          </p>
          <Row>
            <Button onClick={() => void settle.run(reopen)}>Open it again</Button>
          </Row>
        </Panel>
      )}
      {isOdd && !payment.settled && (
        <Panel tone="wait" gap={2} size="small">
          <p>
            {oddText(payment)} Nothing is sent from here: refunds are made by hand in the wallet.
            Note how it was settled.
          </p>
          <TextField
            label="Note"
            name="note"
            value={note}
            fault={settle.faults['note']}
            onChange={setNote}
          />
          <Row>
            <Button
              disabled={settle.isBusy}
              onClick={() => {
                void settle.run(async () => {
                  const answer = await adminCall(markPaymentHandled, { params, body: { note } })
                  shown(answer.payment)
                  toasts.undoable(answer.message, () => {
                    reopen().catch((error: unknown) => toasts.failed(sentenceOf(error)))
                  })
                })
              }}
            >
              Mark as settled
            </Button>
          </Row>
        </Panel>
      )}
      <ChangeFailure change={settle} />
    </>
  )
}

function oddText({ overpaid, unused, short, purpose }: AdminPayment): string {
  if (overpaid) {
    return purpose === 'report'
      ? 'The deposit of this report had been paid already.'
      : 'This submission had been paid already.'
  }
  if (unused) return 'The prediction was withdrawn before the sats came: they count nowhere.'
  return `The wallet reports ${short ? 'less' : 'more'} than was asked.`
}

/** What arrived, and by how much that differs from what was asked. */
function arrivedText({ sats, received_msat: received }: AdminPayment): string {
  const { receivedMsat, missingMsat, extraMsat } = arrivalOf(sats, received)
  if (receivedMsat === null) return 'The wallet does not say'
  if (missingMsat > 0) {
    return `${showMsat(receivedMsat)} of ${satsText(sats)}; ${showMsat(missingMsat)} missing`
  }
  const extra = extraMsat > 0 ? `; ${showMsat(extraMsat)} more than asked` : ''
  return `${showMsat(receivedMsat)} sats${extra}`
}

function PaymentFacts({ payment }: { readonly payment: AdminPayment }) {
  return (
    <Facts size="small">
      <Fact name="Created">{momentOr('–', payment.created_at)}</Fact>
      <Fact name="Ends">{momentOr('–', payment.expires_at)}</Fact>
      <Fact name="Paid">{momentOr('–', payment.paid_at)}</Fact>
      {payment.prediction_id !== null && (
        <Fact name="Prediction">
          <a href={predictionPath({ id: payment.prediction_id })} target="_blank">
            Open its page
          </a>
        </Fact>
      )}
      {payment.report !== null && payment.paid_at !== null && (
        <Fact name="Report">
          <a href={reportPath(payment.report)} target="_blank">
            Report {payment.report}
          </a>
        </Fact>
      )}
      {payment.comment !== null && (
        <Fact name="Comment">
          <bdi>{payment.comment}</bdi>
        </Fact>
      )}
      <Fact name="Arrived">{arrivedText(payment)}</Fact>
      <Fact name="Wallet">
        {payment.wallet}, {payment.network}
      </Fact>
      <Fact name="Checked">
        {momentOr('–', payment.last_look_at)}
        {payment.last_error !== null && (
          <Text as="span" tone="bad">
            {' '}
            {payment.last_error}
          </Text>
        )}
      </Fact>
      <Fact name="Payment hash">
        {payment.payment_hash === null ? (
          '–'
        ) : (
          <>
            {payment.payment_hash}{' '}
            <CopyButton
              text={payment.payment_hash}
              label="Copy the hash"
              done="Payment hash copied"
            />
          </>
        )}
      </Fact>
    </Facts>
  )
}
