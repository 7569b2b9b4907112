import { type testX, type xRateLimit } from '#contracts/publishing.ts'
import { type Clock } from '#server/kit/ports.ts'
import {
  type NotPosted,
  type XLimit,
  type XLimits,
  type XPublisher,
} from '#server/publishing/ports.ts'
import { type Db } from '#server/kit/db.ts'
import {
  noteXAccount,
  xAccount,
  type XAccount,
} from '#server/publishing/publishing-settings.store.ts'
import { type z } from 'zod'

const ASK_WITHIN_MS = 15_000
/** X takes money for each time it is asked who we are. */
const KNOWN_FOR_MS = 24 * 3_600_000
const REFUSED_FOR_MS = 60_000
const NAME_AGAIN_MS = 3_600_000
const MINUTE_MS = 60_000

export const NO_X =
  'X is not set up. Set X_API_KEY, X_API_SECRET, X_ACCESS_TOKEN and X_ACCESS_SECRET (see .env.example) and start the server again.'

export type XDesk = ReturnType<typeof xDesk>

/**
 * What is known of the account on X, shared by all processes and kept across restarts.
 *
 * @param account who posts, and the SHA-256 by which its keys are known; null where no keys are set up
 */
export function xDesk({
  db,
  clock,
  account,
}: {
  db: Db
  clock: Clock
  account: { readonly publisher: XPublisher; readonly keyHash: string } | null
}) {
  const isoNow = (): string => new Date(clock.now()).toISOString()
  let asking: Promise<XAccount | null> | null = null
  let nameAskedAt = -Infinity

  async function ask(known: { publisher: XPublisher; keyHash: string }): Promise<XAccount | null> {
    const told = await known.publisher.whoAmI(AbortSignal.timeout(ASK_WITHIN_MS))
    const values =
      told.state === 'known'
        ? { handle: told.handle, error: null, checkedAt: isoNow() }
        : { error: told.message, checkedAt: isoNow() }
    await noteXAccount(db, known.keyHash, values)
    return xAccount(db, known.keyHash)
  }

  /** Keys that are known to be good stay so where X does not tell the name now. */
  async function learnName(
    known: { publisher: XPublisher; keyHash: string },
    row: XAccount,
  ): Promise<XAccount> {
    if (clock.now() - nameAskedAt < NAME_AGAIN_MS) return row
    nameAskedAt = clock.now()
    const told = await known.publisher.whoAmI(AbortSignal.timeout(ASK_WITHIN_MS))
    if (told.state !== 'known') return row
    await noteXAccount(db, known.keyHash, { handle: told.handle })
    return { ...row, handle: told.handle }
  }

  return {
    publisher: account?.publisher ?? null,

    async test(): Promise<z.input<typeof testX.reply>> {
      if (!account) {
        return { success: false, error: NO_X, configured: false, handle: null, checked_at: null }
      }
      let row = await xAccount(db, account.keyHash)
      const ageMs = row?.checkedAt ? clock.now() - Date.parse(row.checkedAt) : Infinity
      const keepMs = row?.error === null ? KNOWN_FOR_MS : REFUSED_FOR_MS
      if (!(ageMs >= 0 && ageMs < keepMs)) {
        asking ??= ask(account).finally(() => {
          asking = null
        })
        row = await asking
      } else if (row?.error === null && row.handle === null) {
        // A post that went out before anybody asked proves the keys, and does not tell whose they are.
        row = await learnName(account, row)
      }
      return {
        success: row?.error === null,
        error: row ? row.error : 'X has not been asked yet.',
        configured: true,
        handle: row?.handle ?? null,
        checked_at: row?.checkedAt ? new Date(row.checkedAt).toISOString() : null,
      }
    },

    async rateLimit(): Promise<z.input<typeof xRateLimit.reply>> {
      if (!account) {
        const none = { remaining: null, limit: null, minutesUntilReset: null, told_at: null }
        return { success: false, canPost: false, ...none, error: NO_X }
      }
      const row = await xAccount(db, account.keyHash)
      const tightest = tightestOf(row?.limits ?? null, clock.now())
      return {
        success: true,
        canPost: (tightest?.remaining ?? 1) > 0,
        remaining: tightest?.remaining ?? null,
        limit: tightest?.limit ?? null,
        minutesUntilReset:
          tightest?.resetMs == null
            ? null
            : Math.max(Math.ceil((tightest.resetMs - clock.now()) / MINUTE_MS), 0),
        error: null,
        told_at: row?.limitsAt ? new Date(row.limitsAt).toISOString() : null,
      }
    },

    /** Until when X takes no post, as it said itself; null when it may be asked. */
    async closedUntil(): Promise<number | null> {
      const row = account && (await xAccount(db, account.keyHash))
      const tightest = tightestOf(row?.limits ?? null, clock.now())
      return tightest?.remaining === 0 ? tightest.resetMs : null
    },

    async noteLimits(limits: XLimits): Promise<void> {
      if (!account) return
      await noteXAccount(db, account.keyHash, { limits, limitsAt: isoNow() })
    },

    /** Learns from a post whether the keys are good. */
    async noteOutcome(outcome: { readonly state: 'posted' } | NotPosted): Promise<void> {
      if (!account) return
      if (outcome.state === 'posted') {
        await noteXAccount(db, account.keyHash, { error: null, checkedAt: isoNow() })
      } else if (outcome.state === 'refused' && ['keys', 'no-credit'].includes(outcome.reason)) {
        await noteXAccount(db, account.keyHash, { error: outcome.message, checkedAt: isoNow() })
      }
    },
  }
}

/**
 * What is left of the narrowest window: one that has ended meanwhile is full again. Of those that are used up, the one
 * that opens last counts.
 */
function tightestOf(
  limits: XLimits | null,
  now: number,
): { limit: number; remaining: number; resetMs: number | null } | null {
  if (!limits) return null
  const windows = [limits.window, limits.appDay, limits.userDay]
    .filter((one): one is XLimit => one !== null)
    .map((one) =>
      one.resetMs > now ? one : { limit: one.limit, remaining: one.limit, resetMs: null },
    )
  const [first] = windows.toSorted(
    (a, b) => a.remaining - b.remaining || (b.resetMs ?? 0) - (a.resetMs ?? 0),
  )
  return first ?? null
}
