import { useEffect, useRef, useState, type SubmitEvent } from 'react'
import { Button } from '#web/ui/button.tsx'
import { useChange } from '#web/ui/use-change.ts'
import { Stack, Callout } from '#web/ui/primitives.tsx'
import { TextField } from '#web/ui/field.tsx'
import { login, passkeyLogin, passkeyOptions } from '#contracts/accounts.ts'
import { call, CallError } from '#web/api/call.ts'

export function SignInForm({
  username: known = '',
  onSignedIn,
}: {
  /** Prefilled when a session has ended. */
  readonly username?: string
  readonly onSignedIn: (username: string) => void
}) {
  const [username, setUsername] = useState(known)
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [asksCode, setAsksCode] = useState(false)
  const [isRecovering, setRecovering] = useState(false)
  const [codeFault, setCodeFault] = useState<string | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const change = useChange()
  const form = useRef<HTMLFormElement>(null)

  useEffect(() => {
    // After the dialog has focused its close button.
    const frame = requestAnimationFrame(() => focusNext(form.current))
    return () => cancelAnimationFrame(frame)
  }, [])

  // Skip the password: this user was just asked for the code.
  useEffect(() => {
    if (asksCode) take(form.current?.querySelector('input[name="code"]') ?? null)
  }, [asksCode, isRecovering])

  // A button disabled during the request loses the focus, so focus the field to retype.
  useEffect(() => {
    if (fault !== null) focusNext(form.current)
    if (codeFault !== null) take(form.current?.querySelector('input[name="code"]') ?? null)
  }, [fault, codeFault])

  async function run(work: () => Promise<{ readonly username: string } | null>): Promise<void> {
    await change.run(async () => {
      setFault(null)
      setCodeFault(null)
      try {
        const reply = await work()
        if (reply) onSignedIn(reply.username)
      } catch (error) {
        // The password was right and a code is required, or the code was wrong.
        const asks = error instanceof CallError && error.code === 'second_factor'
        if (!asks) return setFault(messageOf(error))
        setAsksCode(true)
        setCodeFault(code.trim() === '' ? null : error.message)
      }
    })
  }

  function submit(event: SubmitEvent): void {
    event.preventDefault()
    if (username.trim() === '' || password === '') {
      setFault(NEED_BOTH)
      focusNext(form.current)
      return
    }
    const body = { username, password, ...(code.trim() === '' ? {} : { code }) }
    void run(() => call(login, { body }))
  }

  return (
    <Stack as="form" gap={4} ref={form} onSubmit={submit} noValidate>
      <TextField
        label="Username"
        name="username"
        autoComplete="username"
        maxLength={64}
        value={username}
        onChange={setUsername}
      />
      <TextField
        label="Password"
        name="password"
        type="password"
        autoComplete="current-password"
        maxLength={256}
        value={password}
        onChange={setPassword}
      />
      {asksCode && (
        <TextField
          key={isRecovering ? 'recovery' : 'app'}
          name="code"
          {...(isRecovering ? RECOVERY_CODE : APP_CODE)}
          value={code}
          fault={codeFault ?? undefined}
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

const APP_CODE = {
  label: 'Code',
  autoComplete: 'one-time-code',
  decimal: true,
  maxLength: 12,
  hint: 'The six digits that your authenticator app shows now.',
}
const RECOVERY_CODE = {
  label: 'Recovery code',
  maxLength: 40,
  hint: 'One of the codes that you kept when you set up the second factor. Each works once.',
}

/** Focuses the first empty field, else the password. */
function focusNext(form: HTMLFormElement | null): void {
  const fields = [...(form?.querySelectorAll('input') ?? [])]
  const next = fields.find(({ value }) => value.trim() === '')
  take(next ?? fields.find(({ type }) => type === 'password') ?? null)
}

function take(field: HTMLInputElement | null): void {
  field?.focus()
  field?.select()
}

/** Texts of administrator-tools.md §5 and §8. */
const NEED_BOTH = 'Please enter both username and password'
const NO_SERVICE =
  'Login service is not available (404). Please check if the backend server is running.'
const NO_NETWORK = 'Network error. Backend may not be running or could be on a different port.'
const FAILED = 'Login failed. Please try again.'
const NO_SUCCESS = 'Login failed'

function hasPasskeys(): boolean {
  return typeof window.PublicKeyCredential === 'function'
}

/** Null if the user declined on the device. */
async function signInByPasskey() {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  const { options } = await call(passkeyOptions)
  const { challenge } = options
  if (typeof challenge !== 'string') throw new Error('no challenge')
  const optionsJSON = { ...options, challenge }
  const credential = await startAuthentication({ optionsJSON }).catch(() => null)
  return credential && (await call(passkeyLogin, { body: { credential: { ...credential } } }))
}

function messageOf(error: unknown): string {
  if (!(error instanceof CallError)) return FAILED
  if (error.status === 404) return NO_SERVICE
  if (error.status === 0) return NO_NETWORK
  if (error.code !== null) return error.message
  // Status 200 without `success` or a reason.
  return error.status === 200 ? NO_SUCCESS : FAILED
}
