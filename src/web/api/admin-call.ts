import { type z } from 'zod'
import { call, CallError, type CallInput } from './call.ts'

type Route = Parameters<typeof call>[0]

/** Asks for signing in again; resolves once that is done, rejects when it is declined. */
type Asker = () => Promise<void>

let asker: Asker | null = null
let asking: Promise<void> | null = null
/** How often signing in was asked for and done. */
let signIns = 0

/** Set once by the app: how signing in again is asked for. */
export function askBy(ask: Asker): void {
  asker = ask
}

/** Where visitors may submit for money, an ended session is answered with the way to pay. */
function isSignedOut({ status, code }: CallError): boolean {
  return status === 401 || code === 'payment_required'
}

/**
 * Makes a call as the administrator who is signed in. When the session has ended meanwhile, signing in is asked for over
 * the page, and the call is made again with all that was typed.
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
    // A call that was sent with the old session may be refused after signing in again: it is only made again.
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
