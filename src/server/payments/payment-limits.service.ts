import { INVOICE_SECONDS, MIN_SATS } from '#domain/money/invoice.ts'
import { failure, type AppError } from '#server/kit/failure.ts'
import { type Clock, type Log } from '#server/kit/ports.ts'
import { type Db } from '#server/kit/db.ts'
import { takeTurn } from '#server/kit/turns.ts'
import { countOpen, paymentLoad } from './payments.store.ts'
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

/** A payment that has been begun, or is about to be; `id` is null until it is in the database. */
type Begun = {
  id: string | null
  readonly at: number
  readonly network: string
  readonly prefix: string
}

export type PaymentLimiter = ReturnType<typeof paymentLimiter>

/**
 * Keeps a few from using up what all share: each address and each prefix has a share, and one half of everything is kept
 * for newcomers. What addresses have begun is remembered by this process alone, and no longer than an invoice lives.
 */
export function paymentLimiter({
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
  /** Oldest first. There are no more of them than `mostAMinute` lets in. */
  let remembered: Begun[] = []
  let saidAt = -Infinity

  /** @throws AppError where these have taken the share of one */
  async function refuseOverShare(
    others: readonly Begun[],
    now: number,
    most: { readonly aMinute: number; readonly open: number },
  ): Promise<void> {
    const lately = others.filter((one) => one.at > now - MINUTE_MS)
    const [oldestLately] = lately
    if (lately.length >= most.aMinute) {
      throw tooMany(TOO_MANY_HERE, (oldestLately?.at ?? now) + MINUTE_MS - now)
    }
    if (others.length < most.open) return
    const ids = others.map((one) => one.id).filter((id) => id !== null)
    const open = others.length - ids.length + (await countOpen(db, ids))
    const [oldest] = others
    if (open >= most.open) throw tooMany(TOO_MANY_HERE, (oldest?.at ?? now) + REMEMBERED_MS - now)
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
      const now = clock.now()
      // What lies ahead was begun before the clock was set back.
      remembered = remembered.filter((one) => one.at > now - REMEMBERED_MS && one.at <= now)
      const [network, prefix] = [networkOf(address), prefixOf(address)]
      const neighbours = remembered.filter((one) => one.prefix === prefix)
      const own: Begun = { id: null, at: now, network, prefix }
      remembered.push(own)
      try {
        await refuseOverShare(
          neighbours.filter((one) => one.network === network),
          now,
          { aMinute: limits.mostAnAddress, open: limits.mostOpenAnAddress },
        )
        await refuseOverShare(neighbours, now, {
          aMinute: limits.mostAPrefix,
          open: limits.mostOpenAPrefix,
        })
        const isNewcomer = neighbours.length < FEW
        // A call that is refused anyway need not wait for the lock.
        await refuseOverAll(db, isNewcomer)
        const id = await db.transaction(async (tx) => {
          await takeTurn(tx, 'proof-of-price payments')
          await refuseOverAll(tx, isNewcomer)
          return begin(tx)
        })
        own.id = id
        return id
      } finally {
        if (own.id === null) remembered = remembered.filter((one) => one !== own)
      }
    },
  }
}

function tooMany(message: string, waitMs: number): AppError {
  const seconds = Math.ceil(waitMs / 1_000)
  return failure('too_many', message, null, Math.min(Math.max(seconds, 1), INVOICE_SECONDS))
}
