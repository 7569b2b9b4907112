import { type Kit } from '#server/kit/kit.ts'
import { openLimiter, type Limiter } from '#server/kit/limiter.ts'
import { type CorrectionsLog } from '#server/corrections/corrections-log.service.ts'
import { type PaymentsKit } from '#server/payments/payments-kit.ts'
import { type PublicRecord } from '#server/record/record.service.ts'

/** What reports need. */
export type ReportsKit = Pick<Kit, 'db' | 'clock' | 'log'> & {
  readonly record: Pick<PublicRecord, 'byIds' | 'find' | 'refresh'>
  readonly corrections: Pick<CorrectionsLog, 'narrowed'>
  readonly payments: PaymentsKit
  /** What a report costs, sats; 0: nothing. */
  readonly depositSats: number
  readonly limiter: Limiter
}

export function reportsKit(
  kit: Pick<Kit, 'db' | 'clock' | 'log'>,
  parts: Pick<ReportsKit, 'record' | 'corrections' | 'payments' | 'depositSats'>,
): ReportsKit {
  const { db, clock, log } = kit
  return { db, clock, log, limiter: openLimiter(kit), ...parts }
}
