import { isoIn, isoNow } from '#server/kit/now.ts'
import { type Listening } from './ports.ts'
import { checkHinted, checkNow, type InvoiceChecks } from './check-invoice.service.ts'
import { failAbandoned, isShown, makeAllDue, takeDue } from './payments.store.ts'
import { troubleOf } from '#server/kit/trouble.ts'

const ROUND_MS = 500
/** While more is due than fits into one round. */
const BUSY_ROUND_MS = 10
const LONGEST_ROUND_MS = 15_000
/** Checks at once, so that a slow wallet is not flooded. */
const AT_ONCE = 8
/** How many of these may be of invoices that are over: those whose payer waits now keep their places. */
const MOST_OVER = 2
/** A process that dies while it checks leaves its payments to the others after this. */
const TAKEN_FOR_MS = 30_000
/** Longer than any wallet is waited for (15 s): what is still without an invoice then never gets one. */
const ABANDONED_MS = 45_000
/** Clocks are corrected by less than this all the time. */
const SET_BACK_MS = 1_000

/**
 * Checks every invoice that may still be paid, whether or not a browser asks: at the start all of them, then each when it
 * is due, and at once when the wallet hints at it. Several processes share the work.
 */
export function startPaymentChecks(checks: InvoiceChecks): { readonly stop: () => Promise<void> } {
  const { db, clock, log } = checks
  const { wallet } = checks.walletHealth
  const inFlight = new Set<Promise<unknown>>()
  let overInFlight = 0
  let listening: Listening | null = null
  let timer: NodeJS.Timeout | null = null
  let stopped = false
  let isTroubled = false
  let isFirst = true
  let lastMs = -Infinity
  let waitMs = ROUND_MS

  /** One line when trouble begins; the next one only after a round has gone well. */
  function trouble(error: unknown): void {
    if (isTroubled || stopped) return
    isTroubled = true
    const { said, isLost } = troubleOf(error)
    const text = isLost
      ? 'Payments cannot be checked while the database is away; they are tried again.'
      : `Payments cannot be checked for the moment; they are tried again: ${said}`
    log.warn({}, text)
  }

  function run(work: Promise<unknown>): void {
    const done = work.catch(trouble).finally(() => inFlight.delete(done))
    inFlight.add(done)
  }

  async function begin(): Promise<void> {
    await makeAllDue(db, isoNow(checks))
    isFirst = false
  }

  /** @returns whether more may be due already */
  async function round(): Promise<boolean> {
    const now = clock.now()
    // After a clock was set back, what is due would be checked only when it has caught up.
    if (now < lastMs - SET_BACK_MS) isFirst = true
    if (isFirst) await begin()
    lastMs = now
    const room = AT_ONCE - inFlight.size
    if (room <= 0) return true
    const times = { now: isoNow(checks), until: isoIn(checks, TAKEN_FOR_MS) }
    const open = await takeDue(db, { ...times, which: 'open', most: room })
    for (const payment of open) if (isShown(payment)) run(checkNow(checks, payment))
    if (open.length === room) return true
    const most = Math.min(room - open.length, MOST_OVER - overInFlight)
    const over = most > 0 ? await takeDue(db, { ...times, which: 'over', most }) : []
    for (const payment of over) {
      if (!isShown(payment)) continue
      overInFlight += 1
      run(checkNow(checks, payment).finally(() => (overInFlight -= 1)))
    }
    if (most > 0 && over.length === most) return true
    await failAbandoned(db, isoIn(checks, -ABANDONED_MS))
    return false
  }

  function schedule(): void {
    if (stopped) return
    timer = setTimeout(() => {
      round().then(
        (isBusy) => {
          isTroubled = false
          waitMs = isBusy ? BUSY_ROUND_MS : ROUND_MS
          schedule()
        },
        (error: unknown) => {
          trouble(error)
          waitMs = Math.min(waitMs * 2, LONGEST_ROUND_MS)
          schedule()
        },
      )
    }, waitMs)
  }

  if (wallet) {
    listening =
      wallet.listen?.((paymentHash) => {
        run(
          paymentHash === null ? makeAllDue(db, isoNow(checks)) : checkHinted(checks, paymentHash),
        )
      }) ?? null
    schedule()
  }
  return {
    stop: async () => {
      stopped = true
      if (timer) clearTimeout(timer)
      listening?.close()
      await Promise.allSettled(inFlight)
    },
  }
}
