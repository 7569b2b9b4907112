import { useState } from 'react'
import { CallError } from '#web/api/call.ts'
import { fetchOptions, newInvoiceOfReceipt, type PaymentOptions } from '#web/api/payments.ts'
import { noteInvoice } from '#web/api/own-submissions.ts'
import { Button } from '#web/ui/button.tsx'
import { useChange } from '#web/ui/use-change.ts'
import { AmountChoice } from './payment-screens.tsx'
import { keptAsk } from './open-payments.ts'
import { Failure } from '#web/ui/primitives.tsx'

/** A further invoice for a submission that has not been paid; whatever still arrives for the earlier ones counts. */
export function InvoiceOffer({
  token,
  onMade,
}: {
  readonly token: string
  readonly onMade: () => void
}) {
  const [options, setOptions] = useState<PaymentOptions | null>(null)
  const { run, isBusy, said: fault } = useChange()
  const [ask] = useState(keptAsk)

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
        <Failure said={fault} />
      </>
    )
  }
  return (
    <AmountChoice
      options={options}
      back="Not now"
      onChoose={async (sats) => {
        noteInvoice(await ask(sats, (key) => newInvoiceOfReceipt(token, sats, key)))
        setOptions(null)
        onMade()
      }}
      onBack={() => setOptions(null)}
    />
  )
}
