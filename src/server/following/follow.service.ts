import { randomUUID } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import { type z } from 'zod'
import {
  type FollowedSubject,
  type followInBrowser,
  type renewBrowser,
} from '#contracts/following.ts'
import { isoDay } from '#domain/day.ts'
import { BAD_EMAIL, mailboxOf, maskContact, readEmail } from '#domain/money/contact.ts'
import { firstDue, type Every } from '#domain/publishing/following.ts'
import { followers, followQuestions } from '#server/database/schema/following.ts'
import { acquireLock } from '#server/kit/db.ts'
import { failure } from '#server/kit/failure.ts'
import { DAY_MS, HOUR_MS, type RateLimit } from '#server/kit/limiter.ts'
import { isoIn, isoNow, today } from '#server/kit/time.ts'
import { type FollowKit, visibleSubjects, subjectOf } from './followed-subject.ts'
import * as store from './followers.store.ts'
import { areBrowserKeys } from './push.ts'

const CONFIRM_WITHIN_DAYS = 7
const HERE = 'Too many addresses have been entered from here. Please wait an hour.'
const QUESTIONS: RateLimit = {
  name: 'follow questions',
  shares: [
    { of: 'network', most: 10, withinMs: HOUR_MS, message: HERE },
    { of: 'prefix', most: 20, withinMs: HOUR_MS, message: HERE },
    {
      of: 'all',
      most: 300,
      withinMs: HOUR_MS,
      message:
        'Many addresses are being entered at the moment. Please try again in an hour, or follow by a feed.',
    },
    { of: 'subject', most: 5, withinMs: DAY_MS, message: null },
  ],
}
const MOST_FOLLOWED = 500

const UNKNOWN =
  'This link no longer works. It may have been cut short in your mail, have expired, or everything about your address was deleted.'
const NO_MAIL = 'This site cannot send mail at present. Please follow by a feed or in this browser.'

