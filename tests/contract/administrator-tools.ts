import { z } from 'zod'

/*
 * Administrators' screens and the responses of their calls, one fact a row. The key names the section of the specification.
 * Where a later decision changed a fact, the row has the fact of the decision.
 */

// ---------------------------------------------------------------------------------------------------- the calls

const day = z.iso.date()
const moment = z.iso.datetime()
const text = z.string()
const usd = z.number().nullable()
const confidence = z.enum(['low', 'medium', 'high'])
const type = z.enum(['target', 'range', 'pricetimerange', 'top', 'bottom'])

/** Calls of administrators; without a session each is refused. `:id` is any submission. */
export const GUARDED = [
  'GET /api/admin/test',
  'GET /api/admin/prediction_submissions',
  'GET /admin/influencers',
  'PUT /api/admin/prediction_submissions/:id/update',
  'PUT /api/admin/prediction_submissions/:id/prediction-date',
  'POST /api/admin/prediction_submissions/:id/approve',
  'PUT /api/admin/prediction_submissions/:id',
  'GET /api/admin/prediction_submissions?status=pending&asset=mstr',
  'POST /api/admin/mstr_prediction_submissions/:id/approve',
  'PUT /api/admin/submissions/:id',
  'GET /api/x/test',
  'GET /api/x/rate-limit-status',
  'GET /api/x/scheduled-tweets',
  'GET /api/x/scheduling-stats',
  'POST /api/x/tweet',
  'POST /api/x/tweet-with-images',
  'GET /api/nostr/status',
  'POST /api/nostr/post',
  'POST /api/extract-tweet',
  'GET /api/tweet-queue',
  'POST /api/process-tweet-queue-item',
]

export const ANSWERS: readonly (readonly [key: string, call: string, reply: z.ZodType])[] = [
  ['7 probe', 'GET /api/admin/test', z.object({ success: z.literal(true) })],
  [
    '7 influencers',
    'GET /admin/influencers',
    z.array(z.object({ id: z.int(), name: text })).min(20),
  ],
  ['7 X: connection', 'GET /api/x/test', z.object({ success: z.literal(true) })],
  [
    '7 X: rate limit',
    'GET /api/x/rate-limit-status',
    z.object({
      success: z.literal(true),
      canPost: z.boolean(),
      remaining: z.int().nullable(),
      limit: z.int().nullable(),
      minutesUntilReset: z.int().nullable(),
    }),
  ],
  [
    '7 X: scheduled posts',
    'GET /api/x/scheduled-tweets',
    z.object({ success: z.literal(true), tweets: z.array(z.object({})) }),
  ],
  [
    '7 X: numbers of posts',
    'GET /api/x/scheduling-stats',
    z.object({ success: z.literal(true), stats: z.object({ scheduled: z.int() }) }),
  ],
  [
    '7 Nostr: status',
    'GET /api/nostr/status',
    z.object({
      configured: z.literal(true),
      publicKey: text.startsWith('npub1'),
      connectedRelays: z.int(),
      totalRelays: z.literal(2),
      error: text.nullable(),
    }),
  ],
]

/** The sign-in request, its status and its reply. */
export const LOGINS: readonly (readonly [
  key: string,
  given: object,
  status: number,
  reply: z.ZodType,
])[] = [
  [
    '7 login',
    { username: 'Admin A', password: 'correct horse battery staple' },
    200,
    z.object({ success: z.literal(true), username: z.literal('Admin A'), message: text }),
  ],
  [
    '8 login with a wrong password',
    { username: 'Admin A', password: 'wrong' },
    401,
    z.object({ success: z.literal(false), message: text.min(1) }),
  ],
]

/** As sent by the extractor's form. */
export const SUBMITTED = {
  expert_name: 'Jane Tools',
  twitter_handle: '@janetools',
  prediction_type: 'target',
  price_prediction: '$150,000',
  target_time: '2027-12-31',
  price_min: null,
  price_max: null,
  prediction_made: '2026-03-10',
  source_url: 'https://example.org/said',
  notes: 'Said so.',
  email: '',
  submitter_email: '',
  status: 'pending',
  ai_metadata: JSON.stringify({
    tweet_proposals: [{ style: 'short', text: 'Jane Tools: $150,000.' }],
    accuracy_confidence: 'medium',
    accuracy_reasoning: 'It is clear.',
    interpretation_challenges: '',
    verification_status: 'unverified',
    grok_used: false,
    extraction_method: 'text_parsing',
  }),
}

