// Over 400 lines: the calls of one desk, read together by its server and its screens.
import { ASSET_KEYS } from '#domain/asset.ts'
import { IMAGE_TYPES, MOST_ALT_TEXT } from '#domain/publishing/image-file.ts'
import { MOST_PICTURES } from '#domain/publishing/post-length.ts'
import {
  NETWORKS_OF_POSTS,
  POST_KINDS,
  POST_STATES,
  RESULT_STATES,
} from '#domain/publishing/social-post.ts'
import { z } from 'zod'
import { uuidIn } from './address.ts'
import { defineRoute } from './route.ts'

/** Characters, not weighted: bounds a request only. What a network takes is said by the fault of a post. */
const MOST_CHARACTERS = 30_000

const moment = z.iso.datetime({ offset: true })
const id = z.uuid()
/** No database and no network takes half a character, or none. */
const storable = (text: string): boolean => text.isWellFormed() && !text.includes('\0')
const NOT_STORABLE = 'The text holds a broken character. Please type it anew.'
const Text = z
  .string()
  .max(MOST_CHARACTERS, 'The text is far too long. Please shorten it.')
  .refine(storable, NOT_STORABLE)
export const AltText = z.string().max(MOST_ALT_TEXT).refine(storable, NOT_STORABLE)
const Network = z.enum(NETWORKS_OF_POSTS)
const RelayRow = z.object({
  relay: z.string(),
  state: z.enum(['accepted', 'already', 'later', 'refused']),
  reason: z.string().nullable(),
})

/** What became of the submission a post was made from. */
const Approval = z.object({
  state: z.enum(['waiting', 'done', 'failed']),
  error: z.string().nullable(),
})

// ---------------------------------------------------------------------------------------------------------------------
// The calls of the specification (administrator-tools.md §7), with a few fields of ours beside theirs.

/** X takes money for being asked who we are, so the answer is kept for a day. */
export const testX = defineRoute({
  method: 'GET',
  path: '/api/x/test',
  access: 'read-all',
  summary: 'Whether posts can be sent to X with the keys that are set up.',
  reply: z.object({
    success: z.boolean(),
    error: z.string().nullable(),
    configured: z.boolean(),
    /** The name behind the @; null where it is not known. */
    handle: z.string().nullable(),
    checked_at: moment.nullable(),
  }),
})

/** As the last answers of X told; X itself cannot be asked. Null: X has told nothing yet. */
export const xRateLimit = defineRoute({
  method: 'GET',
  path: '/api/x/rate-limit-status',
  access: 'read-all',
  summary: 'How many posts X still takes, as its last answers told.',
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
  /** The post's number on X, the event's id on Nostr. */
  remote_id: z.string().nullable(),
  url: z.string().nullable(),
  error: z.string().nullable(),
  /** `duplicate`, `too-long`, `keys`, `not-permitted`, `no-credit`, `pictures`, `other`, `limited`, `unsent`, `unknown`. */
  fault: z.string().nullable(),
  attempts: z.int(),
  /** When the server tries again by itself; null: it does not. */
  next_try_at: moment.nullable(),
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
    x_text: z.string(),
    nostr_text: z.string(),
    pictures: z.array(SocialPicture),
    scheduled_at: moment.nullable(),
    zone: z.string().nullable(),
    submission_id: z.string().nullable(),
    prediction_id: z.string().nullable(),
    automatic: z.boolean(),
    created_by: z.string(),
    created_at: moment,
    updated_at: moment,
    /** By X's weighting, and what X takes for it, USD; null where it does not go to X. */
    x_weight: z.int(),
    x_cost_usd: z.number().nullable(),
    results: z.array(Result),
    approval: Approval.nullable(),
  })
  .meta({ id: 'SocialPost' })
export type SocialPost = z.infer<typeof SocialPost>

export const scheduledTweets = defineRoute({
  method: 'GET',
  path: '/api/x/scheduled-tweets',
  access: 'read-all',
  summary: 'Posts that wait for their time, and those that missed it, by time.',
  reply: z.object({ success: z.literal(true), tweets: z.array(SocialPost) }),
})

export const schedulingStats = defineRoute({
  method: 'GET',
  path: '/api/x/scheduling-stats',
  access: 'read-all',
  summary: 'How many posts stand where.',
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
      /** Posts, however many networks took each; X counts those that it took towards its own limit. */
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
  /** Nobody knows whether it is out: do not send it again unseen. */
  unknown: z.boolean(),
  post: SocialPost,
})

