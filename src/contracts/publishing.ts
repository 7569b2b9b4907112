// Over 400 lines: all calls for posts, which the server and the screens use together.

import { z } from 'zod'
import { ASSET_KEYS } from '#domain/asset.ts'
import { onlyText } from '#domain/clean-text.ts'
import { MOST_PICTURES } from '#domain/publishing/post-length.ts'
import {
  IMAGE_TYPES,
  MOST_ALT_TEXT,
  NETWORKS_OF_POSTS,
  POST_KINDS,
  POST_STATES,
  RESULT_STATES,
  textFields,
} from '#domain/publishing/social-post.ts'
import { uuidIn } from './fields.ts'
import { get, post, postAtMost, put } from './route.ts'

const postNow = postAtMost(20)

/** Characters, not weighted: only bounds a request. The limits of the networks are checked with the post. */
const MOST_CHARACTERS = 30_000

const moment = z.iso.datetime({ offset: true })
const id = z.uuid()
/** PostgreSQL and the networks refuse broken surrogate pairs and NUL. */
const storable = (text: string): boolean => onlyText(text) === text
const NOT_STORABLE = 'The text contains a broken character. Please type it again.'
const Text = z
  .string()
  .max(MOST_CHARACTERS, 'The text is far too long. Please shorten it.')
  .refine(storable, NOT_STORABLE)
export const AltText = z.string().max(MOST_ALT_TEXT).refine(storable, NOT_STORABLE)
const Network = z.enum(NETWORKS_OF_POSTS)
const Texts = textFields(() => z.string())
/** Texts about a prediction, with the weighted length on X and what X charges, USD. */
const Composed = {
  asset: z.enum(ASSET_KEYS),
  ...Texts,
  x_weight: z.int(),
  x_cost_usd: z.number(),
}
/** Networks whose outcome may be unknown. */
const Doubtful = Network.exclude(['nostr']).default('x')
const RelayRow = z.object({
  relay: z.string(),
  state: z.enum(['accepted', 'already', 'later', 'refused']),
  reason: z.string().nullable(),
})

const Account = z.object({
  success: z.boolean(),
  error: z.string().nullable(),
  configured: z.boolean(),
  /** The name without the @; null if unknown. */
  handle: z.string().nullable(),
  checked_at: moment.nullable(),
})

const Approval = z.object({
  state: z.enum(['waiting', 'done', 'failed']),
  error: z.string().nullable(),
})

// ---------------------------------------------------------------------------------------------------------------------
// The calls of the specification (administrator-tools.md §7), with a few fields of ours added.

export const testX = get('/api/x/test', 'read-all', {
  summary: 'Whether posts can be sent to X with the configured keys.',
  reply: Account,
})

/** From X's last responses, as there is no call for it. Null if unknown. */
export const xRateLimit = get('/api/x/rate-limit-status', 'read-all', {
  summary: 'How many more posts X accepts, according to its last responses.',
  reply: z.object({
    success: z.boolean(),
    canPost: z.boolean(),
    remaining: z.int().nullable(),
    limit: z.int().nullable(),
    minutesUntilReset: z.int().nullable(),
    error: z.string().nullable(),
    told_at: moment.nullable(),
  }),
})

const Result = z.object({
  network: Network,
  state: z.enum(RESULT_STATES),
  /** The post's number on X, the event's id on Nostr, the record's address on Bluesky. */
  remote_id: z.string().nullable(),
  url: z.string().nullable(),
  error: z.string().nullable(),
  /**
   * `duplicate`, `too-long`, `keys`, `not-permitted`, `no-credit`, `pictures`, `other`, `limited`, `unsent`,
   * `unknown`.
   */
  fault: z.string().nullable(),
  attempts: z.int(),
  /** Time of the next automatic attempt; null if none. */
  next_try_at: moment.nullable(),
  /** When the outcome will be known, if its server stopped while sending. */
  known_at: moment.nullable(),
  finished_at: moment.nullable(),
  relays: z.array(RelayRow).nullable(),
})
export type SocialResult = z.infer<typeof Result>