/** Addresses for submissions, and the resulting asset. */
export const SUBMIT_WAYS = [
  ['7 submit a Bitcoin prediction', '/api/submissions', 'btc'],
  ['7 submit an MSTR prediction', '/api/mstr/submissions', 'mstr'],
  ['7 submit a NAKA prediction', '/api/naka/predictions', 'naka'],
] as const

export const SUBMIT_REPLY = z.object({
  success: z.literal(true),
  submission: z.object({ id: z.uuid() }),
  message: text.regex(/submitted successfully.*reviewed before going live.*[\da-f-]{36}/i),
})

const AiMetadata = z.object({
  tweet_proposals: z.array(z.object({ style: text, text })),
  accuracy_confidence: confidence,
  accuracy_reasoning: text,
  interpretation_challenges: text,
  verification_status: z.enum(['verified', 'unverified', 'suspicious']),
  grok_used: z.boolean(),
  extraction_method: z.enum(['grok_ai', 'text_parsing']),
})

export const SUBMISSION = z.object({
  id: z.uuid(),
  expert_name: text,
  twitter_handle: text.nullable(),
  nostr_npub: text.nullable(),
  prediction_type: type,
  price_prediction: text,
  price_target: usd,
  price_min: usd,
  price_max: usd,
  target_time: day,
  prediction_made: day,
  source_url: text.nullable(),
  notes: text,
  submitter_email: text.nullable(),
  email: text.nullable(),
  status: z.enum(['pending', 'approved', 'rejected']),
  prediction_outcome: z.enum(['pending', 'success', 'miss', 'partial', 'ongoing']),
  admin_comment: text.nullable(),
  created_at: moment,
  submission_date: moment,
  existing_influencer_id: z.int().nullable(),
  existing_influencer_name: text.nullable(),
  asset_type: z.enum(['btc', 'mstr', 'naka']),
  ai_metadata: text
    .transform((json): unknown => JSON.parse(json))
    .pipe(AiMetadata)
    .nullable(),
})

/** Edited fields of a submission, with the stored values if these differ. */
export const EDITS: readonly {
  readonly key: string
  readonly fields: object
  readonly shown?: object
}[] = [
  { key: '7 update: texts', fields: { expert_name: 'Jane Edited', notes: 'Edited.' } },
  { key: '7 update: handle', fields: { twitter_handle: '@edited' } },
  { key: '7 update: date', fields: { target_time: '2028-01-31' } },
  { key: '7 update: comment', fields: { admin_comment: 'Looked at.' } },
  { key: '3 a person on record', fields: { existing_influencer_id: 1 } },
  {
    key: '5 numbers: dollar signs, commas and spaces are dropped',
    fields: { price_target: '$ 160,000' },
    shown: { price_target: 160_000, price_prediction: '$160,000' },
  },
  {
    key: '5 numbers: dots between thousands are dropped',
    fields: { price_target: '170.000' },
    shown: { price_target: 170_000 },
  },
  ...['pending', 'success', 'miss', 'partial', 'ongoing'].map((outcome) => ({
    key: `4 outcome: ${outcome}`,
    fields: { prediction_outcome: outcome },
  })),
  {
    key: '9 a top puts its value in price_max',
    fields: { prediction_type: 'top', price_max: 9 },
    shown: { price_max: 9, price_min: null, price_target: null },
  },
  {
    key: '9 a bottom puts its value in price_min',
    fields: { prediction_type: 'bottom', price_min: 9 },
    shown: { price_max: null, price_min: 9, price_target: null },
  },
  {
    key: '9 a range has both',
    fields: { prediction_type: 'range', price_min: 8, price_max: 9 },
    shown: { price_max: 9, price_min: 8, price_target: null },
  },
  {
    key: '9 a pricetimerange has its minimum in both',
    fields: { prediction_type: 'pricetimerange', price_min: 8 },
    shown: { price_max: 8, price_min: 8, price_target: null },
  },
]

