import { useEffect, useState } from 'react'
import { holdsSecretKey } from '#domain/publishing/nostr-key.ts'
import { CallError, sentenceOf } from '#web/api/call.ts'
import { notifyOf, type PaymentOptions } from '#web/api/payments.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import css from './payment-step.module.css'
import { Row, Stack } from '#web/ui/stack.tsx'

/** The box closes 1.5 seconds after its thanks (public-site.md §9). */
const THANKS_MS = 1_500
const SECRET_KEY =
  'This is a secret key (nsec). Never share it: anyone who has it can post as you. It was not sent.'

type Kept = Awaited<ReturnType<typeof notifyOf>>['contact']

/** Where to tell somebody of what becomes of a submission. */
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
  const [state, setState] = useState<'open' | 'sending' | 'thanks'>('open')
  const [fault, setFault] = useState<string>()
  const [kept, setKept] = useState<Kept | null>(null)
  useEffect(() => {
    if (state !== 'thanks') return
    const timer = setTimeout(onClose, THANKS_MS)
    return () => clearTimeout(timer)
  }, [state, onClose])

  async function send(): Promise<void> {
    if (holdsSecretKey(contact)) {
      setContact('')
      setFault(SECRET_KEY)
      return
    }
    setState('sending')
    setFault(undefined)
    try {
      setKept((await notifyOf(token, contact)).contact)
      setState('thanks')
    } catch (error) {
      const said = error instanceof CallError ? error.fields['contact'] : undefined
      setFault(said ?? sentenceOf(error))
      setState('open')
    }
  }

  if (state === 'thanks') {
    return (
      <p role="status">
        {kept?.confirmed === false
          ? `Thanks! Please confirm by the link in the mail to ${kept.shown}.`
          : `Thanks! ${kept?.shown ?? ''} will be notified.`}
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
      <Row gap={3}>
        <Button look="primary" type="submit" disabled={state === 'sending'}>
          Notify Me!
        </Button>
        <Button onClick={onClose}>Skip</Button>
      </Row>
    </Stack>
  )
}

/** Whether this site can tell anybody of anything. @param options null while they are not known */
export function canTell(options: PaymentOptions | null): boolean {
  return options === null || options.notices.email || options.notices.lightning
}

/** What this site can do to tell somebody. */
function waysText(options: PaymentOptions | null): string {
  const what = 'We let you know when it is approved or rejected, and when it is judged'
  const { email = true, lightning = true } = options?.notices ?? {}
  if (email && lightning) return `${what}: by e-mail, or by 1 sat with a comment.`
  if (email) return `${what}, by e-mail.`
  return `${what}, by 1 sat with a comment to a Lightning address or LNURL.`
}
