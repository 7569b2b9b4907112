import { z } from 'zod'
import { ASSET_KEYS } from '#domain/asset.ts'
import { DIRECTIONS, TIMINGS } from '#domain/claim/claim.ts'
import { PREDICTION_TYPES } from '#domain/claim/fields.ts'
import { MOST_LINKS, QUEUE_STATUSES, POST_URL_MESSAGES } from '#domain/posts/post-url.ts'
import { showCount } from '#domain/price-text.ts'
import { numberIn } from './fields.ts'
import { del, get, post } from './route.ts'
import { SimilarPrediction, SubmissionData } from './submissions.ts'

const text = z.string().nullable()
const usd = z.number().nullable()
const count = z.number().nullable()
const day = z.iso.date().nullable()
const moment = z.iso.datetime()
/** Readings from before December 2026 have neither. */
const terms = {
  /** When it must be true; null without a prediction. */
  timing: z.enum(TIMINGS).nullable().default(null),
  direction: z.enum(DIRECTIONS).nullable().default(null),
}

const Confidence = z.enum(['low', 'medium', 'high'])
const EXTRACTION_METHODS = ['grok_ai', 'text_parsing'] as const

/** The words of the post behind a field; `start` and `end` count UTF-16 units in `tweet_text`. */
const Words = z.object({ start: z.int(), end: z.int(), text: z.string() })
const Spans = z.partialRecord(
  z.enum([
    'asset_type',
    'prediction_type',
    'price_target',
    'price_min',
    'price_max',
    'target_time',
    'prediction_start_date',
    'timing',
    'direction',
  ]),
  Words,
)
export type ExtractionSpans = z.infer<typeof Spans>

const TweetProposal = z.object({ style: z.string(), text: z.string() })

const claim = {
  has_prediction: z.boolean(),
  asset_type: z.enum(ASSET_KEYS).nullable(),
  prediction_type: z.enum(PREDICTION_TYPES).nullable(),
  price_target: usd,
  price_min: usd,
  price_max: usd,
  target_time: day,
  ...terms,
  prediction_start_date: day,
}

const Reading = z.object({
  ...claim,
  confidence: Confidence,
  reasoning: z.string(),
  notes: z.array(z.string()),
  spans: Spans,
})
export type ExtractionReading = z.infer<typeof Reading>

const OtherPost = z.object({ tweet_id: text, twitter_handle: text, tweet_text: text })

/**
 * Values read from a post (administrator-tools.md §3); null if neither the post nor its source names one. A top
 * is in `price_max`, a bottom in `price_min`, a minimum in both.
 */
export const TweetExtraction = z
  .object({
    /** Null for pasted text without a link. */
    tweet_id: text,
    tweet_url: text,
    expert_name: text,
    twitter_handle: text,
    author_verified: z.boolean().nullable(),
    tweet_created_at: moment.nullable(),
    tweet_metrics: z.object({ like_count: count, retweet_count: count, reply_count: count }),
    tweet_text: z.string(),
    has_media: z.boolean().nullable(),
    is_retweet: z.boolean(),

    ...claim,
    price_prediction: text,
    prediction_made: day,
    prediction_notes: z.string(),
    /** Why there is no testable prediction, in a sentence; null when there is one. */
    no_prediction_reason: text,

    confidence_level: Confidence,
    grok_used: z.boolean(),
    extraction_method: z.enum(EXTRACTION_METHODS),
    /** The assistant's confidence; null when it was not asked or did not answer. */
    grok_interpretation_confidence: Confidence.nullable(),
    accuracy_confidence: Confidence,
    accuracy_reasoning: z.string(),
    /** Empty when there are none. */
    interpretation_challenges: z.string(),
    data_completeness: z.enum(['complete', 'partial', 'limited']),
    verification_status: z.enum(['verified', 'unverified', 'suspicious']),
    /** At most 280 characters each, as X counts. */
    tweet_proposals: z.array(TweetProposal),

    existing_influencer_id: z.int().nullable(),
    existing_influencer_name: text,

    extraction_id: z.int(),
    spans: Spans,
    readings: z.object({
      text_parsing: Reading,
      /** Null when none is set up or it did not answer. */
      assistant: Reading.extend({ model: z.string(), refuted: z.string().nullable() }).nullable(),
    }),
    assistant_error: text,
    others: z.array(
      z.object({
        asset_type: z.enum(ASSET_KEYS),
        prediction_type: z.enum(PREDICTION_TYPES),
        price_prediction: z.string(),
        /** Readings from before November 2026 have no levels here. */
        price_target: usd.default(null),
        price_min: usd.default(null),
        price_max: usd.default(null),
        target_time: day,
        ...terms,
      }),
    ),
    duplicates: z.array(SimilarPrediction.extend({ same_post: z.boolean() })),
    /** Submissions of the same post, newest first. */
    submitted_before: z.array(z.object({ id: z.string(), status: z.string() })),
    source: z.object({
      name: z.enum(['x', 'syndication', 'oembed', 'pasted']),
      fetched_at: z.iso.datetime(),
      /** The post is longer, but the source gives only its beginning. */
      is_cut: z.boolean(),
      notes: z.array(z.string()),
    }),
    retweeted_by: text,
    quoted: OtherPost.nullable(),
    answered: OtherPost.nullable(),
    is_thread: z.boolean(),
    model: text,
    /** The cost of the assistant, USD; null when it was not asked or its price is not known. */
    cost_usd: usd,
    duration_ms: z.int(),
  })
  .meta({ id: 'TweetExtraction' })
