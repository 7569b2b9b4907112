import { ASSET_KEYS } from '#domain/asset.ts'
import { DIRECTIONS, TIMINGS } from '#domain/claim/claim.ts'
import { PREDICTION_TYPES } from '#domain/claim/fields.ts'
import { z } from 'zod'

const text = z.string().nullable()
const usd = z.number().nullable()
const count = z.number().nullable()
const day = z.iso.date().nullable()
const moment = z.iso.datetime().nullable()
/** Readings of before December 2026 have neither. */
const terms = {
  /** When it must be true; null without a prediction. */
  timing: z.enum(TIMINGS).nullable().default(null),
  /** The way the price goes, only where the words say it. */
  direction: z.enum(DIRECTIONS).nullable().default(null),
}

const Confidence = z.enum(['low', 'medium', 'high'])
export const EXTRACTION_METHODS = ['grok_ai', 'text_parsing'] as const

/** The words of the post that a field came from; `start` and `end` count UTF-16 units in `tweet_text`. */
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

export const TweetProposal = z.object({ style: z.string(), text: z.string() })

/** One reader's view of a post. */
const Reading = z.object({
  has_prediction: z.boolean(),
  asset_type: z.enum(ASSET_KEYS).nullable(),
  prediction_type: z.enum(PREDICTION_TYPES).nullable(),
  price_target: usd,
  price_min: usd,
  price_max: usd,
  target_time: day,
  ...terms,
  prediction_start_date: day,
  confidence: Confidence,
  /** Why there is a prediction or none, in a sentence or two. */
  reasoning: z.string(),
  notes: z.array(z.string()),
  spans: Spans,
})
export type ExtractionReading = z.infer<typeof Reading>

const OtherPost = z.object({ tweet_id: text, twitter_handle: text, tweet_text: text })

/**
 * What was read from a post (administrator-tools.md §3); null where the post and its source say nothing. A top is in
 * `price_max`, a bottom in `price_min`, a minimum in both.
 */
export const TweetExtraction = z
  .object({
    /** Null for pasted text without a link. */
    tweet_id: text,
    tweet_url: text,
    expert_name: text,
    twitter_handle: text,
    author_verified: z.boolean().nullable(),
    tweet_created_at: moment,
    tweet_metrics: z.object({ like_count: count, retweet_count: count, reply_count: count }),
    tweet_text: z.string(),
    has_media: z.boolean().nullable(),
    is_retweet: z.boolean(),

    has_prediction: z.boolean(),
    asset_type: z.enum(ASSET_KEYS).nullable(),
    prediction_type: z.enum(PREDICTION_TYPES).nullable(),
    /** The level as screens show it. */
    price_prediction: text,
    price_target: usd,
    price_min: usd,
    price_max: usd,
    target_time: day,
    ...terms,
    prediction_start_date: day,
    /** The day it was said. */
    prediction_made: day,
    /** For the notes field: the words themselves, and what to check. */
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

    /** From here on our additions: the words behind each field, and all that helps to check it. */
    extraction_id: z.int(),
    spans: Spans,
    readings: z.object({
      text_parsing: Reading,
      /** Null when none is set up or it did not answer. */
      assistant: Reading.extend({ model: z.string(), refuted: z.string().nullable() }).nullable(),
    }),
    /** Why there is no reading by the assistant although one is set up. */
    assistant_error: text,
    /** What else the post predicts, best first. */
    others: z.array(
      z.object({
        asset_type: z.enum(ASSET_KEYS),
        prediction_type: z.enum(PREDICTION_TYPES),
        price_prediction: z.string(),
        /** Readings of before November 2026 have no levels here. */
        price_target: usd.default(null),
        price_min: usd.default(null),
        price_max: usd.default(null),
        target_time: day,
        ...terms,
      }),
    ),
    /** Published predictions that say the same or come from the same post. */
    duplicates: z.array(
      z.object({
        id: z.string(),
        expert_name: z.string(),
        price_prediction: z.string(),
        target_time: z.iso.date(),
        same_post: z.boolean(),
      }),
    ),
    /** Submissions of the same post, newest first. */
    submitted_before: z.array(z.object({ id: z.string(), status: z.string() })),
    source: z.object({
      name: z.enum(['x', 'syndication', 'oembed', 'pasted']),
      fetched_at: z.iso.datetime(),
      /** The post is longer, but the source gives only its beginning. */
      is_cut: z.boolean(),
      /** What did not go as it should, each a sentence. */
      notes: z.array(z.string()),
    }),
    /** Who reposted the post; text, author and time are those of the original. */
    retweeted_by: text,
    quoted: OtherPost.nullable(),
    /** The post it answers; with the same author it is a thread. */
    answered: OtherPost.nullable(),
    is_thread: z.boolean(),
    model: text,
    /** The cost of the assistant, USD; null when it was not asked or its price is not known. */
    cost_usd: usd,
    duration_ms: z.int(),
  })
  .meta({ id: 'TweetExtraction' })
export type TweetExtraction = z.infer<typeof TweetExtraction>
