import { useRef, useState } from 'react'
import { login, passkeyLogin, passkeyOptions } from '#contracts/accounts.ts'
import { useInitialFocus } from '#web/admin/kit/use-keys.ts'
import { call, CallError } from '#web/api/call.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import { Failure, Stack, sends } from '#web/ui/primitives.tsx'
import { useChange, useFields } from '#web/ui/use-change.ts'

/** By field; of the whole form as `form`. */
type Faults = Readonly<Record<string, string>>
const NO_FAULTS: Faults = {}

export function SignInForm({
  username: known = '',
  onSignedIn,
}: {
  /** Prefilled when a session has ended. */
  readonly username?: string
  readonly onSignedIn: (username: string) => void
}) {
  const { values, change: edit, field } = useFields({ username: known, password: '', code: '' })
  const [asksCode, setAsksCode] = useState(false)
  const [isRecovering, setRecovering] = useState(false)
  const [faults, setFaults] = useState<Faults>(NO_FAULTS)
  const change = useChange()
  const form = useRef<HTMLFormElement>(null)
  // A button that is disabled during the request loses the focus.
  useInitialFocus(() => focusNext(form.current), faults)

  async function run(work: () => Promise<{ readonly username: string } | null>): Promise<void> {
    await change.run(async () => {
      setFaults(NO_FAULTS)
      try {
        const reply = await work()
        if (reply) onSignedIn(reply.username)
      } catch (error) {
        // The password was right and a code is required, or the code was wrong.
        const asks = error instanceof CallError && error.code === 'second_factor'
        if (!asks) return setFaults({ form: messageOf(error) })
        setAsksCode(true)
        setFaults(values.code.trim() === '' ? {} : { code: error.message })
      }
    })
  }

  function send(): void {
    const { username, password, code } = values
    if (username.trim() === '' || password === '') return setFaults({ form: NEED_BOTH })
    const body = { username, password, ...(code.trim() === '' ? {} : { code }) }
    void run(() => call(login, { body }))
  }

  return (
    <Stack as="form" gap={4} ref={form} {...sends(send)}>
      <TextField label="Username" {...field('username')} autoComplete="username" maxLength={64} />
      <TextField
        label="Password"
        {...field('password')}
        type="password"
        autoComplete="current-password"
        maxLength={256}
      />
      {asksCode && (
        <TextField
          key={isRecovering ? 'recovery' : 'app'}
          {...field('code', faults)}
          {...(isRecovering ? RECOVERY_CODE : APP_CODE)}
        />
      )}
      <Failure message={faults['form']} />
      <Button look="primary" type="submit" disabled={change.isBusy}>
        {change.isBusy ? 'Logging in...' : 'Login'}
      </Button>
      {asksCode && (
        <Button
          look="quiet"
          onClick={() => {
            setRecovering(!isRecovering)
            edit({ code: '' })
            setFaults({})
          }}
        >
          {isRecovering ? 'Use the authenticator app' : 'Use a recovery code'}
        </Button>
      )}
      {typeof window.PublicKeyCredential === 'function' && (
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
  inputMode: 'decimal',
  maxLength: 12,
  hint: 'The six digits that your authenticator app shows now.',
} as const
const RECOVERY_CODE = {
  label: 'Recovery code',
  maxLength: 40,
  hint: 'One of the codes that you kept when you set up the second factor. Each works once.',
}

/** Focuses the wrong field, else the first empty one, else the password. */
function focusNext(form: HTMLFormElement | null): void {
  const fields = [...(form?.querySelectorAll('input') ?? [])]
  const next =
    fields.find((field) => field.getAttribute('aria-invalid') === 'true') ??
    fields.find(({ value }) => value.trim() === '') ??
    fields.find(({ type }) => type === 'password')
  next?.focus()
  next?.select()
}

/** Texts of administrator-tools.md §5 and §8. */
const NEED_BOTH = 'Please enter both username and password'
const NO_SERVICE =
  'Login service is not available (404). Please check if the backend server is running.'
const NO_NETWORK = 'Network error. Backend may not be running or could be on a different port.'
const FAILED = 'Login failed. Please try again.'
const NO_SUCCESS = 'Login failed'

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