export type TweetExtraction = z.infer<typeof TweetExtraction>

const NOT_QUEUED = 'This item is not in the queue any more.'
const params = numberIn(NOT_QUEUED)

export const MOST_TEXT = 25_000
export const MOST_AUTHOR = 200
const SAID = {
  text: `Please send the text of the post, with at most ${showCount(MOST_TEXT)} characters.`,
  author: `Please send a name or a handle of at most ${String(MOST_AUTHOR)} characters.`,
  posted: 'Please send the day as 2026-03-10, or the month as 2026-03.',
  either: 'Please send true or false.',
  links: `Please send links to posts, at most ${String(MOST_LINKS)} at once.`,
} as const

export const ExtractionRequest = z.object(
  {
    url: z.string(POST_URL_MESSAGES.wrong).max(2_500, POST_URL_MESSAGES.wrong).nullish(),
    /** Pasted text; then nothing is fetched, and `url` is only its address. */
    text: z.string(SAID.text).max(MOST_TEXT, SAID.text).nullish(),
    author: z.string(SAID.author).max(MOST_AUTHOR, SAID.author).nullish(),
    /** The day it was said: 2026-03-10, 2026-03 or an ISO moment. */
    posted: z.string(SAID.posted).max(40, SAID.posted).nullish(),
    refetch: z.boolean(SAID.either).nullish(),
  },
  'Please send the link to a post, or its text.',
)
export type ExtractionRequest = z.infer<typeof ExtractionRequest>

/**
 * 400 `invalid` for an address that is not one of a post, 404 `not_found` for a deleted post, 409 `conflict` for
 * one that is not public, 503 `unavailable` when no source could be reached: then its text can be pasted.
 */
export const extractTweet = post('/api/extract-tweet', 'review', {
  callsAMinute: 60,
  summary:
    'Extracts predictions from a post or its pasted text, each field with the words that state it.',
  body: ExtractionRequest,
  reply: z.object({ success: z.literal(true), data: TweetExtraction }),
})

export const QueueItem = z
  .object({
    id: z.int(),
    tweet_url: z.string(),
    status: z.enum(QUEUE_STATUSES),
    created_at: moment,
    processed_at: moment.nullable(),
    expert_name: z.string().nullable(),
    /** A TweetExtraction as JSON text. */
    result_data: z.string().nullable(),
    error_message: z.string().nullable(),
    step: z.string(),
    attempts: z.int(),
    /** Next automatic attempt; null if none is planned or known. */
    next_try_at: moment.nullable(),
    submitted: z.int(),
  })
  .meta({ id: 'QueueItem' })
export type QueueItem = z.infer<typeof QueueItem>

const Counts = z.object({
  total: z.int(),
  pending: z.int(),
  processing: z.int(),
  completed: z.int(),
  failed: z.int(),
})

export const tweetQueue = get('/api/tweet-queue', 'read', {
  summary: 'The links in the reading queue, newest first, at most 500, and their counts.',
  /** `none` leaves out `result_data`, for pages that reload with every change. */
  query: z.object({
    results: z.enum(['all', 'none'], 'Please ask for all results or none.').default('all'),
  }),
  reply: z.object({
    success: z.literal(true),
    queue: z.array(QueueItem),
    counts: Counts,
    /** Grows with every change; see the events. */
    version: z.int(),
  }),
})

export const tweetQueueItem = get('/api/tweet-queue/:id', 'read', {
  summary: 'One item of the queue with its result and the submissions made from it.',
  params,
  reply: z.object({
    success: z.literal(true),
    item: QueueItem,
    /** Oldest first; `card` counts the predictions of the result: 0 is the main one, 1 the first of `others`. */
    submissions: z.array(z.object({ id: z.string(), card: z.int() })),
  }),
})

/** Events named `queue`, each `{version, counts}` as JSON: at once, and whenever something has changed. */
export const QUEUE_EVENTS_PATH = '/api/tweet-queue/events'
export const QueueEvent = z.object({ version: z.int(), counts: Counts })
export type QueueEvent = z.infer<typeof QueueEvent>