export const SocialPicture = z.object({
  id,
  alt: z.string().max(MOST_ALT_TEXT),
  type: z.enum(IMAGE_TYPES),
  width: z.int(),
  height: z.int(),
  url: z.string(),
})

export const SocialPost = z
  .object({
    id,
    kind: z.enum(POST_KINDS),
    state: z.enum(POST_STATES),
    networks: z.array(Network),
    ...Texts,
    pictures: z.array(SocialPicture),
    scheduled_at: moment.nullable(),
    zone: z.string().nullable(),
    submission_id: z.string().nullable(),
    prediction_id: z.string().nullable(),
    event_id: z.int().nullable(),
    automatic: z.boolean(),
    created_by: z.string(),
    created_at: moment,
    updated_at: moment,
    /** Its weighted length, and what X charges for it, USD; null when it does not go to X. */
    x_weight: z.int(),
    x_cost_usd: z.number().nullable(),
    results: z.array(Result),
    left_at: moment.nullable(),
    approval: Approval.nullable(),
  })
  .meta({ id: 'SocialPost' })
export type SocialPost = z.infer<typeof SocialPost>

export const scheduledTweets = get('/api/x/scheduled-tweets', 'read-all', {
  summary: 'Scheduled posts, and those that missed their time, by time.',
  reply: z.object({ success: z.literal(true), tweets: z.array(SocialPost) }),
})

export const schedulingStats = get('/api/x/scheduling-stats', 'read-all', {
  summary: 'The number of posts in each state.',
  reply: z.object({
    success: z.literal(true),
    stats: z.object({
      drafts: z.int(),
      scheduled: z.int(),
      sending: z.int(),
      missed: z.int(),
      cancelled: z.int(),
      posted: z.int(),
      failed: z.int(),
      unknown: z.int(),
      next_at: moment.nullable(),
      /** Posts, each counted once for all networks; X counts those it accepted towards its own limit. */
      posted_last_24h: z.int(),
      posted_on_x_last_24h: z.int(),
      cost_last_30d_usd: z.number(),
    }),
  }),
})

const XReply = z.object({
  success: z.boolean(),
  tweet: z.object({ id: z.string(), url: z.string() }).nullable(),
  error: z.string().nullable(),
  detailedError: z.string().nullable(),
  /** It may have been published: check before sending it again. */
  unknown: z.boolean(),
  post: SocialPost,
})

/** 400 `invalid` for texts that X would refuse. Takes an Idempotency-Key. */
export const postTweet = postNow('/api/x/tweet', 'publish', {
  summary: 'Posts a text on X, once. Takes an Idempotency-Key.',
  body: z.object({
    text: Text,
    /** A pending submission: it is approved once the post is published. */
    submission_id: id.nullish(),
  }),
  reply: XReply,
})

/** The fields of the form: `text`, up to four files `images[]`, an `alt[]` for each, and `submission_id`. */
export const postTweetWithImages = postNow('/api/x/tweet-with-images', 'publish', {
  summary:
    'Posts a text with up to four pictures on X, once: a multipart form of text, images[] and alt[]. Takes an Idempotency-Key.',
  reply: XReply,
})

export const nostrStatus = get('/api/nostr/status', 'read-all', {
  summary: 'Whether notes can be sent to Nostr, and how many relays accept connections now.',
  reply: z.object({
    configured: z.boolean(),
    /** As npub. */
    publicKey: z.string().nullable(),
    connectedRelays: z.int(),
    totalRelays: z.int(),
    error: z.string().nullable(),
    faults: z.array(z.string()),
  }),
})

