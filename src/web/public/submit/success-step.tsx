import { useEffect, useState } from 'react'
import { type z } from 'zod'
import { setReceiptContact } from '#contracts/payments.ts'
import { holdsSecretKey } from '#domain/publishing/nostr.ts'
import { call, CallError } from '#web/api/call.ts'
import { type PaymentOptions } from '#web/api/payments.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import { after } from '#web/ui/hooks.ts'
import { DemonstrationNote } from '#web/ui/notice.tsx'
import { Row, Stack, sends } from '#web/ui/primitives.tsx'
import { useChange } from '#web/ui/use-change.ts'
import { ReceiptOffer, StepTitle } from './payment-screens.tsx'
import css from './submit.module.css'

export function SuccessStep({
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
  return (
    <Stack gap={4} className={`${css.step} full`}>
      {options?.demonstration && <DemonstrationNote />}
      <StepTitle>Prediction submitted</StepTitle>
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

/** Delay before closing (public-site.md §9). */
const THANKS_MS = 1_500
const SECRET_KEY =
  'This is a secret key (nsec). Never share it: anyone who has it can post as you. It was not sent.'

type Contact = z.infer<typeof setReceiptContact.reply>['contact']

export function ContactBox({
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
  const { run, isBusy, failed, forget } = useChange()
  const [saved, setSaved] = useState<{ readonly contact: Contact } | null>(null)
  useEffect(() => {
    if (saved !== null) return after(THANKS_MS, onClose)
    return undefined
  }, [saved, onClose])

  async function send(): Promise<void> {
    if (holdsSecretKey(contact)) {
      setContact('')
      throw new CallError(SECRET_KEY, 0)
    }
    setSaved(await call(setReceiptContact, { params: { token }, body: { contact } }))
  }

  if (saved !== null) {
    return (
      <p role="status">
        {saved.contact?.confirmed === false
          ? `Thanks! Please confirm with the link in the mail to ${saved.contact.shown}.`
          : `Thanks! ${saved.contact?.shown ?? ''} will be notified.`}
      </p>
    )
  }
  return (
    <Stack as="form" gap={4} className={`${css.step} full`} {...sends(() => void run(send))}>
      <TextField
        label="Email or LNURL"
        name="contact"
        autoComplete="email"
        optional
        hint={waysText(options)}
        fault={failed?.fields['contact'] ?? failed?.message}
        value={contact}
        onChange={(text) => {
          forget()
          setContact(text)
        }}
      />
      <Row gap={3}>
        <Button look="primary" type="submit" disabled={isBusy}>
          Notify Me!
        </Button>
        <Button onClick={onClose}>Skip</Button>
      </Row>
    </Stack>
  )
}

/**
 * Whether the site can send notices.
 *
 * @param options null while unknown
 */
export function canNotify(options: PaymentOptions | null): boolean {
  return options === null || options.notices.email || options.notices.lightning
}

function waysText(options: PaymentOptions | null): string {
  const what = 'We’ll let you know when it is approved or rejected, and again when it is decided'
  const { email = true, lightning = true } = options?.notices ?? {}
  if (email && lightning) return `${what}: by email, or by 1 sat with a comment.`
  if (email) return `${what}, by email.`
  return `${what}, by 1 sat with a comment to a Lightning address or LNURL.`
}
