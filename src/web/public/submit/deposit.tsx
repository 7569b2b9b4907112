import { useState } from 'react'
import { giveUpPayment, type NewInvoice } from '#web/api/payments.ts'
import { DemonstrationNote } from '#web/ui/demonstration-note.tsx'
import { satsText } from '#web/ui/sats-text.ts'
import { Stack } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'
import { openInvoice } from './open-invoice.ts'
import { Expired, Waiting } from './payment-screens.tsx'
import css from './payment-step.module.css'
import { usePaymentOptions } from './use-payment-options.ts'

/** The invoice of the deposit of a report, until it is paid or given up. */
export function Deposit({
  made,
  onPaid,
  onBack,
}: {
  readonly made: NewInvoice
  readonly onPaid: () => void
  /** To the form, where everything is still there. */
  readonly onBack: () => void
}) {
  const [options] = usePaymentOptions()
  const [invoice] = useState(() => openInvoice(made))
  const [isExpired, setExpired] = useState(false)

  /** Sats that are on their way still count; the server keeps checking. */
  async function cancel(): Promise<void> {
    const left = await giveUpPayment(invoice.checkingId).catch(() => null)
    if (left?.paid) onPaid()
    else onBack()
  }

  if (options === null) {
    return (
      <Text tone="quiet" role="status">
        Loading…
      </Text>
    )
  }
  return (
    <Stack gap={4} className={css.step}>
      {made.demonstration && <DemonstrationNote />}
      <p>
        To keep noise out, this site asks for a deposit of {satsText(invoice.sats)} for each report.
        It is not given back. Administrators see the report once it is paid.
      </p>
      {isExpired ? (
        <Expired invoice={invoice} onAgain={onBack} onPaid={onPaid} />
      ) : (
        <Waiting
          invoice={invoice}
          options={options}
          onPaid={onPaid}
          onEnded={(how) => (how === 'expired' ? setExpired(true) : onBack())}
          onCancel={() => void cancel()}
        />
      )}
    </Stack>
  )
}