/** JSON of `content`, or a multipart form of `content`, `images[]` and `alt[]`. Takes an Idempotency-Key. */
export const postNote = postNow('/api/nostr/post', 'publish', {
  summary:
    'Publishes a note on Nostr: JSON of content, or a multipart form of content, images[] and alt[]. Takes an Idempotency-Key.',
  reply: z.object({
    success: z.boolean(),
    publishedToRelays: z.int(),
    totalRelays: z.int(),
    eventId: z.string().nullable(),
    error: z.string().nullable(),
    details: z.array(RelayRow),
    post: SocialPost,
  }),
})
export const NoteBody = z.object({ content: Text, submission_id: id.nullish() })

export const blueskyStatus = get('/api/bluesky/status', 'read-all', {
  summary: 'Whether posts can be sent to Bluesky with the configured account.',
  reply: Account,
})

const base = '/api/v1/admin/social'

export const PostInput = z.object({
  networks: z.array(Network).min(1).max(NETWORKS_OF_POSTS.length),
  ...textFields(() => Text.default('')),
  /** Pictures uploaded before, in order. */
  pictures: z
    .array(z.object({ id, alt: AltText.default('') }))
    .max(MOST_PICTURES)
    .default([]),
  kind: z.enum(POST_KINDS).default('manual'),
  submission_id: id.nullish(),
  prediction_id: z.string().max(200).nullish(),
  event_id: z.int().positive().nullish(),
  /** With an offset; a time in the past is refused. */
  scheduled_at: moment.nullish(),
  zone: z.string().max(60).nullish(),
})
export type PostInput = z.infer<typeof PostInput>

const one = uuidIn('There is no such post.')
const Answer = z.object({ success: z.literal(true), post: SocialPost })
const Stored = z.object({ success: z.literal(true), picture: SocialPicture })

/** A multipart form with one file, `image`. */
export const uploadPicture = post(`${base}/pictures`, 'publish', {
  summary:
    'Stores a picture for a post in full size and without metadata: a multipart form with image.',
  reply: Stored,
})

export const chartPicture = post(`${base}/pictures/of-prediction`, 'publish', {
  summary: 'Draws the chart of a prediction as a picture for a post.',
  body: z.object({ prediction_id: z.string().max(200) }),
  reply: Stored,
})

export const composePosts = get(`${base}/compose`, 'read-all', {
  summary: 'Texts for a post about a prediction and its verdict, from the public record.',
  query: z.object({
    prediction_id: z.string().max(200),
    link: z.enum(['true', 'false']).default('false'),
  }),
  reply: z.object({ kind: z.enum(['prediction', 'verdict']), ...Composed }),
})

const Proposal = z.object({
  event_id: z.int(),
  at: moment,
  kind: z.enum(['prediction', 'verdict', 'correction']),
  prediction_id: z.string(),
  ...Composed,
  has_chart: z.boolean(),
})
export type Proposal = z.infer<typeof Proposal>

export const listProposals = get(`${base}/proposals`, 'read-all', {
  summary:
    'Proposed posts about the last seven days of the record, newest first: published submissions, verdicts by prices, and corrections that were neither posted nor dismissed.',
  query: z.object({ before: z.coerce.number().int().positive().optional() }),
  reply: z.object({
    proposals: z.array(Proposal),
    /** The `before` of the next page; null on the last one. */
    next: z.int().nullable(),
  }),
})

export const dismissProposal = put(`${base}/proposals/:event`, 'publish', {
  summary: 'Dismisses a proposed post, or restores it.',
  params: z.object({ event: z.coerce.number().int().positive() }),
  body: z.object({ dismissed: z.boolean() }),
  reply: z.object({ success: z.literal(true) }),
})

export const listPosts = get(`${base}/posts`, 'read-all', {
  summary: 'Posts, latest first; drafts by the time they were created.',
  query: z.object({
    /** `gone`: sent and cancelled posts in one list. */
    state: z.enum([...POST_STATES, 'gone']).optional(),
    before: moment.optional(),
    before_id: id.optional(),
  }),
  reply: z.object({ posts: z.array(SocialPost) }),
})

