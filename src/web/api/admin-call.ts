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

/** Where visitors may submit for money, an ended session is answered with the way to pay. */
function isSignedOut({ status, code }: CallError): boolean {
  return status === 401 || code === 'payment_required'
}

/** Where the session has ended, signing in is asked for over the page and the call made again. @throws {CallError} */
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
