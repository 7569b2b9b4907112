import { followReceipt, paymentState, type PaymentState } from '#web/api/payments.ts'

/** An invoice that waits for its sats. */
export type OpenInvoice = {
  readonly bolt11: string
  readonly checkingId: string
  readonly sats: number
  /** By the clock of this machine, milliseconds since 1970. */
  readonly endsAt: number
  readonly demonstration: boolean
  /** Opens the receipt. */
  readonly token: string
}

/** How often the server is asked, and how many times at the most (public-site.md §4). */
export type Polling = { readonly pollMs: number; readonly polls: number }

export type PaymentWatcher = { readonly paid: () => void; readonly ended: () => void }

/** How often a payment is asked for once its invoice has ended, before the page gives up. */
const LAST_LOOKS = 2

/**
 * Waits for the payment of an invoice: the server pushes it, and is asked in between. An answer that does not come counts
 * as not paid.
 *
 * @returns ends it
 */
export function watchPayment(
  { checkingId, endsAt, token }: OpenInvoice,
  { pollMs, polls }: Polling,
  on: PaymentWatcher,
): () => void {
  const stop = new AbortController()
  let asked = 0
  let after = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  const unfollow = followReceipt(token, (receipt) => {
    if (receipt.payment.paid) finish(on.paid)
  })

  function end(): void {
    stop.abort()
    clearTimeout(timer)
    unfollow()
  }

  function finish(tell: () => void): void {
    if (stop.signal.aborted) return
    end()
    tell()
  }

  async function ask(): Promise<void> {
    const state = await paymentState(checkingId, stop.signal).catch(() => null)
    asked += 1
    if (Date.now() >= endsAt) after += 1
    if (state?.paid) finish(on.paid)
    else if (asked >= polls || after >= LAST_LOOKS || hasEnded(state)) finish(on.ended)
    else if (!stop.signal.aborted) timer = setTimeout(() => void ask(), pollMs)
  }

  timer = setTimeout(() => void ask(), pollMs)
  return end
}

function hasEnded(state: PaymentState | null): boolean {
  return state?.status === 'expired' || state?.status === 'cancelled' || state?.status === 'failed'
}
