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

export type PaymentWatcher = {
  readonly paid: () => void
  /** The server has answered that the invoice has ended. */
  readonly ended: () => void
  /** Whether the last look found out anything. */
  readonly known: (isKnown: boolean) => void
}

/** Once an invoice has been asked for as often as it lives, it is asked for so much more seldom. */
const SLOWER = 5

/**
 * Waits for the payment of an invoice: the server pushes it, and is asked in between. Only an answer ends it: while the
 * wallet or the server is away, nothing is known and the asking goes on.
 *
 * @returns ends it
 */
export function watchPayment(
  { checkingId, token }: OpenInvoice,
  { pollMs, polls }: Polling,
  on: PaymentWatcher,
): () => void {
  const stop = new AbortController()
  let asked = 0
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
    if (stop.signal.aborted) return
    asked += 1
    if (state?.paid) finish(on.paid)
    else if (hasEnded(state)) finish(on.ended)
    else {
      on.known(state?.checked === true)
      timer = setTimeout(() => void ask(), asked < polls ? pollMs : pollMs * SLOWER)
    }
  }

  timer = setTimeout(() => void ask(), pollMs)
  return end
}

function hasEnded(state: PaymentState | null): boolean {
  return state?.status === 'expired' || state?.status === 'cancelled' || state?.status === 'failed'
}
