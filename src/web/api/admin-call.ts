import { type z } from 'zod'
import { call, CallError, type CallInput } from './call.ts'

type Route = Parameters<typeof call>[0]

type Asker = () => Promise<void>

let asker: Asker | null = null
let asking: Promise<void> | null = null
let signIns = 0

export function askBy(ask: Asker): void {
  asker = ask
}

/** Without a session, calls open to paying visitors answer 402 instead of 401. */
function isSignedOut({ status, code }: CallError): boolean {
  return status === 401 || code === 'payment_required'
}

/**
 * Like `call`; after an expired session it asks to sign in and repeats the call.
 *
 * @throws {CallError}
 */
export async function adminCall<Called extends Route>(
  route: Called,
  input: CallInput<Called> = {},
): Promise<z.infer<Called['reply']>> {
  const signInsBefore = signIns
  try {
    return await call(route, input)
  } catch (error) {
    if (!(error instanceof CallError) || !isSignedOut(error) || !asker) throw error
    // A call sent with the old session may be refused after signing in again; then it is only repeated.
    if (signInsBefore === signIns) {
      asking ??= asker()
        .then(() => void (signIns += 1))
        .finally(() => {
          asking = null
        })
      await asking
    }
    return call(route, input)
  }
}
