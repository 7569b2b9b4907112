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

type Credentials = { readonly username: string; readonly password: string; readonly code: string }

type SignInResult =
  | { readonly state: 'in'; readonly username: string }
  /** The password was right and a code is required; `fault` explains why a code was wrong. */
  | { readonly state: 'code'; readonly fault: string | null }
  | { readonly state: 'failed'; readonly message: string }

async function signIn({ username, password, code }: Credentials): Promise<SignInResult> {
  if (username.trim() === '' || password === '') return { state: 'failed', message: NEED_BOTH }
  try {
    const body = { username, password, ...(code.trim() === '' ? {} : { code }) }
    const reply = await call(login, { body })
    return { state: 'in', username: reply.username }
  } catch (error) {
    if (error instanceof CallError && error.code === 'second_factor') {
      return { state: 'code', fault: code.trim() === '' ? null : error.message }
    }
    return { state: 'failed', message: messageOf(error) }
  }
}

function hasPasskeys(): boolean {
  return typeof window.PublicKeyCredential === 'function'
}

/** Null if the user declined on the device. */
async function signInByPasskey(): Promise<SignInResult | null> {
  try {
    const { startAuthentication } = await import('@simplewebauthn/browser')
    const { options } = await call(passkeyOptions)
    const { challenge } = options
    if (typeof challenge !== 'string') return { state: 'failed', message: FAILED }
    const credential = await startAuthentication({
      optionsJSON: { ...options, challenge },
    }).catch(() => null)
    if (!credential) return null
    const reply = await call(passkeyLogin, { body: { credential: { ...credential } } })
    return { state: 'in', username: reply.username }
  } catch (error) {
    return { state: 'failed', message: messageOf(error) }
  }
}

function messageOf(error: unknown): string {
  if (!(error instanceof CallError)) return FAILED
  if (error.status === 404) return NO_SERVICE
  if (error.status === 0) return NO_NETWORK
  if (error.code !== null) return error.message
  // A success status without success, and without a reason.
  return error.status === 200 ? NO_SUCCESS : FAILED
}
