import { useEffect, useState } from 'react'
import { holdsSecretKey } from '#domain/publishing/nostr-key.ts'
import { CallError } from '#web/api/call.ts'
import { notifyOf, type PaymentOptions } from '#web/api/payments.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { useChange } from '#web/ui/use-change.ts'
import css from './payment-step.module.css'
import { Row, Stack } from '#web/ui/stack.tsx'

/** The box closes 1.5 seconds after its thanks (public-site.md §9). */
const THANKS_MS = 1_500
const SECRET_KEY =
  'This is a secret key (nsec). Never share it: anyone who has it can post as you. It was not sent.'

type Kept = Awaited<ReturnType<typeof notifyOf>>['contact']

/** Asks where to send notices about a submission. */
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
  const [kept, setKept] = useState<{ readonly contact: Kept } | null>(null)
  useEffect(() => {
    if (kept === null) return
    const timer = setTimeout(onClose, THANKS_MS)
    return () => clearTimeout(timer)
  }, [kept, onClose])

  async function send(): Promise<void> {
    if (holdsSecretKey(contact)) {
      setContact('')
      throw new CallError(SECRET_KEY, 0)
    }
    setKept(await notifyOf(token, contact))
  }

  if (kept !== null) {
    return (
      <p role="status">
        {kept.contact?.confirmed === false
          ? `Thanks! Please confirm with the link in the mail to ${kept.contact.shown}.`
          : `Thanks! ${kept.contact?.shown ?? ''} will be notified.`}
      </p>
    )
  }
  return (
    <Stack
      as="form"
      gap={4}
      className={css.step}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void run(send)
      }}
    >
      <Field
        label="Email or LNURL"
        optional
        hint={waysText(options)}
        fault={failed?.fields['contact'] ?? failed?.message}
      >
        {(control) => (
          <input
            {...control}
            name="contact"
            autoComplete="email"
            spellCheck={false}
            value={contact}
            onChange={(event) => {
              forget()
              setContact(event.target.value)
            }}
          />
        )}
      </Field>
      <Row gap={3}>
        <Button look="primary" type="submit" disabled={isBusy}>
          Notify Me!
        </Button>
        <Button onClick={onClose}>Skip</Button>
      </Row>
    </Stack>
  )
}

/** Whether this site can send notices. @param options null while they are not known */
export function canNotify(options: PaymentOptions | null): boolean {
  return options === null || options.notices.email || options.notices.lightning
}

/** How this site sends notices. */
function waysText(options: PaymentOptions | null): string {
  const what = 'We let you know when it is approved or rejected, and when it is judged'
  const { email = true, lightning = true } = options?.notices ?? {}
  if (email && lightning) return `${what}: by e-mail, or by 1 sat with a comment.`
  if (email) return `${what}, by e-mail.`
  return `${what}, by 1 sat with a comment to a Lightning address or LNURL.`
}
