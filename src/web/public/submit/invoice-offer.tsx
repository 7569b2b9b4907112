import { useState } from 'react'
import { CallError } from '#web/api/call.ts'
import { newKey } from '#web/api/new-key.ts'
import { fetchOptions, newInvoiceOfReceipt, type PaymentOptions } from '#web/api/payments.ts'
import { noteInvoice } from '#web/api/own-submissions.ts'
import { Button } from '#web/ui/button.tsx'
import { useChange } from '#web/ui/use-change.ts'
import { AmountChoice } from './payment-screens.tsx'
import { openInvoice } from './open-payments.ts'
import css from './invoice-offer.module.css'
import { Stack, Failure } from '#web/ui/primitives.tsx'

/** A further invoice for a submission that has not been paid; whatever still arrives for the earlier ones counts. */
export function InvoiceOffer({
  token,
  onMade,
}: {
  readonly token: string
  readonly onMade: () => void
}) {
  const [options, setOptions] = useState<PaymentOptions | null>(null)
  const [sats, setSats] = useState('')
  const { run, isBusy, said: fault, forget } = useChange()
  // Asked again after a lost answer, the same key gets the same invoice.
  const [asked, setAsked] = useState<{ sats: number; key: string } | null>(null)

  async function open(): Promise<void> {
    const now = await fetchOptions()
    if (!now.open) throw new CallError(now.closed_because ?? 'Submitting is closed.', 0)
    setOptions(now)
    setSats(String(now.default_sats))
  }

  async function create(amount: number): Promise<void> {
    const key = asked?.sats === amount ? asked.key : newKey()
    setAsked({ sats: amount, key })
    noteInvoice(openInvoice(await newInvoiceOfReceipt(token, amount, key)))
    setAsked(null)
    setOptions(null)
    onMade()
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
    <Stack gap={4} className={css.offer}>
      <AmountChoice
        options={options}
        sats={sats}
        isBusy={isBusy}
        fault={fault}
        back="Not now"
        onChange={(next) => {
          forget()
          setSats(next)
        }}
        onChoose={(amount) => void run(() => create(amount))}
        onBack={() => setOptions(null)}
      />
    </Stack>
  )
}
