import { NOTIFY_AFTER_MS } from '#domain/publishing/following.ts'
import { type SiteKit } from '#server/kit/kit.ts'
import { type OpenPayments } from '#server/payments/open-payments.ts'
import { type PublicRecord } from '#server/record/record.service.ts'
import { type Mailer } from '#server/submissions/mail.ts'
import { followService, browserService } from './follow.service.ts'
import { type FollowKit } from './followed-subject.ts'
import { newsService } from './news.service.ts'
import { type PushClient, pushKeys, pushes } from './push.ts'
import { defineNews } from './send-news.service.ts'

export type OpenFollowing = Awaited<ReturnType<typeof openFollowing>>

export type FollowPace = {
  readonly settledMs?: number
}

/** Following without an account, and its news. Nothing runs before `start`. */
export async function openFollowing(
  kit: SiteKit,
  {
    mailer,
    pushClient: client,
  }: { readonly mailer: Mailer | null; readonly pushClient: PushClient | null },
  {
    record,
    payments,
    npub,
  }: {
    record: PublicRecord
    payments: Pick<OpenPayments, 'tokens' | 'addresses'>
    npub: string | null
  },
  { settledMs }: FollowPace = {},
) {
  const { tokens, addresses } = payments
  const { origin, contacts } = kit.config
  // Push services accept no other sender address.
  const website = origin.startsWith('https:')
    ? origin
    : `mailto:webmaster@${new URL(origin).hostname}`
  const subject = contacts.email === null ? website : `mailto:${contacts.email}`
  const sender = pushes(client, await pushKeys(kit.db), subject)
  const follow: FollowKit = {
    ...kit,
    tokens,
    addresses,
    record,
    mailer,
    npub,
    pushes: sender,
  }
  const news = newsService(follow, settledMs)
  defineNews(follow)

  /** Stores news, and makes the messages that are due of them. */
  async function write(signal: AbortSignal): Promise<void> {
    await news.write(() => signal.aborted)
    while (!signal.aborted && (await news.makeSome())) {}
  }

  const job = kit.jobs.repeat({
    name: 'news',
    title: 'Writing news for followers',
    seconds: 300,
    run: write,
  })
  let end = (): void => {}

  return {
    kit: follow,
    service: followService(follow),
    browsers: browserService(follow),
    write,
    start: () => {
      end()
      end = kit.signals.listen('record', () => {
        job.send(kit.db, {}, NOTIFY_AFTER_MS / 1_000 + 1).catch(kit.outages.notice)
      })
    },
    stop: () => end(),
  }
}
