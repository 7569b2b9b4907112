import { INVOICE_SECONDS } from '#domain/invoice.ts'
import { failure } from '#server/errors.ts'
import { type Clock, type Log } from '#server/ports.ts'
import { type Db } from '#server/store/database.ts'
import { countOpen, paymentLoad } from '#server/store/payments.ts'
import { isIPv6 } from 'node:net'

export type PaymentLimits = {
  readonly minSats: number
  /** Invoices that one address may begin in a minute. */
  readonly mostAnAddress: number
  /** Invoices of one address that may stand open at once. */
  readonly mostOpenAnAddress: number
  /** Invoices begun in a minute, by all visitors together. */
  readonly mostAMinute: number
  /** Invoices that may stand open at once. */
  readonly mostOpen: number
}

const MINUTE_MS = 60_000
/** From here on the log says that the site is about to close itself. */
const NEAR = 0.8
const MOST_ADDRESSES = 5_000

/** A payment that an address has begun, or is about to; `id` is null until it stands in the database. */
type Begun = { id: string | null; readonly at: number }

export type PaymentGuard = ReturnType<typeof paymentGuard>

/**
 * Keeps one address from using up what all share. What addresses have begun is remembered by this process alone, and no
 * longer than an invoice lives.
 */
export function paymentGuard({
  db,
  clock,
  log,
  limits,
}: {
  db: Db
  clock: Clock
  log: Log
  limits: Omit<PaymentLimits, 'minSats'>
}) {
  const known = new Map<string, Begun[]>()
  let saidAt = -Infinity

  function recentOf(network: string): Begun[] {
    const now = clock.now()
    const since = now - INVOICE_SECONDS * 1_000
    // What lies ahead was begun before the clock was set back.
    const recent = (known.get(network) ?? []).filter((one) => one.at > since && one.at <= now)
    if (recent.length > 0) known.set(network, recent)
    else known.delete(network)
    return recent
  }

  async function guardOne(others: readonly Begun[], now: number): Promise<void> {
    const lately = others.filter((one) => one.at > now - MINUTE_MS).length
    const ids = others.map((one) => one.id).filter((id) => id !== null)
    const open = others.length - ids.length + (await countOpen(db, ids))
    if (lately < limits.mostAnAddress && open < limits.mostOpenAnAddress) return
    throw failure(
      'too_many',
      'Too many invoices have been asked for from here. Please pay or cancel one, or wait a few minutes.',
    )
  }

  async function guardAll(now: number): Promise<void> {
    const { begun, open } = await paymentLoad(db, {
      from: new Date(now - MINUTE_MS).toISOString(),
      to: new Date(now).toISOString(),
    })
    if (open >= limits.mostOpen * NEAR && Math.abs(now - saidAt) >= MINUTE_MS) {
      saidAt = now
      const detail = { open, most: limits.mostOpen }
      log.error(detail, 'Almost as many invoices stand open as may: submitting is about to close.')
    }
    if (begun < limits.mostAMinute && open < limits.mostOpen) return
    log.warn({ begun, open }, 'Invoices are asked for faster than they may be made.')
    throw failure('too_many', 'Many people are submitting at the moment. Please wait a minute.')
  }

  return {
    /**
     * Lets an address begin a payment, if it may.
     *
     * @param begin @returns the id of the payment, or null when none was begun, which then counts for nothing
     */
    async admit(address: string, begin: () => Promise<string | null>): Promise<string | null> {
      const network = networkOf(address)
      const others = recentOf(network)
      const own: Begun = { id: null, at: clock.now() }
      if (known.size >= MOST_ADDRESSES) for (const one of known.keys()) recentOf(one)
      known.set(network, [...others, own])
      try {
        await guardOne(others, own.at)
        await guardAll(own.at)
        own.id = await begin()
        return own.id
      } finally {
        if (own.id === null) {
          const left = (known.get(network) ?? []).filter((one) => one !== own)
          known.set(network, left)
        }
      }
    },
  }
}

/** What one customer of a provider is given: an IPv4 address, or the first 64 bits of an IPv6 one. */
function networkOf(address: string): string {
  if (!isIPv6(address) || address.includes('.')) return address
  const [head = '', tail] = address.split('::')
  const front = head === '' ? [] : head.split(':')
  const back = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : 8 - front.length - back.length
  const parts = [...front, ...Array.from({ length: zeros }, () => '0'), ...back]
  return parts
    .slice(0, 4)
    .map((part) => Number.parseInt(part, 16).toString(16))
    .join(':')
}
