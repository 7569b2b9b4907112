import { login, passkeyLogin, passkeyOptions } from '#contracts/admins.ts'
import { call, CallError } from '#web/api/call.ts'

/** The texts are those of administrator-tools.md §5 and §8. */
const NEED_BOTH = 'Please enter both username and password'
const NO_SERVICE =
  'Login service is not available (404). Please check if the backend server is running.'
const NO_NETWORK = 'Network error. Backend may not be running or could be on a different port.'
const FAILED = 'Login failed. Please try again.'

export type Given = { readonly username: string; readonly password: string; readonly code: string }

export type SignInResult =
  | { readonly state: 'in'; readonly username: string }
  /** The password was right; a code of the authenticator app is wanted. `fault` says what was wrong with one given. */
  | { readonly state: 'code'; readonly fault: string | null }
  | { readonly state: 'failed'; readonly message: string }

export async function signIn({ username, password, code }: Given): Promise<SignInResult> {
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

/** Whether this browser can sign in with what the device keeps. */
export function hasPasskeys(): boolean {
  return typeof window.PublicKeyCredential === 'function'
}

/** Asks the device for a passkey; null when it was declined there. */
export async function signInByPasskey(): Promise<SignInResult | null> {
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
  return error.code === null ? FAILED : error.message
}