/** An address must be confirmed by the link in a mail before anything else is sent to it. */
export function followService(kit: FollowKit) {
  const { db, clock, tokens, addresses, mailer } = kit

  async function liveQuestion(token: string): Promise<store.Question | null> {
    const found = await store.questionBy(db, 'tokenHash', tokens.hash(token))
    const isOpen = found?.followerId != null || Date.parse(found?.expiresAt ?? '') >= clock.now()
    return isOpen ? found : null
  }

  async function follower(token: string): Promise<store.Follower> {
    const found = await store.followerByToken(db, tokens.hash(token))
    if (!found) throw failure('not_found', UNKNOWN)
    return found
  }

  return {
    async ask(
      input: FollowedSubject & { readonly email: string; readonly every: Every },
      from: string,
    ): Promise<{ asked: true }> {
      if (!mailer) throw failure('unavailable', NO_MAIL)
      const { kind, subject } = await subjectOf(kit, input)
      const address = readEmail(input.email)
      if (address === null) throw failure('invalid', BAD_EMAIL, { email: BAD_EMAIL })
      const addressHash = addresses.hashOf(address)
      const caller = { address: from, subject: mailboxOf(address) }
      await kit.limiter.refuse(db, QUESTIONS, caller)
      const isRefused = await addresses.isRefused(address)
      const id = randomUUID()
      await db.transaction(async (tx) => {
        const isOpen = await kit.limiter.enter(tx, QUESTIONS, caller)
        // The response is the same for every address; only the mail differs.
        if (!isOpen || isRefused) return
        await tx.insert(followQuestions).values({
          id,
          tokenHash: tokens.hash(tokens.followQuestion(id)),
          address,
          addressHash,
          kind,
          subject,
          every: input.every,
          createdAt: isoNow(kit),
          expiresAt: isoIn(kit, CONFIRM_WITHIN_DAYS * DAY_MS),
        })
        await kit.outbox.add(tx, store.QUESTIONS, [{ key: id, ref: id, lane: 'email' }])
      })
      return { asked: true }
    },

    async read(token: string) {
      const question = await liveQuestion(token)
      if (question && question.address !== null) {
        const { address, every } = question
        const masked = maskContact({ kind: 'email', address })
        return {
          confirmed: false,
          shown: masked,
          every,
          follows: await visibleSubjects(kit, [question]),
        }
      }
      const found = question?.followerId
        ? await store.followerById(db, question.followerId)
        : await follower(token)
      if (!found) throw failure('not_found', UNKNOWN)
      const follows = await visibleSubjects(kit, await store.followsOf(db, found.id))
      return { confirmed: true, shown: displayAddress(found), every: found.every, follows }
    },

    async confirm(token: string) {
      const question = await liveQuestion(token)
      if (!question) throw failure('not_found', UNKNOWN)
      const { address, addressHash, every } = question
      const [known] = await visibleSubjects(kit, [question])
      let followerId = question.followerId
      if (address !== null) {
        const id = randomUUID()
        followerId = await db.transaction(async (tx) => {
          const follower = await store.keepFollower(tx, {
            id,
            channel: 'email',
            address,
            addressHash,
            tokenHash: tokens.hash(tokens.follower(id)),
            every,
            nextAt: new Date(firstDue(every, clock.now())).toISOString(),
            createdAt: isoNow(kit),
          })
          await store.changeFollower(tx, follower.id, {
            tokenHash: tokens.hash(tokens.follower(follower.id)),
          })
          await store.addFollow(tx, follower.id, question, isoDay(today(kit)))
          // The follower has the address now.
          await tx
            .update(followQuestions)
            .set({ address: null, followerId: follower.id })
            .where(eq(followQuestions.id, question.id))
          return follower.id
        })
      }
      const found = followerId === null ? null : await store.followerById(db, followerId)
      if (!found) throw failure('not_found', UNKNOWN)
      const title = known?.title ?? 'this prediction'
      return { shown: displayAddress(found), title, every, token: tokens.follower(found.id) }
    },

    async add(token: string, subject: FollowedSubject) {
      const found = await follower(token)
      const known = await subjectOf(kit, subject)
      if ((await store.countFollows(db, found.id)) >= MOST_FOLLOWED) {
        throw failure('too_many', 'One address cannot follow more than this.')
      }
      await store.addFollow(db, found.id, known, isoDay(today(kit)))
      return { shown: displayAddress(found), title: known.title }
    },

    async change(token: string, every: Every): Promise<{ every: Every }> {
      const { id } = await follower(token)
      await store.changeFollower(db, id, {
        every,
        nextAt: new Date(firstDue(every, clock.now())).toISOString(),
      })
      return { every }
    },

    async unfollow(token: string, { kind, subject }: FollowedSubject): Promise<{ left: number }> {
      const { id } = await follower(token)
      await store.dropFollow(db, id, { kind, subject })
      return { left: await store.countFollows(db, id) }
    },

    /** Deletes an address with all its follows, leaving no trace. */
    async end(token: string): Promise<{ deleted: true }> {
      const hash = tokens.hash(token)
      const found =
        (await store.followerByToken(db, hash)) ?? (await store.questionBy(db, 'tokenHash', hash))
      if (found) await store.forgetAddress(db, { channel: 'email', ...found })
      return { deleted: true }
    },

    /** Deletes an address, keeping a keyed hash, so that it is never written to again. */
    async refuse(token: string): Promise<{ refused: true }> {
      const question = await store.questionBy(db, 'tokenHash', tokens.hash(token))
      const found = question?.followerId
        ? await store.followerById(db, question.followerId)
        : await store.followerByToken(db, tokens.hash(token))
      const address = found?.channel === 'email' ? found.address : question?.address
      if (address == null) throw failure('not_found', UNKNOWN)
      await addresses.refuseAddress(address)
      await store.forgetAddress(db, { channel: 'email', addressHash: addresses.hashOf(address) })
      return { refused: true }
    },
  }
}

function displayAddress({ channel, address }: store.Follower): string {
  return channel === 'email' ? maskContact({ kind: 'email', address }) : 'this browser'
}

/** Lock for adding browsers; the same as for addresses. */
const LOCK = 'proof-of-price following browsers'
const FROM_HERE = 'Too many browsers have begun to follow from here. Please wait an hour.'
const FULL =
  'This site has no room for more browsers at the moment. Please follow by email or by a feed, or try again in an hour.'
