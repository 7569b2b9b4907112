import { randomBytes } from 'node:crypto'
import { and, count, eq, gt, lte, min, type SQL } from 'drizzle-orm'
import { rateLimitEntries } from '#server/database/schema/kit.ts'
import { type Db, acquireLock } from './db.ts'
import { setFactOnce } from './facts.ts'
import { failure } from './failure.ts'
import { type Log } from './log.ts'
import { networkOf, prefixOf } from './reach.ts'
import { type Clock } from './time.ts'
import { addressHash } from './tokens.ts'

export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS
const SALT_FACT = 'salt of limits'
/** Fraction of the common limit reserved for newcomers. */
const RESERVED = 0.5
/** A prefix with fewer entries is a newcomer. */
const FEW = 3
/** Usage at which the log warns. */
const NEAR = 0.8

type Share = {
  /**
   * What is counted together: see `networkOf` and `prefixOf`; `subject` is the call's subject; half of `all` is
   * reserved for newcomers.
   */
  readonly of: 'network' | 'prefix' | 'subject' | 'all'
  readonly most: number
  readonly withinMs: number
  /** Message when exhausted. Null if callers must not learn of it: `enter` then returns false. */
  readonly message: string | null
  /** Counts only matching entries. */
  readonly still?: SQL
}

/** A public call and its limits. */
export type RateLimit = { readonly name: string; readonly shares: readonly Share[] }
/** The address is null for calls by the program itself. */
export type Caller = { readonly address: string | null; readonly subject?: string }

export type Limiter = ReturnType<typeof openLimiter>

/**
 * Rate limits counted in the database by keyed hashes, so that they apply across processes. Networks, prefixes
 * and subjects have their own limits, and half of the common one is reserved for new prefixes.
 */
export function openLimiter({ db, clock, log }: { db: Db; clock: Clock; log: Log }) {
  let salt: Promise<string> | null = null
  const loggedAt = new Map<string, number>()
  const isoAt = (ms: number): string => new Date(ms).toISOString()

  async function keysOf({ address, subject }: Caller) {
    salt ??= setFactOnce(db, SALT_FACT, randomBytes(32).toString('hex'))
    const key = await salt.catch((error: unknown) => {
      salt = null
      throw error
    })
    const hash = (text: string | null | undefined) => (text == null ? null : addressHash(key, text))
    return {
      network: hash(address && networkOf(address)),
      prefix: hash(address && prefixOf(address)),
      subject: hash(subject),
    }
  }

  async function counted(
    on: Db,
    { name }: RateLimit,
    { withinMs, still }: Pick<Share, 'withinMs' | 'still'>,
    of?: SQL,
  ) {
    const now = clock.now()
    const { limit, at } = rateLimitEntries
    const [row] = await on
      .select({ n: count(), first: min(at) })
      .from(rateLimitEntries)
      // Entries in the future date from before the clock was set back.
      .where(and(eq(limit, name), gt(at, isoAt(now - withinMs)), lte(at, isoAt(now)), of, still))
    const waitMs = Date.parse(row?.first ?? '') + withinMs - now || withinMs
    return { n: row?.n ?? 0, waitS: Math.max(1, Math.ceil(waitMs / 1_000)) }
  }

  function noteNear(limit: RateLimit, { most }: Share, n: number): void {
    const last = loggedAt.get(limit.name) ?? -Infinity
    if (n < most * NEAR || Math.abs(clock.now() - last) < MINUTE_MS) return
    loggedAt.set(limit.name, clock.now())
    log.error({ limit: limit.name, n, most }, 'A limit shared by all visitors is almost reached.')
  }

  /** @returns an exhausted limit without a message, if any @throws AppError `too_many` with a retry time */
  async function usedUp(on: Db, limit: RateLimit, keys: Awaited<ReturnType<typeof keysOf>>) {
    let used: 'subject' | null = null
    const of = (who: 'network' | 'prefix' | 'subject'): SQL =>
      eq(rateLimitEntries[who], keys[who] ?? '')
    for (const share of limit.shares) {
      if (share.of !== 'all' && keys[share.of] === null) continue
      const { n, waitS } = await counted(
        on,
        limit,
        share,
        share.of === 'all' ? undefined : of(share.of),
      )
      let part = 1
      if (share.of === 'all') {
        noteNear(limit, share, n)
        const withinMs = longest(limit)
        const isKnown = n >= share.most * RESERVED && keys.prefix !== null
        if (isKnown && (await counted(on, limit, { withinMs }, of('prefix'))).n >= FEW)
          part = RESERVED
      }
      if (n < share.most * part) continue
      if (share.message !== null) throw failure('too_many', share.message, null, waitS)
      if (share.of !== 'subject') return 'other'
      used = 'subject'
    }
    return used
  }

  return {
    /** Like `enter`, but without counting, for calls that are refused anyway. */
    async refuse(on: Db, limit: RateLimit, caller: Caller): Promise<void> {
      await usedUp(on, limit, await keysOf(caller))
    },

    /**
     * Counts a call. Concurrent calls wait for the transaction, as they would count the same entries.
     * @param begin returns the id of the created row; null does not count
     * @returns false if a limit without a message is exhausted
     * @throws AppError `too_many` with a retry time
     */
    async enter(
      tx: Db,
      limit: RateLimit,
      caller: Caller,
      begin: () => Promise<string | null | undefined> = async () => undefined,
    ): Promise<boolean> {
      const keys = await keysOf(caller)
      await acquireLock(tx, `proof-of-price ${limit.name}`)
      const used = await usedUp(tx, limit, keys)
      const ref = used === 'other' ? null : await begin()
      if (ref === null) return used === null
      const now = clock.now()
      const { name } = limit
      await tx
        .delete(rateLimitEntries)
        .where(
          and(
            eq(rateLimitEntries.limit, name),
            lte(rateLimitEntries.at, isoAt(now - longest(limit))),
          ),
        )
      // Otherwise callers could tell from their own limits that the subject's is exhausted.
      const subject = used === null ? keys.subject : null
      const entry = { ...keys, subject, limit: name, at: isoAt(now), ref: ref ?? null }
      await tx.insert(rateLimitEntries).values(entry)
      return used === null
    },

    /** Removes an entry that should not have been counted. */
    async leave(on: Db, ref: string): Promise<void> {
      await on.delete(rateLimitEntries).where(eq(rateLimitEntries.ref, ref))
    },
  }
}

export async function forgetEntries(db: Db, before: string): Promise<void> {
  await db.delete(rateLimitEntries).where(lte(rateLimitEntries.at, before))
}

function longest({ shares }: RateLimit): number {
  return Math.max(...shares.map(({ withinMs }) => withinMs))
}
