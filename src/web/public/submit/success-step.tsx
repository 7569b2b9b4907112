import { type PaymentOptions } from '#web/api/payments.ts'
import { Button } from '#web/ui/button.tsx'
import { DemonstrationNote } from '#web/ui/demonstration-note.tsx'
import { canNotify, ContactBox } from './contact-box.tsx'
import css from './payment-step.module.css'
import { ReceiptOffer } from './receipt-offer.tsx'
import { useStepFocus } from './use-step-focus.ts'
import { Row, Stack } from '#web/ui/stack.tsx'

/** Paid and submitted; the visitor may leave a contact for notices. */
export function SuccessStep({
  token,
  options,
  email,
  onClose,
}: {
  readonly token: string
  readonly options: PaymentOptions | null
  /** As given in the form; offered as the contact. */
  readonly email: string
  readonly onClose: () => void
}) {
  const heading = useStepFocus()
  return (
    <Stack gap={4} className={css.step}>
      {options?.demonstration && <DemonstrationNote />}
      <h3 ref={heading} tabIndex={-1} className={css.heading}>
        Prediction submitted
      </h3>
      <p>Your payment has arrived. The submission will be reviewed before going live.</p>
      {canNotify(options) ? (
        <ContactBox token={token} options={options} email={email} onClose={onClose} />
      ) : (
        <>
          <p>
            This site cannot send notices at the moment; the receipt shows the state of your
            submission.
          </p>
          <Row gap={3}>
            <Button look="primary" onClick={onClose}>
              Close
            </Button>
          </Row>
        </>
      )}
      <ReceiptOffer token={token} />
    </Stack>
  )
}