const BROWSERS: RateLimit = {
  name: 'following browsers',
  shares: [
    { of: 'network', most: 20, withinMs: HOUR_MS, message: FROM_HERE },
    { of: 'prefix', most: 40, withinMs: HOUR_MS, message: FROM_HERE },
    { of: 'all', most: 600, withinMs: HOUR_MS, message: FULL },
  ],
}
/** Push services of browsers; other hosts might be targets of abuse. */
const PUSH_SERVICES = [
  'fcm.googleapis.com',
  'push.services.mozilla.com',
  'push.apple.com',
  'notify.windows.com',
]
const MOST_BROWSERS = 50_000
const MOST_ELSEWHERE = 50
const BAD =
  'The push subscription of this browser cannot be used. Please follow by email or by a feed.'

type Ask = z.output<NonNullable<(typeof followInBrowser)['body']>>
type Renew = z.output<NonNullable<(typeof renewBrowser)['body']>>

/** Following by push messages, authenticated by the subscription, which only the browser and its push service know. */
export function browserService(kit: FollowKit) {
  const { db, limiter, tokens, addresses, pushes } = kit

  /** @throws AppError if it cannot be sent to */
  async function known(tx: FollowKit['db'], { endpoint, keys }: Ask['subscription']) {
    const url = URL.parse(endpoint)
    if (!url || !pushes.isAllowed(url) || !areBrowserKeys(keys)) throw failure('invalid', BAD)
    const addressHash = addresses.hashOf(endpoint)
    return {
      addressHash,
      follower: await store.browserBy(tx, { addressHash, pushAuth: keys.auth }),
    }
  }

  async function refuseFull(tx: FollowKit['db'], host: string): Promise<void> {
    const isPush = eq(followers.channel, 'push')
    const end = `.${host.split('.').slice(-2).join('.')}`
    const own = sql`right('.' || split_part(${followers.address}, '/', 3), ${end.length}) = ${end}`
    const isKnown = PUSH_SERVICES.some((one) => `.${host}`.endsWith(`.${one}`))
    if (
      (await tx.$count(followers, isPush)) >= MOST_BROWSERS ||
      (!isKnown && (await tx.$count(followers, and(isPush, own))) >= MOST_ELSEWHERE)
    ) {
      throw failure('too_many', FULL)
    }
  }

  return {
    /** The push service has changed the browser's address. */
    async renew({ before, subscription }: Renew): Promise<{ follows: boolean }> {
      return db.transaction(async (tx) => {
        await acquireLock(tx, LOCK)
        const { follower } = await known(tx, before)
        const { addressHash } = await known(tx, subscription)
        if (!follower) return { follows: false }
        await refuseFull(tx, new URL(subscription.endpoint).hostname)
        const { endpoint: address, keys } = subscription
        const to = { address, addressHash, pushKey: keys.p256dh, pushAuth: keys.auth }
        await store.moveBrowser(tx, follower.id, to)
        return { follows: true }
      })
    },

    async ask({ subscription, wants: action, ...subject }: Ask, from: string) {
      const { endpoint, keys } = subscription
      const followed = await subjectOf(kit, subject)
      const { addressHash, follower } = await known(db, subscription)
      if (action === 'look') {
        return { follows: follower !== null && (await store.isFollowed(db, follower.id, followed)) }
      }
      if (action === 'unfollow') {
        if (follower) {
          await store.dropFollow(db, follower.id, followed)
          if ((await store.countFollows(db, follower.id)) === 0)
            await store.dropFollower(db, follower.id)
        }
        return { follows: false }
      }
      await db.transaction(async (tx) => {
        await acquireLock(tx, LOCK)
        if (!follower) {
          await limiter.enter(tx, BROWSERS, { address: from })
          await refuseFull(tx, new URL(endpoint).hostname)
        }
        const id = randomUUID()
        const stored = await store.keepFollower(tx, {
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
        if ((await store.countFollows(tx, stored.id)) >= MOST_FOLLOWED) {
          throw failure('too_many', 'One browser cannot follow more than this.')
        }
        await store.addFollow(tx, stored.id, followed, isoDay(today(kit)))
      })
      return { follows: true }
    },
  }
}
