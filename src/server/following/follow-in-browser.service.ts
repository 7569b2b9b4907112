import { randomUUID } from 'node:crypto'
import { type followInBrowser, type renewBrowser } from '#contracts/following.ts'
import { isoDay } from '#domain/day.ts'
import { failure } from '#server/kit/failure.ts'
import { HOUR_MS, type Door } from '#server/kit/limiter.ts'
import { isoNow, today } from '#server/kit/now.ts'
import { takeTurn } from '#server/kit/db.ts'
import { type z } from 'zod'
import {
  addFollow,
  browserBy,
  countBrowsers,
  countFollows,
  dropFollow,
  dropFollower,
  isFollowed,
  keepFollower,
  moveBrowser,
  type Follower,
} from './followers.store.ts'
import { MOST_FOLLOWED } from './follow.service.ts'
import { type FollowKit, subjectOf } from './followed-subject.ts'
import { areBrowserKeys } from './push.ts'

/** What those who write down browsers take turns at: that of the door. */
const TURN = 'proof-of-price following browsers'
const HERE = 'Too many browsers have begun to follow from here. Please wait an hour.'
const FULL =
  'More browsers follow than this site can carry. Please follow by email or by a feed, or try again in an hour.'
const BROWSERS: Door = {
  name: 'following browsers',
  shares: [
    { of: 'network', most: 20, withinMs: HOUR_MS, said: HERE },
    { of: 'prefix', most: 40, withinMs: HOUR_MS, said: HERE },
    { of: 'all', most: 600, withinMs: HOUR_MS, said: FULL },
  ],
}
/** Where browsers get their push messages; any other host may be one that somebody wants to have called. */
const PUSH_SERVICES = [
  'fcm.googleapis.com',
  'push.services.mozilla.com',
  'push.apple.com',
  'notify.windows.com',
]
const MOST_BROWSERS = 50_000
const MOST_ELSEWHERE = 50
const BAD =
  'This browser has given a subscription that cannot be used. Please follow by email or by a feed.'

type Ask = z.output<NonNullable<(typeof followInBrowser)['body']>>
type Renew = z.output<NonNullable<(typeof renewBrowser)['body']>>

/** Following in a browser by push messages: the subscription, which only this browser and its push service know, is all it takes. */
export function browserService(kit: FollowKit) {
  const { db, limiter, tokens, addresses, pushes } = kit

  /** @throws AppError where it is none that can be sent to */
  async function known(
    tx: FollowKit['db'],
    { endpoint, keys }: Ask['subscription'],
  ): Promise<{ addressHash: string; follower: Follower | null }> {
    const url = URL.parse(endpoint)
    if (!url || !pushes.isAllowed(url) || !areBrowserKeys(keys)) throw failure('invalid', BAD)
    const addressHash = addresses.hashOf(endpoint)
    return { addressHash, follower: await browserBy(tx, { addressHash, pushAuth: keys.auth }) }
  }

  async function refuseFull(tx: FollowKit['db'], host: string): Promise<void> {
    const known = PUSH_SERVICES.find((one) => `.${host}`.endsWith(`.${one}`))
    const { all, there } = await countBrowsers(tx, known ?? host.split('.').slice(-2).join('.'))
    if (all >= MOST_BROWSERS || (known === undefined && there >= MOST_ELSEWHERE)) {
      throw failure('too_many', FULL)
    }
  }

  return {
    /** The push service has given a browser another address. */
    async renew({ before, subscription }: Renew): Promise<{ follows: boolean }> {
      return db.transaction(async (tx) => {
        await takeTurn(tx, TURN)
        const { follower } = await known(tx, before)
        const { addressHash } = await known(tx, subscription)
        if (!follower) return { follows: false }
        await refuseFull(tx, new URL(subscription.endpoint).hostname)
        const { endpoint: address, keys } = subscription
        const to = { address, addressHash, pushKey: keys.p256dh, pushAuth: keys.auth }
        await moveBrowser(tx, follower.id, to)
        return { follows: true }
      })
    },

    async ask({ subscription, wants, ...given }: Ask, from: string): Promise<{ follows: boolean }> {
      const { endpoint, keys } = subscription
      const followed = await subjectOf(kit, given)
      const { addressHash, follower } = await known(db, subscription)
      if (wants === 'look') {
        return { follows: follower !== null && (await isFollowed(db, follower.id, followed)) }
      }
      if (wants === 'unfollow') {
        if (follower) {
          await dropFollow(db, follower.id, followed)
          if ((await countFollows(db, follower.id)) === 0) await dropFollower(db, follower.id)
        }
        return { follows: false }
      }
      await db.transaction(async (tx) => {
        await takeTurn(tx, TURN)
        if (!follower) {
          await limiter.enter(tx, BROWSERS, { address: from })
          await refuseFull(tx, new URL(endpoint).hostname)
        }
        const id = randomUUID()
        const kept = await keepFollower(tx, {
          id,
          channel: 'push',
          address: endpoint,
          addressHash,
          tokenHash: tokens.hash(tokens.follower(id)),
          every: 'now',
          pushKey: keys.p256dh,
          pushAuth: keys.auth,
          nextAt: isoNow(kit),
          createdAt: isoNow(kit),
        })
        if ((await countFollows(tx, kept.id)) >= MOST_FOLLOWED) {
          throw failure('too_many', 'You follow as much as this site can carry for one browser.')
        }
        await addFollow(tx, kept.id, followed, isoDay(today(kit)))
      })
      return { follows: true }
    },
  }
}
