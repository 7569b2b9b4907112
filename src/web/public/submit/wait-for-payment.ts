import { checkPayment } from '#contracts/payments.ts'
import { call, CallError } from '#web/api/call.ts'
import { type OpenInvoice } from '#web/api/own-submissions.ts'
import { followReceipt, type PaymentState } from '#web/api/payments.ts'
import { during, pause } from '#web/ui/hooks.ts'

/** Polling interval and maximum number of polls (public-site.md §4). */
export type Polling = { readonly pollMs: number; readonly polls: number }

export type PaymentHandlers = {
  readonly paid: () => void
  /** The server reported that the invoice expired or was cancelled in another tab. */
  readonly ended: (how: 'expired' | 'cancelled') => void
  /** Why the last poll failed; null after success. */
  readonly trouble: (trouble: Trouble | null) => void
}

/** Source of the failure: the visitor's network, rate limits, our server, or the wallet. */
export type Trouble = 'network' | 'limits' | 'server' | 'wallet'

/** Factor for the interval after an invoice's lifetime, or after rate limiting. */
const SLOWER = 5
const ENDED_POLL_MS = 10_000
const ENDED: readonly PaymentState['status'][] = ['expired', 'cancelled', 'failed']

/**
 * Waits for the payment of an invoice, pushed by the server and polled as a fallback. Continues until a definite reply,
 * even while the wallet or server is unreachable.
 *
 * @returns a function that stops waiting
 */
export function waitForPayment(
  invoice: OpenInvoice,
  { pollMs, polls }: Polling,
  on: PaymentHandlers,
): () => void {
  let attempts = 0
  return poll(invoice, pollMs, on.paid, (state) => {
    attempts += 1
    if (typeof state !== 'string' && ENDED.includes(state.status)) {
      on.ended(state.status === 'cancelled' ? 'cancelled' : 'expired')
      return null
    }
    const trouble = typeof state === 'string' ? state : state.checked ? null : 'wallet'
    on.trouble(trouble)
    return attempts >= polls || trouble === 'limits' ? pollMs * SLOWER : pollMs
  })
}

/**
 * Waits for sats that may arrive after an invoice ended.
 *
 * @returns a function that stops waiting
 */
export function waitForLatePayment(invoice: OpenInvoice, onPaid: () => void): () => void {
  return poll(invoice, ENDED_POLL_MS, onPaid, () => ENDED_POLL_MS)
}

/** @param onUnpaid handles other replies; returns the delay until the next poll in ms, or null to stop */
function poll(
  { checkingId, token }: OpenInvoice,
  firstMs: number,
  onPaid: () => void,
  onUnpaid: (answer: PaymentState | Trouble) => number | null,
): () => void {
  const leave = during(async (signal) => {
    for (let pauseMs: number | null = firstMs; pauseMs !== null;) {
      await pause(pauseMs, signal)
      const answer = await call(checkPayment, { params: { checkingId }, signal }).catch(troubleOf)
      signal.throwIfAborted()
      if (typeof answer !== 'string' && answer.paid) return paid()
      pauseMs = onUnpaid(answer)
    }
    end()
  })
  const unfollow = followReceipt(token, (receipt) => {
    if (receipt.payment.paid) paid()
  })

  function end(): void {
    leave()
    unfollow()
  }

  function paid(): void {
    end()
    onPaid()
  }

  return end
}

export function troubleOf(error: unknown): Trouble {
  if (!(error instanceof CallError)) return 'server'
  if (error.status === 0) return 'network'
  return error.status === 429 ? 'limits' : 'server'
}
