import { type PaymentOptions } from '#web/api/payments.ts'
import { Button } from '#web/ui/button.tsx'
import { DemonstrationNote } from '#web/ui/demonstration-note.tsx'
import { canTell, ContactBox } from './contact-box.tsx'
import css from './payment-step.module.css'
import { ReceiptOffer } from './receipt-offer.tsx'
import { useStepFocus } from './use-step-focus.ts'

/** Paid and handed in; whoever wants to hear of it may leave a contact. */
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
    <div className={css.step}>
      {options?.demonstration && <DemonstrationNote />}
      <h3 ref={heading} tabIndex={-1} className={css.heading}>
        Prediction submitted
      </h3>
      <p>Your payment has arrived. The submission will be reviewed before going live.</p>
      {canTell(options) ? (
        <ContactBox token={token} options={options} email={email} onClose={onClose} />
      ) : (
        <>
          <p>
            This site cannot send notices at the moment; the receipt shows how your submission
            stands.
          </p>
          <div className={css.actions}>
            <Button look="primary" onClick={onClose}>
              Close
            </Button>
          </div>
        </>
      )}
      <ReceiptOffer token={token} />
    </div>
  )
}
