import { type paymentOptions } from '#contracts/payments.ts'
import { DEFAULT_SATS, MAX_SATS, QUICK_PICKS, usdOfSats } from '#domain/money/invoice.ts'
import { type z } from 'zod'
import { type PaymentLimits } from './payments.service.ts'
import { type NoticeWays } from './receipts.service.ts'
import { type WalletDesk } from './wallet-account.service.ts'

const CANNOT_STORE =
  'Submitting is closed for the moment: the site cannot store anything. Nothing is lost.'

/** Every 2 seconds, up to 300 times (public-site.md §9). */
const POLL_MS = 2_000
const POLLS = 300

/**
 * Whether and how submissions can be paid.
 *
 * @param btcUsd the last known price; null where none is known
 * @param canStore false while the database is away or its disk is full
 */
export function optionsOf(
  { desk, limits, ways }: { desk: WalletDesk; limits: PaymentLimits; ways: NoticeWays },
  { btcUsd, canStore }: { btcUsd: number | null; canStore: boolean },
): z.input<typeof paymentOptions.reply> {
  const because = canStore ? desk.closedBecause() : CANNOT_STORE
  return {
    open: because === null,
    closed_because: because,
    checking: desk.isChecking(),
    demonstration: desk.wallet?.isDemonstration ?? false,
    network: desk.wallet?.network ?? null,
    min_sats: limits.minSats,
    max_sats: MAX_SATS,
    default_sats: Math.max(DEFAULT_SATS, limits.minSats),
    quick_picks: QUICK_PICKS.filter((sats) => sats >= limits.minSats),
    usd_per_sat: usdOfSats(1, btcUsd),
    usd_is_guess: btcUsd === null,
    poll_ms: POLL_MS,
    polls: POLLS,
    notices: ways,
  }
}
