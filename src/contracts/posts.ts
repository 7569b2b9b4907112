import { MOST_LINKS, QUEUE_STATUSES } from '#domain/posts/post-queue.ts'
import { POST_URL_MESSAGES } from '#domain/posts/post-url.ts'
import { z } from 'zod'
import { numberIn } from './address.ts'
import { EXTRACTION_METHODS, TweetExtraction, TweetProposal } from './extraction.ts'
import { defineRoute } from './route.ts'
import { SubmissionData } from './submissions.ts'

const moment = z.iso.datetime()
const NOT_QUEUED = 'This item is not in the queue any more.'
const params = numberIn(NOT_QUEUED)

const MOST_TEXT = 25_000
const MOST_AUTHOR = 200
const SAID = {
  text: `Please send the text of the post, with at most ${MOST_TEXT.toLocaleString('en-US')} characters.`,
  author: `Please send a name or a handle of at most ${String(MOST_AUTHOR)} characters.`,
  posted: 'Please send the day as 2026-03-10, or the month as 2026-03.',
  either: 'Please send true or false.',
  links: `Please send links of posts, at most ${String(MOST_LINKS)} at once.`,
} as const

export const ExtractionRequest = z.object(
  {
    url: z.string(POST_URL_MESSAGES.wrong).max(2_500, POST_URL_MESSAGES.wrong).nullish(),
    /** Pasted text; with it nothing is fetched, and `url` only says where it is from. */
    text: z.string(SAID.text).max(MOST_TEXT, SAID.text).nullish(),
    /** Name or handle of the author. */
    author: z.string(SAID.author).max(MOST_AUTHOR, SAID.author).nullish(),
    /** The day it was said: 2026-03-10, 2026-03 or an ISO moment. */
    posted: z.string(SAID.posted).max(40, SAID.posted).nullish(),
    /** Fetches the post again although it is known. */
    refetch: z.boolean(SAID.either).nullish(),
  },
  'Please send the link of a post, or its text.',
)
export type ExtractionRequest = z.infer<typeof ExtractionRequest>

/**
 * 400 `invalid` for an address that is not one of a post, 404 `not_found` for a deleted post, 409 `conflict` for one that
 * is not public, 503 `unavailable` when no source could be reached: then its text can be pasted.
 */
export const extractTweet = defineRoute({
  method: 'POST',
  path: '/api/extract-tweet',
  access: 'review',
  summary: 'Reads a post, or its pasted text, and what it predicts, each field with its words.',
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
    /** What is being done, or what it waits for. */
    step: z.string(),
    attempts: z.int(),
    /** When it is tried again by itself; null when it is not, or not known yet. */
    next_try_at: moment.nullable(),
    /** How many submissions have been made of the post. */
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

export const tweetQueue = defineRoute({
  method: 'GET',
  path: '/api/tweet-queue',
  access: 'read',
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

export const tweetQueueItem = defineRoute({
  method: 'GET',
  path: '/api/tweet-queue/:id',
  access: 'read',
  summary: 'One item of the queue with its result, and what has been submitted of it.',
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

export const addToTweetQueue = defineRoute({
  method: 'POST',
  path: '/api/tweet-queue',
  access: 'review',
  summary: `Takes up to ${String(MOST_LINKS)} links of posts from a text and reads them in the background.`,
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
    /** Already in the queue, or named twice; `id` is the one that is kept. */
    duplicates: z.array(z.object({ url: z.string(), id: z.int() })),
    refused: z.array(z.object({ url: z.string(), reason: z.string() })),
  }),
})

/**
 * A failed post is also an answer: `success` false with the reason. A completed item is returned as it is.
 */
export const processTweetQueueItem = defineRoute({
  method: 'POST',
  path: '/api/process-tweet-queue-item',
  access: 'review',
  summary:
    'Reads an item before all others, or the text pasted for it, and answers when that is done, or after 20 seconds with its state.',
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

export const deleteFromTweetQueue = defineRoute({
  method: 'DELETE',
  path: '/api/tweet-queue/:id',
  access: 'review',
  summary: 'Removes an item from the queue; it can be restored.',
  params,
  reply: z.object({ success: z.literal(true) }),
})

/** 409 `conflict` when the same post has been added again in the meantime. */
export const restoreToTweetQueue = defineRoute({
  method: 'POST',
  path: '/api/tweet-queue/:id/restore',
  access: 'review',
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
    /** The noted outcome: pending, success, miss, partial or ongoing; the submission itself is pending. */
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

export const AdminSubmitted = z.object({
  success: z.literal(true),
  submission: z.object({ id: z.string() }),
  message: z.string(),
  /** Our addition: it had been submitted exactly so before, and nothing was changed. */
  unchanged: z.boolean().optional(),
})

const Share = z.object({
  /** Fields with a value in the draft or in the decision. */
  decided: z.int(),
  /** Fields left as drafted. */
  kept: z.int(),
  /** 0 to 1. */
  share: z.number(),
})

export const extractionAccuracy = defineRoute({
  method: 'GET',
  path: '/api/v1/admin/extraction-accuracy',
  access: 'read',
  summary: 'How many drafted fields administrators left unchanged.',
  reply: z.object({
    /** Decisions drafted by an extraction. */
    decisions: z.int(),
    total: Share,
    fields: z.array(Share.extend({ field: z.string() })),
    methods: z.array(Share.extend({ method: z.string() })),
    /** As 2026-11, by method and field. */
    months: z.array(Share.extend({ month: z.string(), method: z.string(), field: z.string() })),
  }),
})
