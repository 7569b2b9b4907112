import { startRounds } from '#server/kit/rounds.ts'
import { type Kit } from '#server/kit/kit.ts'
import { type Catalog } from '#server/predictions/catalog.service.ts'
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

export type OpenFollowing = Awaited<ReturnType<typeof openFollowing>>

/** How soon news is written down. */
export type FollowPace = {
  /** How long an event of the record may be taken back. */
  readonly settledMs?: number
  readonly roundMs?: number
}

/** Following without an account, and the news for those who follow. Nothing runs before `start`. */
export async function openFollowing(
  kit: Kit,
  {
    mailer,
    pushCourier: courier,
  }: { readonly mailer: Mailer | null; readonly pushCourier: PushCourier | null },
  {
    catalog,
    payments,
    npub,
  }: {
    catalog: Catalog
    payments: Pick<OpenPayments, 'tokens' | 'addresses'>
    npub: string | null
  },
  { settledMs, roundMs = ROUND_MS }: FollowPace = {},
) {
  const { tokens, addresses } = payments
  const { origin, contacts } = kit.config
  const subject = contacts.email === null ? asWebAddress(origin) : `mailto:${contacts.email}`
  const sender = pushes({ courier, keys: await pushKeys(kit.db), subject })
  const follow: FollowKit = {
    ...kit,
    tokens,
    addresses,
    origin,
    catalog,
    mailer,
    npub,
    pushes: sender,
  }
  const news = newsService(follow, settledMs)
  const sending = sendNews(follow)
  let rounds: { readonly stop: () => Promise<void> } | null = null

  /** Writes down what is new, and sends what waits; several processes share the work. */
  async function round(isStopped: () => boolean = () => false): Promise<void> {
    await news.write()
    while (!isStopped() && (await news.makeOne())) {
      // The next one.
    }
    while (!isStopped() && (await sending.sendOne())) {
      // The next one.
    }
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
