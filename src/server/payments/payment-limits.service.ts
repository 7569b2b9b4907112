import { INVOICE_SECONDS, MIN_SATS } from '#domain/money/invoice.ts'
import { type Db } from '#server/kit/db.ts'
import { MINUTE_MS, type Door, type Limiter } from '#server/kit/limiter.ts'
import { ENTRY_IS_OPEN } from './payments.store.ts'

export type PaymentLimits = {
  readonly minSats: number
  /** Invoices that one address may begin in a minute. */
  readonly mostAnAddress: number
  /** Invoices of one address that may be open at once. */
  readonly mostOpenAnAddress: number
  /** The same for all addresses of one prefix together: see `prefixOf`. */
  readonly mostAPrefix: number
  readonly mostOpenAPrefix: number
  /** Invoices begun in a minute, by all visitors together. */
  readonly mostAMinute: number
  /** Invoices that may be open at once. */
  readonly mostOpen: number
}

export const PAYMENT_LIMITS: PaymentLimits = {
  minSats: MIN_SATS,
  mostAnAddress: 12,
  mostOpenAnAddress: 10,
  mostAPrefix: 30,
  mostOpenAPrefix: 40,
  mostAMinute: 120,
  mostOpen: 1_000,
}

const OPEN = { withinMs: INVOICE_SECONDS * 1_000, still: ENTRY_IS_OPEN } as const
const HERE =
  'Too many invoices have been requested from here. Please pay or cancel one, or wait a few minutes.'
const ALL = 'Many people are submitting at the moment. Please wait a minute.'

export type PaymentLimiter = ReturnType<typeof paymentLimiter>

/** Keeps a few from using up the invoices that all share. */
export function paymentLimiter(
  { db, limiter }: { db: Db; limiter: Limiter },
  limits: Omit<PaymentLimits, 'minSats'>,
) {
  const lately = { withinMs: MINUTE_MS }
  const door: Door = {
    name: 'payments',
    shares: [
      { of: 'network', most: limits.mostAnAddress, said: HERE, ...lately },
      { of: 'network', most: limits.mostOpenAnAddress, said: HERE, ...OPEN },
      { of: 'prefix', most: limits.mostAPrefix, said: HERE, ...lately },
      { of: 'prefix', most: limits.mostOpenAPrefix, said: HERE, ...OPEN },
      { of: 'all', most: limits.mostAMinute, said: ALL, ...lately },
      { of: 'all', most: limits.mostOpen, said: ALL, ...OPEN },
    ],
  }
  return {
    /**
     * Lets an address begin a payment, if it may.
     *
     * @param begin in the transaction that has counted
     *   @returns the id of the payment, or null when none was begun, which then counts for nothing
     * @throws AppError `too_many`, with when to try again
     */
    async admit(
      address: string,
      begin: (tx: Db) => Promise<string | null>,
    ): Promise<string | null> {
      await limiter.refuse(db, door, { address })
      let begun: string | null = null
      await db.transaction((tx) =>
        limiter.enter(tx, door, { address }, async () => (begun = await begin(tx))),
      )
      return begun
    },
  }
}
