import { randomUUID } from 'node:crypto'
import { type followInBrowser } from '#contracts/following.ts'
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
} from './followers.store.ts'
import { MOST_FOLLOWED } from './follow.service.ts'
import { type FollowKit } from './follow-kit.ts'
import { subjectOf } from './followed-subject.ts'
import { areBrowserKeys } from './push-keys.ts'

const HOUR_MS = 3_600_000
/** Browsers that one network subscribes in an hour. */
const MOST_A_NETWORK = 20
const BAD =
  'This browser has given a subscription that cannot be used. Please follow by e-mail or by a feed.'

type Ask = z.output<NonNullable<(typeof followInBrowser)['body']>>

/** Following in a browser by push messages: the subscription, which only this browser and its push service know, is all it takes. */
export function browserService(kit: FollowKit) {
  const { db, tokens, addresses, pushes } = kit

  return {
    async ask({ subscription, wants, ...given }: Ask, from: string): Promise<{ follows: boolean }> {
      const { endpoint, keys } = subscription
      const url = URL.parse(endpoint)
      if (!url || !pushes.isAllowed(url) || !areBrowserKeys(keys)) throw failure('invalid', BAD)
      const followed = subjectOf(kit, given)
      const addressHash = addresses.hashOf(endpoint)
      const known = await followerByAddress(db, 'push', addressHash)
      // Who knows the address alone is not this browser.
      if (known && known.pushAuth !== keys.auth) throw failure('invalid', BAD)
      if (wants === 'look') {
        return { follows: known !== null && (await isFollowed(db, known.id, followed)) }
      }
      if (wants === 'unfollow') {
        if (known) {
          await dropFollow(db, known.id, followed)
          if ((await countFollows(db, known.id)) === 0) await dropFollower(db, known.id)
        }
        return { follows: false }
      }
      const networkHash = addresses.hashOf(networkOf(from))
      await db.transaction(async (tx) => {
        await takeTurn(tx, 'proof-of-price following browsers')
        if (!known && (await browsersOf(tx, networkHash, isoIn(kit, -HOUR_MS))) >= MOST_A_NETWORK) {
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
