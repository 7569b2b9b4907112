import { type Kit } from '#server/kit/kit.ts'
import { type Tokens } from '#server/kit/tokens.ts'
import { type InvoiceChecks } from './check-invoice.service.ts'
import { type PaymentLimiter } from './payment-limits.service.ts'
import { type WalletHealth } from './wallet-health.service.ts'

/** What the calls of paying share. */
export type PaymentsKit = Pick<Kit, 'db' | 'clock' | 'log'> & {
  readonly walletHealth: WalletHealth
  readonly checks: InvoiceChecks
  readonly limiter: PaymentLimiter
  readonly minSats: number
  readonly tokens: Tokens
  /** Where a wallet may report that something has happened to a payment; null where it could not reach us. */
  readonly hintUrl: (checkingId: string) => string | null
}
