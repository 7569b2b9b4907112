import { INVOICE_SECONDS, MIN_SATS } from '#domain/money/invoice.ts'
import { failure, type AppError } from '#server/kit/failure.ts'
import { type Clock, type Log } from '#server/kit/ports.ts'
import { type Db } from '#server/kit/db.ts'
import { takeTurn } from '#server/kit/turns.ts'
import { addStart, paymentLoad, startsOf, type PaymentStart } from './payments.store.ts'
import { networkOf, prefixOf } from '#server/http/network-of.ts'

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

const MINUTE_MS = 60_000
const REMEMBERED_MS = INVOICE_SECONDS * 1_000
/** The part of what all share that is kept for newcomers. */
const RESERVED = 0.5
/** Who has begun fewer than this in the last ten minutes, with all of the same prefix, is a newcomer. */
const FEW = 3
/** From here on the log says that the site is about to close itself. */
const NEAR = 0.8

const TOO_MANY_HERE =
  'Too many invoices have been requested from here. Please pay or cancel one, or wait a few minutes.'
const TOO_MANY = 'Many people are submitting at the moment. Please wait a minute.'

export type PaymentLimiter = ReturnType<typeof paymentLimiter>

/**
 * Keeps a few from using up what all share: each address and each prefix has a share, and one half of everything is kept
 * for newcomers. What addresses have begun is counted in the database, for all processes together, and remembered no longer
 * than an invoice lives, by a keyed hash.
 *
 * @param hashOf the keyed hash of a network address
 */
export function paymentLimiter({
  db,
  clock,
  log,
  limits,
  hashOf,
}: {
  db: Db
  clock: Clock
  log: Log
  limits: Omit<PaymentLimits, 'minSats'>
  hashOf: (address: string) => string
}) {
  let saidAt = -Infinity

  /** @returns whether the address is a newcomer. @throws AppError where it, or its prefix, has taken the share of one */
  async function refuseOverShare(on: Db, network: string, prefix: string): Promise<boolean> {
    const now = clock.now()
    // What lies ahead was begun before the clock was set back.
    const span = { from: isoOf(now - REMEMBERED_MS), to: isoOf(now) }
    const neighbours = await startsOf(on, prefix, span)
    const own = neighbours.filter((one) => one.network === network)
    refuseShare(own, now, { aMinute: limits.mostAnAddress, open: limits.mostOpenAnAddress })
    refuseShare(neighbours, now, { aMinute: limits.mostAPrefix, open: limits.mostOpenAPrefix })
    return neighbours.length < FEW
  }

  /** @throws AppError where all together have taken what may be taken */
  async function refuseOverAll(on: Db, isNewcomer: boolean): Promise<void> {
    const now = clock.now()
    const { begun, open, oldest } = await paymentLoad(on, {
      from: new Date(now - MINUTE_MS).toISOString(),
      to: new Date(now).toISOString(),
    })
    if (open >= limits.mostOpen * NEAR && Math.abs(now - saidAt) >= MINUTE_MS) {
      saidAt = now
      const detail = { open, most: limits.mostOpen }
      log.error(
        detail,
        'The limit of open invoices is almost reached: submitting is about to close.',
      )
    }
    const part = isNewcomer ? 1 : RESERVED
    if (begun < limits.mostAMinute * part && open < limits.mostOpen * part) return
    if (isNewcomer)
      log.warn({ begun, open }, 'Invoices are requested faster than the limit allows.')
    throw tooMany(TOO_MANY, oldest === null ? MINUTE_MS : Date.parse(oldest) + MINUTE_MS - now)
  }

  return {
    /**
     * Lets an address begin a payment, if it may.
     *
     * @param begin in the transaction that has counted: others wait, as two at once would both count the same
     *   @returns the id of the payment, or null when none was begun, which then counts for nothing
     * @throws AppError `too_many`, with when to try again
     */
    async admit(
      address: string,
      begin: (tx: Db) => Promise<string | null>,
    ): Promise<string | null> {
      const network = hashOf(networkOf(address))
      const prefix = hashOf(prefixOf(address))
      const refuse = async (on: Db): Promise<void> => {
        await refuseOverAll(on, await refuseOverShare(on, network, prefix))
      }
      // A call that is refused anyway need not wait for the lock.
      await refuse(db)
      return db.transaction(async (tx) => {
        await takeTurn(tx, 'proof-of-price payments')
        await refuse(tx)
        const paymentId = await begin(tx)
        const now = clock.now()
        if (paymentId !== null) {
          const start = { paymentId, network, prefix, at: isoOf(now) }
          await addStart(tx, start, isoOf(now - REMEMBERED_MS))
        }
        return paymentId
      })
    },
  }
}

/** @throws AppError where these have taken the share of one */
function refuseShare(
  begun: readonly PaymentStart[],
  now: number,
  most: { readonly aMinute: number; readonly open: number },
): void {
  const lately = begun.filter((one) => one.at > now - MINUTE_MS)
  const [oldestLately] = lately
  if (lately.length >= most.aMinute) {
    throw tooMany(TOO_MANY_HERE, (oldestLately?.at ?? now) + MINUTE_MS - now)
  }
  const open = begun.filter((one) => one.isOpen)
  const [oldest] = begun
  if (open.length >= most.open) {
    throw tooMany(TOO_MANY_HERE, (oldest?.at ?? now) + REMEMBERED_MS - now)
  }
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString()
}

function tooMany(message: string, waitMs: number): AppError {
  const seconds = Math.ceil(waitMs / 1_000)
  return failure('too_many', message, null, Math.min(Math.max(seconds, 1), INVOICE_SECONDS))
}
