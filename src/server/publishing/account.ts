import { eq } from 'drizzle-orm'
import { type z } from 'zod'
import { type testX, type xRateLimit } from '#contracts/publishing.ts'
import { NETWORK_NAMES, type SocialNetwork } from '#domain/publishing/social-post.ts'
import { socialAccounts } from '#server/database/schema/publishing.ts'
import { type Kit } from '#server/kit/kit.ts'
import { messageOf } from '#server/kit/text.ts'
import { isoOrNull, isoNow } from '#server/kit/time.ts'
import {
  PostFault,
  type AccountParts,
  type NotPosted,
  type Publisher,
  type XLimit,
  type XLimits,
} from './ports.ts'

const ASK_WITHIN_MS = 15_000
const MINUTE_MS = 60_000
/** X charges for looking up the account; Bluesky only counts it. */
const KNOWN_FOR_MS = { x: 24 * 60 * MINUTE_MS, bluesky: MINUTE_MS }
const REFUSED_FOR_MS = MINUTE_MS
const NAME_AGAIN_MS = 60 * MINUTE_MS

export type SocialAccount = ReturnType<typeof socialAccount>
type Stored = typeof socialAccounts.$inferSelect

/** The account's state, stored for all processes. */
export function socialAccount(
  { db, clock, log }: Pick<Kit, 'db' | 'clock' | 'log'>,
  network: Exclude<SocialNetwork, 'nostr'>,
  { publisher, keyHash }: AccountParts,
) {
  let asking: Promise<Stored | undefined> | null = null
  let nameReadAt = -Infinity

  async function read(): Promise<Stored | undefined> {
    const rows = await db.select().from(socialAccounts).where(eq(socialAccounts.keyHash, keyHash))
    return rows[0]
  }

  async function note(values: Partial<Omit<Stored, 'keyHash'>>): Promise<Stored | undefined> {
    const rows = await db
      .insert(socialAccounts)
      .values({ keyHash, ...values })
      .onConflictDoUpdate({ target: socialAccounts.keyHash, set: values })
      .returning()
    return rows[0]
  }

  const whoAmI = (): Promise<string | NotPosted> =>
    publisher.whoAmI(AbortSignal.timeout(ASK_WITHIN_MS)).catch((error: unknown) => {
      if (error instanceof PostFault) return error.not
      throw error
    })

  async function ask(): Promise<Stored | undefined> {
    const answer = await whoAmI()
    const checkedAt = isoNow({ clock })
    return note(
      typeof answer === 'string'
        ? { handle: answer, error: null, checkedAt }
        : { error: answer.message, checkedAt },
    )
  }

  /** A post sent before the first check proves the keys, but not the account's name. */
  async function learnName(row: Stored): Promise<Stored | undefined> {
    if (clock.now() - nameReadAt < NAME_AGAIN_MS) return row
    nameReadAt = clock.now()
    const handle = await whoAmI()
    return typeof handle === 'string' ? note({ handle }) : row
  }

  /** Stores the account's limits and the validity of its keys after a post; never fails the post. */
  async function learn(fault: NotPosted | null, ownLimits: XLimits | null): Promise<void> {
    const isOfKeys = fault?.state === 'refused' && ['keys', 'no-credit'].includes(fault.reason)
    const at = isoNow({ clock })
    // A refusal only tells when posts are accepted again.
    const until = fault?.state === 'limited' ? fault.until : null
    const limits =
      ownLimits ?? (until === null ? null : [{ limit: 0, remaining: 0, resetMs: until }])
    try {
      if (fault === null || isOfKeys) await note({ error: fault?.message ?? null, checkedAt: at })
      if (limits) await note({ limits, limitsAt: at })
    } catch (error) {
      log.warn({ network }, `The network's status could not be stored: ${messageOf(error)}`)
    }
  }

  return {
    publisher,

    /** Like `Publisher.post`, but refuses while a limit applies. @throws PostFault */
    async post(
      post: Parameters<Publisher['post']>[0],
      content: Omit<Parameters<Publisher['post']>[1], 'onLimits'>,
    ): Promise<string> {
      const { remaining, resetMs: until } = tightestOf((await read())?.limits, clock.now())
      if (remaining === 0 && until !== null) {
        const message = `${NETWORK_NAMES[network]}’s rate limit still applies.`
        throw new PostFault({ state: 'limited', until, message })
      }
      let limits: XLimits | null = null
      const onLimits = (answered: XLimits): void => {
        limits = answered
      }
      try {
        const id = await publisher.post(post, { ...content, onLimits })
        await learn(null, limits)
        return id
      } catch (error) {
        if (error instanceof PostFault) await learn(error.not, limits)
        throw error
      }
    },

    async status(): Promise<z.input<typeof testX.reply>> {
      let row = await read()
      const ageMs = row?.checkedAt ? clock.now() - Date.parse(row.checkedAt) : Infinity
      const forMs = row?.error === null ? KNOWN_FOR_MS[network] : REFUSED_FOR_MS
      if (!(ageMs >= 0 && ageMs < forMs)) {
        asking ??= ask().finally(() => {
          asking = null
        })
        row = await asking
      } else if (row?.error === null && (row.handle ?? publisher.handle) === null) {
        row = await learnName(row)
      }
      return {
        success: row?.error === null,
        error: row?.error ?? null,
        configured: true,
        handle: row?.handle ?? publisher.handle,
        checked_at: isoOrNull(row?.checkedAt ?? null),
      }
    },

    async rateLimit(): Promise<z.input<typeof xRateLimit.reply>> {
      const row = await read()
      const { remaining, limit, resetMs } = tightestOf(row?.limits, clock.now())
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
  }
}

/** The narrowest window, counting ended ones as full; of exhausted windows, the last to reset. All null if unknown. */
function tightestOf(limits: XLimits | null | undefined, now: number) {
  const windows = Object.values<XLimit | null>(limits ?? [])
    .filter((one) => one !== null)
    .map((one) =>
      one.resetMs > now ? one : { limit: one.limit, remaining: one.limit, resetMs: null },
    )
  const [first] = windows.toSorted(
    (a, b) => a.remaining - b.remaining || (b.resetMs ?? 0) - (a.resetMs ?? 0),
  )
  return first ?? { limit: null, remaining: null, resetMs: null }
}