/** 400 `invalid` for texts that X would refuse. Takes an Idempotency-Key. */
export const postTweet = defineRoute({
  method: 'POST',
  path: '/api/x/tweet',
  access: 'publish',
  summary: 'Posts a text on X, once. Takes an Idempotency-Key.',
  body: z.object({
    text: Text,
    /** A submission that is open: it is approved once the post is out. */
    submission_id: id.nullish(),
  }),
  reply: XReply,
})

/** The fields of the form: `text`, up to four files `images[]`, an `alt[]` for each, and `submission_id`. */
export const postTweetWithImages = defineRoute({
  method: 'POST',
  path: '/api/x/tweet-with-images',
  access: 'publish',
  summary:
    'Posts a text with up to four pictures on X, once: a multipart form of text, images[] and alt[]. Takes an Idempotency-Key.',
  reply: XReply,
})

export const nostrStatus = defineRoute({
  method: 'GET',
  path: '/api/nostr/status',
  access: 'read-all',
  summary: 'Whether notes can be sent to Nostr, and how many relays take a connection right now.',
  reply: z.object({
    configured: z.boolean(),
    /** As npub. */
    publicKey: z.string().nullable(),
    connectedRelays: z.int(),
    totalRelays: z.int(),
    error: z.string().nullable(),
    /** A sentence for each relay that takes no connection. */
    faults: z.array(z.string()),
  }),
})

