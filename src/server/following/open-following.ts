import { type FollowChannel } from '#domain/publishing/following.ts'
import { startRounds } from '#server/kit/rounds.ts'
import { type Kit } from '#server/kit/kit.ts'
import { openLimiter } from '#server/kit/limiter.ts'
import { type PublicRecord } from '#server/record/record.service.ts'
import { type OpenPayments } from '#server/payments/open-payments.ts'
import { type Mailer } from '#server/submissions/ports.ts'
import { type FollowKit } from './follow-kit.ts'
import { followService } from './follow.service.ts'
import { browserService } from './follow-in-browser.service.ts'
import { newsService } from './news.service.ts'
import { type PushCourier } from './ports.ts'
import { pushKeys } from './push-keys.ts'
import { pushes } from './push-message.ts'
import { sendNews } from './send-news.service.ts'

const ROUND_MS = 5_000
const LONGEST_ROUND_MS = 60_000
/** How long messages are made before those are sent that are there; the rest are made in the next round. */
const MAKE_FOR_MS = 10_000
/** After this a round ends, so that what is new meanwhile is written down. */
const SEND_FOR_MS = 30_000
/** How many are sent at the same time: a push service that does not answer holds up neither mails nor other browsers. */
const LANES: readonly FollowChannel[] = ['email', 'email', ...Array<'push'>(6).fill('push')]

export type OpenFollowing = Awaited<ReturnType<typeof openFollowing>>

/** How soon news is written down. */
export type FollowPace = {
  /** How long an event of the record may be taken back. */
  readonly settledMs?: number
  readonly roundMs?: number
  /** How long a mail server or a push service may take for one message. */
  readonly sendWithinMs?: number
}

/** Following without an account, and the news for those who follow. Nothing runs before `start`. */
export async function openFollowing(
  kit: Kit,
  {
    mailer,
    pushCourier: courier,
  }: { readonly mailer: Mailer | null; readonly pushCourier: PushCourier | null },
  {
    record,
    payments,
    npub,
  }: {
    record: PublicRecord
    payments: Pick<OpenPayments, 'tokens' | 'addresses'>
    npub: string | null
  },
  { settledMs, roundMs = ROUND_MS, sendWithinMs }: FollowPace = {},
) {
  const { tokens, addresses } = payments
  const { origin, contacts } = kit.config
  const subject = contacts.email === null ? asWebAddress(origin) : `mailto:${contacts.email}`
  const sender = pushes({ courier, keys: await pushKeys(kit.db), subject })
  const follow: FollowKit = {
    ...kit,
    limiter: openLimiter(kit),
    tokens,
    addresses,
    origin,
    record,
    mailer,
    npub,
    pushes: sender,
  }
  const news = newsService(follow, settledMs)
  const sending = sendNews(follow, sendWithinMs)
  let rounds: { readonly stop: () => Promise<void> } | null = null

  /** Writes down what is new, and sends what waits; several processes share the work. */
  async function round(isStopped: () => boolean = () => false): Promise<void> {
    await news.write(isStopped)
    const made = kit.clock.now() + MAKE_FOR_MS
    while (!isStopped() && kit.clock.now() < made && (await news.makeOne())) {
      // The next one.
    }
    const until = kit.clock.now() + SEND_FOR_MS
    const lane = async (channel: FollowChannel): Promise<void> => {
      while (!isStopped() && kit.clock.now() < until && (await sending.sendOne(channel))) {
        // The next one.
      }
    }
    const lanes = await Promise.allSettled(LANES.map(lane))
    for (const ended of lanes) if (ended.status === 'rejected') throw ended.reason
  }

  return {
    kit: follow,
    service: followService(follow),
    browsers: browserService(follow),
    round,
    start: () => {
      rounds ??= startRounds({
        log: kit.log,
        texts: { waits: 'News waits for the database.', failed: 'News has to wait' },
        roundMs,
        longestMs: LONGEST_ROUND_MS,
        round,
      })
    },
    stop: async () => {
      await rounds?.stop()
    },
  }
}

/** Push services take no other address of a sender. */
function asWebAddress(origin: string): string {
  return origin.startsWith('https:') ? origin : `mailto:webmaster@${new URL(origin).hostname}`
}
