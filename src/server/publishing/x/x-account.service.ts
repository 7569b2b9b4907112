import { type testX, type xRateLimit } from '#contracts/publishing.ts'
import { isoOrNull } from '#server/kit/iso.ts'
import { type Kit } from '#server/kit/kit.ts'
import { isoNow } from '#server/kit/now.ts'
import {
  type NotPosted,
  type XLimit,
  type XLimits,
  type XPublisher,
} from '#server/publishing/ports.ts'
import {
  noteXAccount,
  storedXAccount,
  type StoredXAccount,
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

export type XAccount = ReturnType<typeof xAccount>

/**
 * What is known of the account on X, shared by all processes and kept across restarts.
 *
 * @param keyHash the SHA-256 by which the account's keys are known
 */
export function xAccount({
  db,
  clock,
  publisher,
  keyHash,
}: Pick<Kit, 'db' | 'clock'> & { publisher: XPublisher; keyHash: string }) {
  let asking: Promise<StoredXAccount | null> | null = null
  let nameAskedAt = -Infinity
  const note = (values: Parameters<typeof noteXAccount>[2]) => noteXAccount(db, keyHash, values)
  const stored = () => storedXAccount(db, keyHash)

  async function ask(): Promise<StoredXAccount | null> {
    const answer = await publisher.whoAmI(AbortSignal.timeout(ASK_WITHIN_MS))
    const checkedAt = isoNow({ clock })
    await note(
      answer.state === 'known'
        ? { handle: answer.handle, error: null, checkedAt }
        : { error: answer.message, checkedAt },
    )
    return stored()
  }

  /** Keys that are known to be good stay so where X does not give the name now. */
  async function learnName(row: StoredXAccount): Promise<StoredXAccount> {
    if (clock.now() - nameAskedAt < NAME_AGAIN_MS) return row
    nameAskedAt = clock.now()
    const answer = await publisher.whoAmI(AbortSignal.timeout(ASK_WITHIN_MS))
    if (answer.state !== 'known') return row
    await note({ handle: answer.handle })
    return { ...row, handle: answer.handle }
  }

  return {
    publisher,

    async test(): Promise<z.input<typeof testX.reply>> {
      let row = await stored()
      const ageMs = row?.checkedAt ? clock.now() - Date.parse(row.checkedAt) : Infinity
      const keepMs = row?.error === null ? KNOWN_FOR_MS : REFUSED_FOR_MS
      if (!(ageMs >= 0 && ageMs < keepMs)) {
        asking ??= ask().finally(() => {
          asking = null
        })
        row = await asking
      } else if (row?.error === null && row.handle === null) {
        // A post that went out before the first check proves the keys, and does not say whose they are.
        row = await learnName(row)
      }
      return {
        success: row?.error === null,
        error: row ? row.error : 'X has not been asked yet.',
        configured: true,
        handle: row?.handle ?? null,
        checked_at: isoOrNull(row?.checkedAt ?? null),
      }
    },

    async rateLimit(): Promise<z.input<typeof xRateLimit.reply>> {
      const row = await stored()
      const { remaining, limit, resetMs } = tightestOf(row?.limits ?? null, clock.now())
      return {
        success: true,
        canPost: (remaining ?? 1) > 0,
        remaining,
        limit,
        minutesUntilReset:
          resetMs === null ? null : Math.max(Math.ceil((resetMs - clock.now()) / MINUTE_MS), 0),
        error: null,
        told_at: isoOrNull(row?.limitsAt ?? null),
      }
    },

    /** Until when X takes no post, as it said itself; null when it may be asked. */
    async closedUntil(): Promise<number | null> {
      const { remaining, resetMs } = tightestOf((await stored())?.limits ?? null, clock.now())
      return remaining === 0 ? resetMs : null
    },

    noteLimits: (limits: XLimits): Promise<void> => note({ limits, limitsAt: isoNow({ clock }) }),

    /** Learns from a post whether the keys are good. */
    async noteOutcome(outcome: { readonly state: 'posted' } | NotPosted): Promise<void> {
      const checkedAt = isoNow({ clock })
      if (outcome.state === 'posted') await note({ error: null, checkedAt })
      else if (outcome.state === 'refused' && ['keys', 'no-credit'].includes(outcome.reason)) {
        await note({ error: outcome.message, checkedAt })
      }
    },
  }
}

/**
 * What is left of the narrowest window; one that has ended since is full again. Of those that are used up, the one that
 * opens last counts. All null where X has given no limits.
 */
function tightestOf(
  limits: XLimits | null,
  now: number,
): { limit: number | null; remaining: number | null; resetMs: number | null } {
  const windows = [limits?.window, limits?.appDay, limits?.userDay]
    .filter((one): one is XLimit => Boolean(one))
    .map((one) =>
      one.resetMs > now ? one : { limit: one.limit, remaining: one.limit, resetMs: null },
    )
  const [first] = windows.toSorted(
    (a, b) => a.remaining - b.remaining || (b.resetMs ?? 0) - (a.resetMs ?? 0),
  )
  return first ?? { limit: null, remaining: null, resetMs: null }
}
