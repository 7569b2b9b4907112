import { randomBytes } from 'node:crypto'
import { setFactOnce } from '#server/kit/facts.ts'
import { type Kit } from '#server/kit/kit.ts'
import { type CorrectionsLog } from '#server/corrections/corrections-log.service.ts'
import { type PaymentsKit } from '#server/payments/payments-kit.ts'
import { type Snapshot } from '#server/predictions/catalog.service.ts'

const SALT_FACT = 'salt of reports'

/** What reports need. */
export type ReportsKit = Pick<Kit, 'db' | 'clock' | 'log'> & {
  readonly snapshot: () => Snapshot
  readonly corrections: Pick<CorrectionsLog, 'narrowed'>
  readonly payments: PaymentsKit
  /** What a report costs, sats; 0: nothing. */
  readonly depositSats: number
  /** Of the hashes of networks; the same in every process. */
  readonly salt: () => Promise<string>
}

export function reportsKit(
  { db, clock, log }: Pick<Kit, 'db' | 'clock' | 'log'>,
  parts: Pick<ReportsKit, 'snapshot' | 'corrections' | 'payments' | 'depositSats'>,
): ReportsKit {
  const salt = () => setFactOnce(db, SALT_FACT, randomBytes(32).toString('hex'))
  return { db, clock, log, salt, ...parts }
}
