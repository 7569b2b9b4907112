import { randomUUID } from 'node:crypto'
import { type followInBrowser, type renewBrowser } from '#contracts/following.ts'
import { isoDay } from '#domain/day.ts'
import { networkOf } from '#server/http/network-of.ts'
import { failure } from '#server/kit/failure.ts'
import { isoIn, isoNow, today } from '#server/kit/now.ts'
import { takeTurn } from '#server/kit/turns.ts'
import { type z } from 'zod'
import {
  addFollow,
  browsersOf,
  countFollows,
  dropFollow,
  dropFollower,
  followerByAddress,
  isFollowed,
  keepFollower,
  moveBrowser,
  type Follower,
} from './followers.store.ts'
import { MOST_FOLLOWED } from './follow.service.ts'
import { type FollowKit } from './follow-kit.ts'
import { subjectOf } from './followed-subject.ts'
import { areBrowserKeys } from './push-keys.ts'

const HOUR_MS = 3_600_000
/** What those who write down browsers take turns at. */
const TURN = 'proof-of-price following browsers'
/** Browsers that one network subscribes in an hour. */
const MOST_A_NETWORK = 20
const BAD =
  'This browser has given a subscription that cannot be used. Please follow by e-mail or by a feed.'

type Ask = z.output<NonNullable<(typeof followInBrowser)['body']>>
type Renew = z.output<NonNullable<(typeof renewBrowser)['body']>>

/** Following in a browser by push messages: the subscription, which only this browser and its push service know, is all it takes. */
export function browserService(kit: FollowKit) {
  const { db, tokens, addresses, pushes } = kit

  /** @throws AppError where it is none that can be sent to, or where someone else's address is given */
  async function known(
    tx: FollowKit['db'],
    { endpoint, keys }: Ask['subscription'],
  ): Promise<{ addressHash: string; follower: Follower | null }> {
    const url = URL.parse(endpoint)
    if (!url || !pushes.isAllowed(url) || !areBrowserKeys(keys)) throw failure('invalid', BAD)
    const addressHash = addresses.hashOf(endpoint)
    const follower = await followerByAddress(tx, 'push', addressHash)
    // Who knows the address alone is not this browser.
    if (follower && follower.pushAuth !== keys.auth) throw failure('invalid', BAD)
    return { addressHash, follower }
  }

  return {
    /** The push service has given a browser another address. */
    async renew({ before, subscription }: Renew): Promise<{ follows: boolean }> {
      return db.transaction(async (tx) => {
        await takeTurn(tx, TURN)
        const { follower } = await known(tx, before)
        const { addressHash } = await known(tx, subscription)
        if (!follower) return { follows: false }
        const { endpoint: address, keys } = subscription
        const to = { address, addressHash, pushKey: keys.p256dh, pushAuth: keys.auth }
        await moveBrowser(tx, follower.id, to)
        return { follows: true }
      })
    },

    async ask({ subscription, wants, ...given }: Ask, from: string): Promise<{ follows: boolean }> {
      const { endpoint, keys } = subscription
      const followed = subjectOf(kit, given)
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
      const networkHash = addresses.hashOf(networkOf(from))
      await db.transaction(async (tx) => {
        await takeTurn(tx, TURN)
        if (
          !follower &&
          (await browsersOf(tx, networkHash, isoIn(kit, -HOUR_MS))) >= MOST_A_NETWORK
        ) {
          throw failure(
            'too_many',
            'Too many browsers have begun to follow from here. Please wait an hour.',
          )
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
          networkHash,
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
