import { useEffect, useState } from 'react'
import { CallError, sentenceOf } from '#web/api/call.ts'
import { notifyOf, type PaymentOptions } from '#web/api/payments.ts'
import { Button } from '#web/ui/button.tsx'
import { DemonstrationNote } from '#web/ui/demonstration-note.tsx'
import { Field } from '#web/ui/field.tsx'
import css from './payment-step.module.css'
import { ReceiptOffer } from './receipt-offer.tsx'
import { useStepFocus } from './use-step-focus.ts'

/** The box closes 1.5 seconds after its thanks (public-site.md §9). */
const THANKS_MS = 1_500

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
      <ContactBox token={token} options={options} email={email} onClose={onClose} />
      <ReceiptOffer token={token} />
    </div>
  )
}

function ContactBox({
  token,
  options,
  email,
  onClose,
}: {
  readonly token: string
  readonly options: PaymentOptions | null
  readonly email: string
  readonly onClose: () => void
}) {
  const [contact, setContact] = useState(email)
  const [state, setState] = useState<'open' | 'sending' | 'thanks'>('open')
  const [fault, setFault] = useState<string>()
  const [shown, setShown] = useState('')
  useEffect(() => {
    if (state !== 'thanks') return
    const timer = setTimeout(onClose, THANKS_MS)
    return () => clearTimeout(timer)
  }, [state, onClose])

  async function send(): Promise<void> {
    setState('sending')
    setFault(undefined)
    try {
      const kept = await notifyOf(token, contact)
      setShown(kept.contact.shown)
      setState('thanks')
    } catch (error) {
      const said = error instanceof CallError ? error.fields['contact'] : undefined
      setFault(said ?? sentenceOf(error))
      setState('open')
    }
  }

  if (state === 'thanks') {
    return <p role="status">Thanks! {shown} will be notified.</p>
  }
  return (
    <form
      className={css.step}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <Field label="Email or LNURL" optional hint={waysText(options)} fault={fault}>
        {(control) => (
          <input
            {...control}
            name="contact"
            autoComplete="email"
            spellCheck={false}
            value={contact}
            onChange={(event) => {
              setFault(undefined)
              setContact(event.target.value)
            }}
          />
        )}
      </Field>
      <div className={css.actions}>
        <Button look="primary" type="submit" disabled={state === 'sending'}>
          Notify Me!
        </Button>
        <Button onClick={onClose}>Skip</Button>
      </div>
    </form>
  )
}

/** What this site can do to tell somebody. */
function waysText(options: PaymentOptions | null): string {
  const told = 'We tell you of the approval or rejection, and of the verdict'
  const { email = true, lightning = true } = options?.notices ?? {}
  if (email && lightning) return `${told}: by e-mail, or by 1 sat with a comment.`
  if (email) return `${told}, by e-mail.`
  if (lightning) return `${told}, by 1 sat with a comment to a Lightning address or LNURL.`
  return 'This site cannot send notices at the moment; the receipt shows how your submission stands.'
}
