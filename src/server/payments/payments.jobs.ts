import { type Clock, type Log } from '#server/kit/ports.ts'
import { type WatchHandle } from './ports.ts'
import { type PaymentLooks } from './settle-payment.service.ts'
import { type WalletDesk } from './wallet-account.service.ts'
import { type Db } from '#server/kit/db.ts'
import { failAbandoned, isShown, makeAllDue, takeDue } from './payments.store.ts'
import { troubleOf } from '#server/kit/trouble.ts'

const ROUND_MS = 500
/** While more is due than fits into one round. */
const BUSY_ROUND_MS = 10
const LONGEST_ROUND_MS = 15_000
/** Looks at once, so that a slow wallet is not flooded. */
const AT_ONCE = 8
/** Of these such that are over: however many there are, those whose payer waits now keep their places. */
const MOST_OVER = 2
/** A process that dies while it looks leaves its payments to the others after this. */
const TAKEN_FOR_MS = 30_000
/** Longer than any wallet is waited for (15 s): what is still without an invoice then never gets one. */
const ABANDONED_MS = 45_000
/** Clocks are corrected by less than this all the time. */
const SET_BACK_MS = 1_000

export type PaymentWatch = { readonly stop: () => Promise<void> }

/**
 * Looks after every invoice that may still be paid, whether or not a browser does: at the start all of them, then each
 * when it is due, and at once when the wallet hints at it. Several processes share the work.
 */
export function startPaymentWatch({
  db,
  clock,
  log,
  desk,
  looks,
}: {
  db: Db
  clock: Clock
  log: Log
  desk: Pick<WalletDesk, 'wallet'>
  looks: PaymentLooks
}): PaymentWatch {
  const isoIn = (ms: number): string => new Date(clock.now() + ms).toISOString()
  const inFlight = new Set<Promise<unknown>>()
  let overInFlight = 0
  let handle: WatchHandle | null = null
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
      ? 'Payments cannot be looked after while the database is away; they are tried again.'
      : `Payments cannot be looked after for the moment; they are tried again: ${said}`
    log.warn({}, text)
  }

  function run(work: Promise<unknown>): void {
    const guarded = work.catch(trouble).finally(() => inFlight.delete(guarded))
    inFlight.add(guarded)
  }

  async function begin(): Promise<void> {
    await makeAllDue(db, isoIn(0))
    isFirst = false
  }

  /** @returns whether more may be due already */
  async function round(): Promise<boolean> {
    const now = clock.now()
    // After a clock was set back, what is due would be looked at only when it has caught up.
    if (now < lastMs - SET_BACK_MS) isFirst = true
    if (isFirst) await begin()
    lastMs = now
    const room = AT_ONCE - inFlight.size
    if (room <= 0) return true
    const times = { now: isoIn(0), until: isoIn(TAKEN_FOR_MS) }
    const open = await takeDue(db, { ...times, which: 'open', most: room })
    for (const payment of open) if (isShown(payment)) run(looks.look(payment))
    if (open.length === room) return true
    const most = Math.min(room - open.length, MOST_OVER - overInFlight)
    const over = most > 0 ? await takeDue(db, { ...times, which: 'over', most }) : []
    for (const payment of over) {
      if (!isShown(payment)) continue
      overInFlight += 1
      run(looks.look(payment).finally(() => (overInFlight -= 1)))
    }
    if (most > 0 && over.length === most) return true
    await failAbandoned(db, isoIn(-ABANDONED_MS))
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

  if (desk.wallet) {
    handle =
      desk.wallet.watch?.((paymentHash) => {
        run(paymentHash === null ? makeAllDue(db, isoIn(0)) : looks.hint(paymentHash))
      }) ?? null
    schedule()
  }
  return {
    stop: async () => {
      stopped = true
      if (timer) clearTimeout(timer)
      handle?.close()
      await Promise.allSettled(inFlight)
    },
  }
}
