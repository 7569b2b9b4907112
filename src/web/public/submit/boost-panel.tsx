import { useCallback, useState } from 'react'
import { CallError } from '#web/api/call.ts'
import { type OpenInvoice } from '#web/api/own-submissions.ts'
import { newKey } from '#web/api/new-key.ts'
import {
  fetchSupportReceipt,
  giveUpPayment,
  newBoost,
  type PaymentOptions,
  type SupportReceipt,
} from '#web/api/payments.ts'
import { Button } from '#web/ui/button.tsx'
import { DemonstrationNote, useLoaded } from '#web/ui/loaded.tsx'
import { satsText } from '#web/ui/show.ts'
import { Panel, Row, Stack, Text } from '#web/ui/primitives.tsx'
import { useChange } from '#web/ui/use-change.ts'
import {
  AmountChoice,
  Expired,
  Waiting,
  ReceiptOffer,
  usePaymentOptions,
  useStepFocus,
} from './payment-screens.tsx'
import { openInvoice } from './open-payments.ts'
import css from './payment-screens.module.css'

type State =
  | { readonly at: 'amount' }
  | { readonly at: 'waiting' | 'expired' | 'thanks'; readonly invoice: OpenInvoice }

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
  return (
    <Panel>
      <Stack gap={4} className={css.step}>
        {options === null ? (
          <Text tone="quiet" role="status">
            Loading…
          </Text>
        ) : options.open ? (
          <Steps id={id} options={options} onPaid={onPaid} onClose={onClose} />
        ) : (
          <Closed said={options.closed_because} onClose={onClose} />
        )}
      </Stack>
    </Panel>
  )
}

function Closed({ said, onClose }: { readonly said: string | null; readonly onClose: () => void }) {
  return (
    <>
      <p role="status">{said ?? 'Payments are closed at the moment.'}</p>
      <Row>
        <Button onClick={onClose}>Close</Button>
      </Row>
    </>
  )
}

function Steps({
  id,
  options,
  onPaid,
  onClose,
}: {
  readonly id: string
  readonly options: PaymentOptions
  readonly onPaid: () => void
  readonly onClose: () => void
}) {
  const [state, setState] = useState<State>({ at: 'amount' })
  const [sats, setSats] = useState(String(options.default_sats))
  function thank(invoice: OpenInvoice): void {
    setState({ at: 'thanks', invoice })
    onPaid()
  }
  const { run, isBusy, said: fault, forget } = useChange()
  // Asked again after a lost answer, the same key gets the same invoice.
  const [asked, setAsked] = useState<{ sats: number; key: string } | null>(null)

  async function create(amount: number): Promise<void> {
    const key = asked?.sats === amount ? asked.key : newKey()
    setAsked({ sats: amount, key })
    const made = await newBoost(id, amount, key).catch((error: unknown) => {
      // An answer has come: asking once more is another request.
      if (error instanceof CallError && error.status !== 0) setAsked(null)
      throw error
    })
    setAsked(null)
    setState({ at: 'waiting', invoice: openInvoice(made) })
  }

  /** Sats that are on their way still count; the server keeps checking. */
  async function cancel(invoice: OpenInvoice): Promise<void> {
    const left = await giveUpPayment(invoice.checkingId).catch(() => null)
    setState(left?.paid ? { at: 'thanks', invoice } : { at: 'amount' })
  }

  return (
    <>
      {options.demonstration && <DemonstrationNote />}
      {state.at === 'amount' && (
        <AmountChoice
          options={options}
          sats={sats}
          isBusy={isBusy}
          fault={fault}
          back="Not now"
          note="The sats are added to the score of this prediction. They go to this site, and never change a verdict."
          onChange={(next) => {
            forget()
            setSats(next)
          }}
          onChoose={(amount) => void run(() => create(amount))}
          onBack={onClose}
        />
      )}
      {state.at === 'waiting' && (
        <Waiting
          invoice={state.invoice}
          options={options}
          onPaid={() => thank(state.invoice)}
          onEnded={(how) =>
            setState(
              how === 'expired' ? { at: 'expired', invoice: state.invoice } : { at: 'amount' },
            )
          }
          onCancel={() => void cancel(state.invoice)}
        />
      )}
      {state.at === 'expired' && (
        <Expired
          invoice={state.invoice}
          onAgain={() => setState({ at: 'amount' })}
          onPaid={() => thank(state.invoice)}
        />
      )}
      {state.at === 'thanks' && <Thanks invoice={state.invoice} onClose={onClose} />}
    </>
  )
}

function Thanks({
  invoice,
  onClose,
}: {
  readonly invoice: OpenInvoice
  readonly onClose: () => void
}) {
  const heading = useStepFocus()
  const { token } = invoice
  const load = useCallback((signal: AbortSignal) => fetchSupportReceipt(token, signal), [token])
  const receipt = useLoaded(load).data
  return (
    <>
      <Stack align="center" className={css.thanks} role="status">
        <span className={css.tick} aria-hidden="true" />
        <h3 ref={heading} tabIndex={-1} className={css.heading}>
          Thank you
        </h3>
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

/** The prediction may have been withdrawn while its invoice was open. */
function becameOf({ credited_sats: credited }: SupportReceipt): string {
  return credited > 0
    ? 'They are part of the score now.'
    : 'The prediction was withdrawn before they came, so they count nowhere. Please write to us: they should be sent back.'
}