/** JSON of `content`, or a multipart form of `content`, `images[]` and `alt[]`. Takes an Idempotency-Key. */
export const postNote = defineRoute({
  method: 'POST',
  path: '/api/nostr/post',
  access: 'publish',
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

// ---------------------------------------------------------------------------------------------------------------------
// The desk: one post for both networks, with drafts, times and history.

const base = '/api/v1/admin/social'

export const PostInput = z.object({
  networks: z.array(Network).min(1).max(2),
  x_text: Text.default(''),
  nostr_text: Text.default(''),
  /** Uploaded before, in their order. */
  pictures: z
    .array(z.object({ id, alt: AltText.default('') }))
    .max(MOST_PICTURES)
    .default([]),
  kind: z.enum(POST_KINDS).default('manual'),
  submission_id: id.nullish(),
  prediction_id: z.string().max(200).nullish(),
  /** With an offset; a time in the past is refused. */
  scheduled_at: moment.nullish(),
  /** The administrator's zone, such as Europe/Berlin. */
  zone: z.string().max(60).nullish(),
})
export type PostInput = z.infer<typeof PostInput>

const one = uuidIn('There is no such post.')
const Answer = z.object({ success: z.literal(true), post: SocialPost })

/** A multipart form with one file, `image`. */
export const uploadPicture = defineRoute({
  method: 'POST',
  path: `${base}/pictures`,
  access: 'publish',
  summary: 'Takes a picture for a post, whole and without metadata: a multipart form with image.',
  reply: z.object({ success: z.literal(true), picture: SocialPicture }),
})

export const chartPicture = defineRoute({
  method: 'POST',
  path: `${base}/pictures/of-prediction`,
  access: 'publish',
  summary: 'Draws the chart of a prediction as a picture for a post.',
  body: z.object({ prediction_id: z.string().max(200) }),
  reply: z.object({ success: z.literal(true), picture: SocialPicture }),
})

export const composePosts = defineRoute({
  method: 'GET',
  path: `${base}/compose`,
  access: 'read-all',
  summary:
    'Texts about a prediction or its verdict, made from the record; null where there is nothing to tell.',
  query: z.object({
    prediction_id: z.string().max(200),
    news: z.enum(['prediction', 'verdict']),
    /** Whether the text for X links to the page, which costs more. */
    link: z.enum(['true', 'false']).default('false'),
  }),
  reply: z.object({
    asset: z.enum(ASSET_KEYS),
    x_text: z.string().nullable(),
    nostr_text: z.string().nullable(),
    x_weight: z.int(),
    x_cost_usd: z.number(),
  }),
})

export const listPosts = defineRoute({
  method: 'GET',
  path: `${base}/posts`,
  access: 'read-all',
  summary: 'Posts, the latest first: by their time, drafts by when they were begun.',
  query: z.object({
    /** `gone`: what went out or was taken back, in one list. */
    state: z.enum([...POST_STATES, 'gone']).optional(),
    /** Time and id of the last one of the page before. */
    before: moment.optional(),
    before_id: id.optional(),
  }),
  reply: z.object({ posts: z.array(SocialPost) }),
})

export const readPost = defineRoute({
  method: 'GET',
  path: `${base}/posts/:id`,
  access: 'read-all',
  summary: 'One post with its results.',
  params: one,
  reply: z.object({ post: SocialPost }),
})

/** 400 `invalid` names the fields. Takes an Idempotency-Key. */
export const createPost = defineRoute({
  method: 'POST',
  path: `${base}/posts`,
  access: 'publish',
  summary:
    'Keeps a draft, plans a post, or sends one now to one network or both. Takes an Idempotency-Key.',
  body: PostInput.extend({ action: z.enum(['draft', 'schedule', 'send']) }),
  reply: Answer,
})

/** `updated_at` of the post as somebody saw it: where it was changed since, nothing is done to it. */
const seen_at = moment.nullish()

/** 409 `conflict` for a post that has begun to go out, or that somebody has changed since `seen_at`. */
export const editPost = defineRoute({
  method: 'PUT',
  path: `${base}/posts/:id`,
  access: 'publish',
  summary: 'Changes a draft, or a post that has not gone out, with its time.',
  params: one,
  body: PostInput.extend({ action: z.enum(['draft', 'schedule']), seen_at }),
  reply: Answer,
})

export const sendPost = defineRoute({
  method: 'POST',
  path: `${base}/posts/:id/send`,
  access: 'publish',
  summary:
    'Sends a draft, a planned or a missed post now, or once more to the networks and relays that did not take it.',
  params: one,
  body: z.object({
    /** Send again although nobody knows whether the first try is out. */
    even_if_unknown: z.boolean().default(false),
    /** Of a post that was sent before, these alone are tried again; without it all that did not take it. */
    networks: z.array(Network).min(1).optional(),
    seen_at,
    /** What is sent in the place of what is stored; of a post that has not begun to go out. */
    post: PostInput.optional(),
  }),
  reply: Answer,
})

export const cancelPost = defineRoute({
  method: 'POST',
  path: `${base}/posts/:id/cancel`,
  access: 'publish',
  summary: 'Takes back a draft, or a post that has not gone out.',
  params: one,
  reply: Answer,
})

/** X takes money for each post it shows, so this is done when somebody asks for it only. */
export const checkPost = defineRoute({
  method: 'POST',
  path: `${base}/posts/:id/check`,
  access: 'publish',
  summary: 'Looks on X for a post whose outcome is unknown. X takes money for the looking.',
  params: one,
  reply: Answer.extend({ found: z.boolean().nullable(), message: z.string() }),
})

/** 409 `conflict` where the outcome is known, or has become known meanwhile. */
export const markPost = defineRoute({
  method: 'POST',
  path: `${base}/posts/:id/mark`,
  access: 'publish',
  summary:
    'Notes what somebody saw on X of a post whose outcome is unknown, or that X refused as there already.',
  params: one,
  body: z.object({ posted: z.boolean() }),
  reply: Answer,
})

const Settings = z.object({
  /** Whether the server posts verdicts by itself. */
  auto_verdicts: z.boolean(),
  auto_networks: z.array(Network).min(1),
  auto_with_link: z.boolean(),
  /** The most automatic posts in 24 hours. */
  auto_daily_cap: z.int().min(1).max(50),
})
export type SocialSettings = z.infer<typeof Settings>
const ToldSettings = Settings.extend({
  changed_by: z.string().nullable(),
  changed_at: moment.nullable(),
})

export const socialSettings = defineRoute({
  method: 'GET',
  path: `${base}/settings`,
  access: 'read-all',
  summary: 'Whether the server posts verdicts by itself.',
  reply: ToldSettings,
})

export const changeSocialSettings = defineRoute({
  method: 'PUT',
  path: `${base}/settings`,
  access: 'operate',
  summary: 'Turns posts about verdicts on or off.',
  body: Settings,
  reply: ToldSettings,
})

/** Answered with the picture itself, and so without a contract. */
export function picturePath(pictureId: string): string {
  return `${base}/pictures/${pictureId}`
}