export const APPROVAL = {
  influencer_id: '',
  admin_comment: 'Well said.',
  start_date: '2026-12-01',
  end_date: '2027-12-30',
  price_min: null,
  price_max: null,
  price_target: 155_000,
  prediction_type: 'target',
  price_prediction: '$155,000',
}
/** The fields then published, for a person who was not on record. */
export const PUBLISHED = {
  prediction_type: 'target',
  price_target: 155_000,
  price_min: null,
  price_max: null,
  price_prediction: '$155,000',
  start_date: '2026-12-01',
  end_date: '2027-12-30',
  prediction_made: '2026-03-10',
  success_status: 'pending',
  exclude_from_chart: false,
  asset_type: 'btc',
  influencer: { name: 'Jane Tools', x_handle: 'janetools' },
}

/** How a submission of an asset is approved and rejected. */
export const DECISIONS = [
  {
    key: '7 Bitcoin',
    submit: '/api/submissions',
    list: '/api/admin/prediction_submissions',
    approve: '/api/admin/prediction_submissions/:id/approve',
    reject: '/api/admin/prediction_submissions/:id',
  },
  {
    key: '7 MSTR',
    submit: '/api/mstr/submissions',
    list: '/api/admin/prediction_submissions?asset=mstr',
    approve: '/api/admin/mstr_prediction_submissions/:id/approve',
    reject: '/api/admin/submissions/:id',
  },
] as const
export const DECIDED = z.object({ success: z.literal(true), message: text.min(1) })
export const REFUSED = z.object({ success: z.literal(false), message: text.min(1) })

export const EXTRACTION = z.object({
  success: z.literal(true),
  data: z.object({
    tweet_id: text,
    expert_name: text,
    twitter_handle: text,
    author_verified: z.boolean(),
    tweet_created_at: moment,
    tweet_metrics: z.object({
      like_count: z.int(),
      retweet_count: z.int(),
      reply_count: z.int(),
    }),
    tweet_text: text,
    has_media: z.boolean(),
    is_retweet: z.boolean(),
    tweet_url: z.url(),
    price_prediction: z.literal('$150,000'),
    prediction_type: type,
    price_min: usd,
    price_max: usd,
    target_time: z.literal('2027-12-31'),
    prediction_start_date: day.nullable(),
    confidence_level: confidence,
    grok_used: z.literal(false),
    extraction_method: z.literal('text_parsing'),
    has_prediction: z.literal(true),
    prediction_notes: text,
    grok_interpretation_confidence: confidence.nullable(),
    accuracy_confidence: confidence,
    accuracy_reasoning: text,
    interpretation_challenges: text,
    data_completeness: z.enum(['complete', 'partial', 'limited']),
    verification_status: z.enum(['verified', 'unverified', 'suspicious']),
    tweet_proposals: z.array(z.object({ style: text, text: text.max(280) })).min(1),
  }),
})

/** Addresses refused by the extractor, with its message. */
export const WRONG_LINKS = [
  ['5 no address', '', 'Please enter a tweet URL'],
  [
    '5 address of another site',
    'https://example.org/a/status/1',
    'Please enter a valid Twitter/X.com URL',
  ],
] as const

export const QUEUE = z.object({
  success: z.literal(true),
  queue: z.array(
    z.object({
      id: z.int(),
      tweet_url: z.url(),
      status: z.enum(['pending', 'processing', 'completed', 'failed']),
      created_at: moment,
      processed_at: moment.nullable(),
      expert_name: text.nullable(),
      result_data: text.nullable(),
      error_message: text.nullable(),
    }),
  ),
})
export const PROCESSED = z.object({
  success: z.literal(true),
  extracted_data: z.object({ tweet_text: text }),
})

export const TWEETED = z.object({
  success: z.literal(true),
  tweet: z.object({ id: text }),
  error: z.null(),
  detailedError: z.null(),
})
/** On two relays, only one of which accepts notes. */
export const NOTED = z.object({
  success: z.literal(true),
  publishedToRelays: z.literal(1),
  totalRelays: z.literal(2),
  eventId: text.regex(/^[\da-f]{64}$/),
  error: text.nullable(),
  details: z.array(z.object({ reason: text.nullable() })),
})

/** Texts that X refuses: blank, or longer than the longest panel accepts. */
export const NOT_POSTED = [
  ['5 no text', ' '],
  ['5 text of more than 10,000 characters', 'a'.repeat(10_001)],
] as const
