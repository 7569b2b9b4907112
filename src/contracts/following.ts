import { z } from 'zod'
import { type Every as EveryName, type FollowedKind } from '#domain/publishing/following.ts'
import { get, post } from './route.ts'

const LONGEST_SUBJECT = 200
// Repeated here, as importing the domain's value would add it to the first load of every page.
const KINDS = ['person', 'asset', 'prediction'] as const satisfies readonly FollowedKind[]
const EVERY = ['now', 'day', 'week'] as const satisfies readonly EveryName[]

const params = z.object({
  token: z
    .string()
    .regex(/^[\w-]{20,80}$/, 'This link is not known. It may have been cut short in your mail.'),
})

export const FollowedSubject = z.object({
  kind: z.enum(KINDS, 'Please follow a person, an asset or a prediction.'),
  subject: z.string().min(1).max(LONGEST_SUBJECT),
})
export type FollowedSubject = z.infer<typeof FollowedSubject>

const Email = z
  .string()
  .max(320)
  .regex(/^\P{Cc}*$/u, 'Please enter a valid email address.')
const Every = z.enum(EVERY, 'Please choose how often: now, day or week.')

const Followed = FollowedSubject.extend({ title: z.string(), path: z.string() })

/** 404 `not_found` if the subject is not on record. */
export const followWays = get('/api/v1/follow', 'public', {
  summary: 'The ways of following a person, an asset or a prediction.',
  query: FollowedSubject,
  reply: z.object({
    title: z.string(),
    mail: z.boolean(),
    /** The public key for push subscriptions, as base64url; null if push is off. */
    push: z.string().nullable(),
    feeds: z.array(z.object({ name: z.string(), path: z.string() })),
    /** Our Nostr account, as npub; null if the record is not published. */
    npub: z.string().nullable(),
    /** The person's Nostr account, as npub. */
    person_npub: z.string().nullable(),
  }),
})

/** The reply is the same for every address, so that it does not reveal who follows what. */
export const followByMail = post('/api/v1/follow', 'public', {
  summary: 'Asks an email address to confirm its subscription; nothing else is sent before.',
  body: FollowedSubject.extend({ email: Email, every: Every }),
  reply: z.object({ asked: z.literal(true) }),
})

const Base64Url = z.string().regex(/^[\w-]+={0,2}$/)

export const PushSubscriptionInput = z.object({
  endpoint: z.url().max(2_000),
  keys: z.object({ p256dh: Base64Url.max(120), auth: Base64Url.max(40) }),
})

/** Only the browser knows its subscription, which is therefore sufficient authentication. */
export const followInBrowser = post('/api/v1/follow/browser', 'public', {
  summary: 'Starts or stops push messages to a browser, or says whether it gets them.',
  body: FollowedSubject.extend({
    subscription: PushSubscriptionInput,
    wants: z.enum(['follow', 'unfollow', 'look']),
  }),
  reply: z.object({ follows: z.boolean() }),
})

/** Requires the complete earlier subscription; `follows` is false if it is unknown. */
export const renewBrowser = post('/api/v1/follow/browser/renew', 'public', {
  summary: 'Replaces a browser’s push subscription after its push service has renewed it.',
  body: z.object({ before: PushSubscriptionInput, subscription: PushSubscriptionInput }),
  reply: z.object({ follows: z.boolean() }),
})

/** 404 `not_found` when the link is unknown or has expired. */
export const readFollowing = get('/api/v1/following/:token', 'public', {
  summary: 'What the owner of a mailed link follows, or is asked to follow.',
  params,
  reply: z.object({
    confirmed: z.boolean(),
    shown: z.string(),
    every: Every,
    follows: z.array(Followed),
  }),
})

export const confirmFollowing = post('/api/v1/following/:token/confirm', 'public', {
  summary: 'Confirms the subscription of the address that the link was mailed to.',
  params,
  body: z.unknown(),
  reply: z.object({ shown: z.string(), title: z.string(), every: Every, token: z.string() }),
})

/** For a browser with a confirmed subscription: no second confirmation is needed. */
export const addFollowing = post('/api/v1/following/:token/follow', 'public', {
  summary: 'Follows another subject with the address that the link was mailed to.',
  params,
  body: FollowedSubject,
  reply: z.object({ shown: z.string(), title: z.string() }),
})

export const changeFollowing = post('/api/v1/following/:token/every', 'public', {
  summary: 'Changes how often news is sent.',
  params,
  body: z.object({ every: Every }),
  reply: z.object({ every: Every }),
})

/** Subjects as in `readFollowing`. */
export const unfollow = post('/api/v1/following/:token/unfollow', 'public', {
  summary: 'Stops following one person, asset or prediction.',
  params,
  body: FollowedSubject,
  reply: z.object({ left: z.int() }),
})

/** One-click unsubscribe of mail programs (RFC 8058). Idempotent. */
export const endFollowing = post('/api/v1/following/:token/end', 'public', {
  summary: 'Ends all news to an address, and deletes it with everything it followed.',
  params,
  body: z.unknown(),
  reply: z.object({ deleted: z.literal(true) }),
})

export const refuseFollowing = post('/api/v1/following/:token/refuse', 'public', {
  summary: 'Deletes an address as `end` does; this site never writes to it again.',
  params,
  body: z.unknown(),
  reply: z.object({ refused: z.literal(true) }),
})

/** 404 `not_found` when the link is unknown, has expired, or its address has been changed since. */
export const confirmMail = post('/api/v1/mail/:token/confirm', 'public', {
  callsAMinute: 30,
  summary: 'Confirms the address for notices about a submission.',
  params,
  body: z.unknown(),
  reply: z.object({ confirmed: z.literal(true), shown: z.string() }),
})

export const refuseMail = post('/api/v1/mail/:token/refuse', 'public', {
  callsAMinute: 30,
  summary: 'Removes the address that a link was mailed to; this site never writes to it again.',
  params,
  body: z.unknown(),
  reply: z.object({ refused: z.literal(true) }),
})