export const postsToDecide = get(`${base}/to-decide`, 'read-all', {
  summary: 'Posts that await a decision, latest first: missed, failed, and of unknown outcome.',
  reply: z.object({ count: z.int(), posts: z.array(SocialPost) }),
})

export const readPost = get(`${base}/posts/:id`, 'read-all', {
  summary: 'One post with its results.',
  params: one,
  reply: z.object({ post: SocialPost }),
})

/** 400 `invalid` names the fields. Takes an Idempotency-Key. */
export const createPost = postNow(`${base}/posts`, 'publish', {
  summary:
    'Saves a draft, schedules a post, or sends one to some networks: now, or `soon`, after ten seconds in which it can be cancelled. Takes an Idempotency-Key.',
  body: PostInput.extend({ action: z.enum(['draft', 'schedule', 'soon', 'send']) }),
  reply: Answer,
})

/** `updated_at` of the post as the caller saw it: if it has changed since, nothing is done. */
const seen_at = moment.nullish()

/** 409 `conflict` if sending has begun, or the post has changed since `seen_at`. */
export const editPost = put(`${base}/posts/:id`, 'publish', {
  summary: 'Changes a draft or a post that has not been sent, and its time.',
  params: one,
  body: PostInput.extend({ action: z.enum(['draft', 'schedule']), seen_at }),
  reply: Answer,
})

export const sendPost = postNow(`${base}/posts/:id/send`, 'publish', {
  summary:
    'Sends a draft, scheduled or missed post now, or again to the networks and relays that did not accept it.',
  params: one,
  body: z.object({
    /** Send again although the first attempt may have been published. */
    even_if_unknown: z.boolean().default(false),
    /** For a sent post: retries only these networks; by default, all that failed. */
    networks: z.array(Network).min(1).optional(),
    seen_at,
    /** Replaces the stored text of a post that is not being sent yet. */
    post: PostInput.optional(),
  }),
  reply: Answer,
})

export const cancelPost = post(`${base}/posts/:id/cancel`, 'publish', {
  summary: 'Cancels a draft or a post that has not been sent.',
  params: one,
  reply: Answer,
})

/** 409 `conflict` where nothing has failed, or the post may be on X. */
export const leavePost = post(`${base}/posts/:id/leave`, 'publish', {
  summary: 'Leaves a post that a network did not accept as it is; it no longer awaits a decision.',
  params: one,
  reply: Answer,
})

export const checkPost = postNow(`${base}/posts/:id/check`, 'publish', {
  summary:
    'Searches a network for a post of unknown outcome. X charges for the search, Bluesky does not.',
  params: one,
  query: z.object({ network: Doubtful }),
  reply: Answer.extend({ found: z.boolean().nullable(), message: z.string() }),
})

/** 409 `conflict` when the outcome is known by now. */
export const markPost = post(`${base}/posts/:id/mark`, 'publish', {
  summary:
    'Records whether a post is on a network, if its outcome is unknown or X refused it as a duplicate.',
  params: one,
  body: z.object({ posted: z.boolean(), network: Doubtful }),
  reply: Answer,
})

const Settings = z.object({
  auto_verdicts: z.boolean(),
  auto_networks: z.array(Network).min(1),
  auto_with_link: z.boolean(),
  /** The most automatic posts in 24 hours. */
  auto_daily_cap: z.int().min(1).max(50),
})
export type SocialSettings = z.infer<typeof Settings>
const SettingsReply = Settings.extend({
  changed_by: z.string().nullable(),
  changed_at: moment.nullable(),
})

export const socialSettings = get(`${base}/settings`, 'read-all', {
  summary: 'Whether the server posts verdicts automatically.',
  reply: SettingsReply,
})

export const changeSocialSettings = put(`${base}/settings`, 'operate', {
  summary: 'Turns posts about verdicts on or off.',
  body: Settings,
  reply: SettingsReply,
})

export function picturePath(pictureId: string): string {
  return `${base}/pictures/${pictureId}`
}
