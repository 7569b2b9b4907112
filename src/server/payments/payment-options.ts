import { type paymentOptions } from '#contracts/payments.ts'
import { DEFAULT_SATS, MAX_SATS, QUICK_PICKS, usdOfSats } from '#domain/money/invoice.ts'
import { type z } from 'zod'
import { type PaymentsKit } from './payments-kit.ts'
import { type NoticeWays } from './receipts.service.ts'

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
  { walletHealth, minSats }: Pick<PaymentsKit, 'walletHealth' | 'minSats'>,
  ways: NoticeWays,
  {
    btcUsd,
    canStore,
    reportDepositSats,
  }: { btcUsd: number | null; canStore: boolean; reportDepositSats: number },
): z.input<typeof paymentOptions.reply> {
  const because = canStore ? walletHealth.closedBecause() : CANNOT_STORE
  return {
    open: because === null,
    closed_because: because,
    checking: walletHealth.isChecking(),
    demonstration: walletHealth.wallet?.isDemonstration ?? false,
    network: walletHealth.wallet?.network ?? null,
    min_sats: minSats,
    max_sats: MAX_SATS,
    default_sats: Math.max(DEFAULT_SATS, minSats),
    quick_picks: QUICK_PICKS.filter((sats) => sats >= minSats),
    usd_per_sat: usdOfSats(1, btcUsd),
    usd_is_guess: btcUsd === null,
    report_deposit_sats: reportDepositSats,
    poll_ms: POLL_MS,
    polls: POLLS,
    notices: ways,
  }
}