export const addToTweetQueue = post('/api/tweet-queue', 'review', {
  summary: `Queues up to ${String(MOST_LINKS)} links to posts from a text, to be read in the background.`,
  body: z.object(
    {
      urls: z.union(
        [
          z.string().max(200_000, SAID.links),
          z.array(z.string().max(2_500, POST_URL_MESSAGES.wrong)).max(MOST_LINKS, SAID.links),
        ],
        SAID.links,
      ),
      /** False leaves them until `process-tweet-queue-item` is called. */
      process: z.boolean(SAID.either).nullish(),
    },
    SAID.links,
  ),
  reply: z.object({
    success: z.literal(true),
    added: z.array(QueueItem),
    /** Already queued or repeated; `id` is the existing one. */
    duplicates: z.array(z.object({ url: z.string(), id: z.int() })),
    refused: z.array(z.object({ url: z.string(), reason: z.string() })),
  }),
})

/**
 * A failed post is also a reply: `success` false with the reason. A completed item is returned unchanged.
 */
export const processTweetQueueItem = post('/api/process-tweet-queue-item', 'review', {
  summary:
    'Reads an item, or the text pasted for it, before all others. Responds when that is done, or with its state after 20 seconds.',
  body: z.object(
    {
      ...ExtractionRequest.pick({ text: true, author: true, posted: true }).shape,
      id: z.union([z.int(), z.string().regex(/^\d{1,15}$/, NOT_QUEUED)], NOT_QUEUED),
    },
    'Please send the ID of an item of the queue.',
  ),
  reply: z.object({
    success: z.boolean(),
    status: z.enum(QUEUE_STATUSES),
    extracted_data: TweetExtraction.nullable(),
    error: z.string().optional(),
  }),
})

export const deleteFromTweetQueue = del('/api/tweet-queue/:id', 'review', {
  summary: 'Removes an item from the queue; it can be restored.',
  params,
  reply: z.object({ success: z.literal(true) }),
})

/** 409 `conflict` when the same post has been added again in the meantime. */
export const restoreToTweetQueue = post('/api/tweet-queue/:id/restore', 'review', {
  summary: 'Restores a deleted item.',
  params,
  reply: z.object({ success: z.literal(true), item: QueueItem }),
})

/** The assistant's part of a submission (administrator-tools.md §3); unknown fields are left out. */
export const AiMetadata = z
  .object({
    tweet_proposals: z
      .array(TweetProposal.extend({ style: z.string().max(80), text: z.string().max(4_000) }))
      .max(10)
      .nullish(),
    accuracy_confidence: z.union([z.string().max(40), z.number()]).nullish(),
    accuracy_reasoning: z.string().max(4_000).nullish(),
    interpretation_challenges: z
      .union([z.string().max(4_000), z.array(z.string().max(1_000)).max(20)])
      .nullish(),
    verification_status: z.enum(['verified', 'unverified', 'suspicious']).nullish(),
    grok_used: z.boolean().nullish(),
    extraction_method: z.enum(EXTRACTION_METHODS).nullish(),
  })
  .meta({ id: 'AiMetadata' })
export type AiMetadata = z.infer<typeof AiMetadata>

const loose = z.string().max(5_000).nullish()

/**
 * A submission by an administrator, without payment (administrator-tools.md §7). The service checks `asset_type`, as
 * forms also send `bitcoin`.
 */
export const AdminSubmission = SubmissionData.omit({ asset_type: true })
  .extend({
    asset_type: z.string().max(20).nullish(),
    email: loose,
    status: z.string().max(20).nullish(),
    /** As JSON text, or as an object. */
    ai_metadata: z.union([z.string().max(60_000), z.looseObject({})]).nullish(),
    /** Our addition: a new person, even if one of this name is on record. */
    new_influencer: z.boolean().nullish(),
    /** Our addition: the extraction that drafted this decision. */
    extraction_id: z.int().positive().nullish(),
    /** Our addition: which prediction of the extraction it is; 0 is the main one, 1 the first of `others`. */
    extraction_card: z.int().nonnegative().nullish(),
    /** Our addition: another submission is wanted although this prediction of the post has been submitted. */
    again: z.boolean().nullish(),
  })
  .meta({ id: 'AdminSubmission' })
export type AdminSubmission = z.infer<typeof AdminSubmission>

const Share = z.object({
  decided: z.int(),
  kept: z.int(),
  /** 0 to 1. */
  share: z.number(),
})

export const extractionAccuracy = get('/api/v1/admin/extraction-accuracy', 'read', {
  summary: 'How many drafted fields administrators left unchanged.',
  reply: z.object({
    decisions: z.int(),
    total: Share,
    fields: z.array(Share.extend({ field: z.string() })),
    methods: z.array(Share.extend({ method: z.string() })),
    /** By month (`2026-11`), method and field. */
    months: z.array(Share.extend({ month: z.string(), method: z.string(), field: z.string() })),
  }),
})
