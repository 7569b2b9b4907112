import { useEffect, useRef, useState, type SubmitEvent } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { hasPasskeys, signIn, signInByPasskey, type SignInResult } from './sign-in.ts'
import { useChange } from '#web/ui/use-change.ts'
import { Stack } from '#web/ui/stack.tsx'
import { Callout } from '#web/ui/text.tsx'

/** User name, password and, where the account has one, a second factor; or a passkey. */
export function SignInForm({
  username: known = '',
  onSignedIn,
}: {
  /** Filled in beforehand, when a session has ended. */
  readonly username?: string
  readonly onSignedIn: (username: string) => void
}) {
  const [username, setUsername] = useState(known)
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [asksCode, setAsksCode] = useState(false)
  /** The authenticator is lost. */
  const [isRecovering, setRecovering] = useState(false)
  const [codeFault, setCodeFault] = useState<string | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const change = useChange()
  const form = useRef<HTMLFormElement>(null)

  useEffect(() => {
    // After a dialog has put the focus where it begins, on what closes it.
    const frame = requestAnimationFrame(() => focusNext(form.current))
    return () => cancelAnimationFrame(frame)
  }, [])

  // A button that rests while the request runs loses the focus: one goes on at what is to be typed again.
  useEffect(() => {
    if (fault !== null) focusNext(form.current)
    if (codeFault !== null) take(form.current?.querySelector('input[name="code"]') ?? null)
  }, [fault, codeFault])

  async function run(work: () => Promise<SignInResult | null>): Promise<void> {
    await change.run(async () => {
      setFault(null)
      setCodeFault(null)
      const result = await work()
      if (result?.state === 'in') onSignedIn(result.username)
      else if (result?.state === 'code') {
        setAsksCode(true)
        setCodeFault(result.fault)
      } else if (result) setFault(result.message)
    })
  }

  function submit(event: SubmitEvent): void {
    event.preventDefault()
    void run(() => signIn({ username, password, code }))
  }

  return (
    <Stack as="form" gap={4} ref={form} onSubmit={submit} noValidate>
      <Field label="Username">
        {(control) => (
          <input
            {...control}
            name="username"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={64}
            value={username}
            onChange={(event) => setUsername(event.target.value)}
          />
        )}
      </Field>
      <Field label="Password">
        {(control) => (
          <input
            {...control}
            name="password"
            type="password"
            autoComplete="current-password"
            maxLength={256}
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        )}
      </Field>
      {asksCode && (
        <SecondFactor
          key={isRecovering ? 'recovery' : 'app'}
          isRecovery={isRecovering}
          fault={codeFault ?? undefined}
          value={code}
          onChange={setCode}
        />
      )}
      {fault !== null && (
        <Callout tone="bad" role="alert">
          {fault}
        </Callout>
      )}
      <Button look="primary" type="submit" disabled={change.isBusy}>
        {change.isBusy ? 'Logging in...' : 'Login'}
      </Button>
      {asksCode && (
        <Button
          look="quiet"
          onClick={() => {
            setRecovering(!isRecovering)
            setCode('')
            setCodeFault(null)
          }}
        >
          {isRecovering ? 'Use the authenticator app' : 'Use a recovery code'}
        </Button>
      )}
      {hasPasskeys() && (
        <Button disabled={change.isBusy} onClick={() => void run(signInByPasskey)}>
          Use a passkey
        </Button>
      )}
    </Stack>
  )
}

/** A code of the authenticator app, or one of those for a lost one. */
function SecondFactor({
  isRecovery,
  fault,
  value,
  onChange,
}: {
  readonly isRecovery: boolean
  readonly fault: string | undefined
  readonly value: string
  readonly onChange: (value: string) => void
}) {
  return (
    <Field
      label={isRecovery ? 'Recovery code' : 'Code'}
      hint={
        isRecovery
          ? 'One of the codes that you kept when you set up the second factor. Each works once.'
          : 'The six digits that your authenticator app shows now.'
      }
      fault={fault}
    >
      {(control) => (
        <input
          {...control}
          name="code"
          {...(isRecovery
            ? { autoComplete: 'off', autoCapitalize: 'characters', spellCheck: false }
            : { autoComplete: 'one-time-code', inputMode: 'numeric' })}
          maxLength={isRecovery ? 40 : 12}
          ref={focusOnce}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}

/** The first field that is empty, else the password. */
function focusNext(form: HTMLFormElement | null): void {
  const fields = [...(form?.querySelectorAll('input') ?? [])]
  const next = fields.find(({ value }) => value.trim() === '')
  take(next ?? fields.find(({ type }) => type === 'password') ?? null)
}

function take(field: HTMLInputElement | null): void {
  field?.focus()
  field?.select()
}

/** The code is what the same person was just asked for. */
function focusOnce(input: HTMLInputElement | null): void {
  input?.focus()
}
