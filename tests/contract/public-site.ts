import { z } from 'zod'

/*
 * Visitors' screens and the responses of calls, one fact a row. The key names the section of the specification.
 * Where a later decision changed a fact, the row has the fact of the decision.
 */

// ------------------------------------------------------------------------------------------------- pages (HTML)

/** A page of the server, and words on it. */
export const PAGES: readonly (readonly [key: string, path: string, words: string | RegExp])[] = [
  ['1 tagline', '/', 'The Truth About Bitcoin Predictions'],
  ['1 section: intelligence', '/', 'Live Market Intelligence'],
  ['1 section: why', '/', 'Why Proof of Price'],
  ['1 why: track performance', '/', 'Track performance'],
  ['1 why: signal and noise', '/', 'Signal vs noise'],
  ['1 why: lightning', '/', 'Lightning payments'],
  ['1 why: notices', '/', /e-mail address or an LNURL/],
  ['1 why: value for value', '/', 'value for value'],
  ['1 why: live visualization', '/', 'Live visualization'],
  ['1 footer', '/', 'Data collected from public sources. Updated regularly.'],
  ['1 footer on dashboards', '/btc', 'Data collected from public sources. Updated regularly.'],
  ['2 route /intro', '/intro', 'The Truth About Bitcoin Predictions'],
  ['2 route /btc', '/btc', 'Bitcoin Live Price'],
  ['2 route /mstr', '/mstr', /(?:Micro)?Strategy Live Price/],
  ['2 route /naka', '/naka', 'Nakamoto Games Live Price'],
  ['2 route /about', '/about', 'About us'],
  ['2 route /terms', '/terms', 'Terms of service'],
  ['2 landing: number of predictions', '/', /Predictions on record \d/],
  ['2 landing: median level', '/', /open Bitcoin calls are above this \$[\d,]+ /],
  ['2 landing: range of levels', '/', /from lowest to highest \$\d[\d.]*[kM]?–\$\d[\d.]*[kM]? /],
  ['2 dashboard: site name', '/btc', 'Proof of Price'],
  ['2 dashboard: submit', '/btc', 'Submit Prediction'],
  ['2 dashboard: History', '/btc', 'History'],
  ['2 dashboard: Loading chart', '/btc?as_of=2020-01-01', 'Bitcoin'],
  ['2 panel: All Influencers', '/btc', 'All Influencers'],
  ['2 panel: chips', '/btc', / All ?\d+ Pending ?\d+ Successful ?\d+ Miss ?\d+ /],
  ['2 panel: heading', '/btc', 'Filter by Expert'],
  ['2 panel: submit card', '/btc', 'Submit Bitcoin Prediction'],
  ['2 panel: badge of a hit', '/btc', 'SUCCESS'],
  ['2 panel: badge of a miss', '/btc', 'MISS'],
  ['2 panel: badge of an open one', '/btc', 'PENDING'],
  ['2 panel: target line', '/btc', /Target: \d\d\/\d\d\/\d{4}/],
  ['9 label of a range', '/btc', /Range: \S/],
  ['9 label of a minimum by a date', '/btc?experts=lyn-alden', /Price by: \S/],
  ['2 panel: made date', '/btc', /Made \d\d\/\d\d\/\d{4}/],
  ['2 panel: nothing yet', '/naka', 'No NAKA predictions yet'],
  ['2 panel: nothing yet, submit', '/naka', /Be the first to submit/],
  ['2 mstr: submit card', '/mstr', 'Submit MicroStrategy Prediction'],
  ['2 mstr: submit card, below', '/mstr', 'Share your MSTR prediction with the community'],
  ['2 mobile: bar', '/btc', / Menu Reset All /],
  ['8 chart without data', '/naka', 'No price data available'],
  [
    '8 chart without data, below',
    '/naka',
    'Please ensure the database connection is working correctly.',
  ],
  ['8 live price without a price', '/naka', 'Nakamoto Games Live Price --'],
]

export const LINKS: readonly (readonly [key: string, path: string, name: string, href: string])[] =
  [
    ['2 hero link', '/', 'Explore Bitcoin Predictions', '/btc'],
    ['2 footer: Home', '/', 'Home', '/'],
    ['2 footer: About Us', '/', 'About Us', '/about'],
    ['2 footer: Terms of Service', '/', 'Terms of Service', '/terms'],
    ['2 footer: social profile', '/', 'X', 'https://x.com/site_example'],
    ['2 footer: Contact Us', '/', 'Contact Us', 'mailto:mail@example.org'],
    ['2 footer: Nostr', '/', 'Nostr', 'https://njump.me/npub1example'],
    ['2 dashboards: BTC', '/btc', 'BTC', '/btc'],
    ['2 dashboards: MSTR', '/btc', 'MSTR', '/mstr'],
    ['2 dashboards: NAKA', '/btc', 'NAKA', '/naka'],
  ]

export const IN_NEW_TABS = ['About Us', 'Terms of Service']

/** Columns of the History table; the site has more between them. */
export const HISTORY_COLUMNS = ['Expert', 'Prediction', 'Target Time', 'Status']

/** Names for assistive technology only. */
export const NAMED: readonly (readonly [key: string, path: string, name: string])[] = [
  ['2 dashboard: dark mode', '/btc', 'Dark mode'],
  ['2 panel: multiple influencers', '/btc', 'Multiple influencer mode'],
  ['2 panel: reset', '/btc', 'Reset filters and chart'],
  ['2 panel: dropdown', '/btc', 'Influencer: All Influencers'],
  ['2 panel: filter', '/btc', 'Filter by status'],
  ['2 mobile: status filter', '/btc', 'Status filter: All'],
]

/** The chart of a dashboard as drawn by the server: words on it, or its size. */
export const PICTURES: readonly (readonly [key: string, path: string, words: RegExp])[] = [
  ['9 labels of prices', '/btc/picture.svg?size=wide', / \$0 \$50k \$100k /],
  ['9 labels of years in two digits', '/btc/picture.svg?size=wide', / '24 '25 '26 /],
  ['4 date of a success', '/btc/picture.svg?size=wide', / \d\d\/\d\d\/\d{4} /],
  ['9 labels of months for MSTR', '/mstr/picture.svg?size=phone', / [A-Z][a-z]{2} \d{4} /],
  ['9 median target', '/btc/picture.svg?size=wide', / median target \$\d+k /],
]
export const PICTURE_HEIGHTS = [
  ['9 Bitcoin on a phone', '/btc/picture.svg?size=phone', 280],
  ['9 MSTR on a phone', '/mstr/picture.svg?size=phone', 400],
] as const

// ---------------------------------------------------------------------------------------------------- the calls

const day = z.iso.date()
const usd = z.number()
const outcome = z.enum(['success', 'miss', 'pending'])
const type = z.enum(['target', 'range', 'pricetimerange', 'top', 'bottom'])

const pricePoint = z.union([
  z.object({ date: day, close: usd.positive() }),
  z.object({ date: day, value: usd.positive() }),
])

const level = usd.nullable()
const prediction = {
  id: z.string(),
  influencer_id: z.int(),
  price_prediction: z.string().regex(/^\$[\d,.]+(?: - \$[\d,.]+)?$/),
  price_min: level,
  price_max: level,
  prediction_type: type,
  target_time: day,
  start_date: day.nullable(),
  end_date: day,
  success_status: outcome,
  source_url: z.url().nullable(),
  created_at: z.iso.datetime(),
}
const publicPrediction = z.object({
  ...prediction,
  influencer: z.object({
    id: z.int(),
    name: z.string(),
    score: z.number(),
    x_handle: z.string().nullable(),
  }),
  price_target: level,
  prediction_date: day,
  prediction_made: day,
  quote: z.string(),
  vote_score: z.int(),
  exclude_from_chart: z.boolean(),
  asset_type: z.enum(['btc', 'mstr', 'naka']),
})
const assetPrediction = z.object({
  ...prediction,
  influencer_name: z.string(),
  influencer_score: z.number(),
  target_price: level,
  notes: z.string(),
})
const envelope = <Row extends z.ZodType>(row: Row) =>
  z.object({ success: z.literal(true), data: z.array(row) })

/** A GET call of visitors and what it answers. */
export const ANSWERS: readonly (readonly [key: string, call: string, reply: z.ZodType])[] = [
  ['7 prices of Bitcoin', 'GET /api/prices', z.array(pricePoint).min(1_000)],
  ['7 prices of Bitcoin at the root', 'GET /prices', z.array(pricePoint).min(1_000)],
  ['7 last price', 'GET /live-price', z.object({ price: usd.positive() })],
  ['7 predictions of Bitcoin', 'GET /api/predictions', z.array(publicPrediction).min(50)],
  [
    '3 asset of the Bitcoin list',
    'GET /api/predictions',
    z.array(z.object({ asset_type: z.literal('btc') })),
  ],
  ['7 prices of MSTR', 'GET /api/mstr/prices', envelope(pricePoint)],
  ['7 predictions of MSTR', 'GET /api/mstr/predictions', envelope(assetPrediction)],
  ['7 prices of NAKA', 'GET /api/naka/prices', envelope(pricePoint)],
  ['7 predictions of NAKA', 'GET /api/naka/predictions', envelope(assetPrediction)],
  [
    '7 figures of the landing page',
    'GET /api/intro/metrics',
    z.object({
      success: z.literal(true),
      data: z.object({
        totalPredictions: z.int().positive(),
        averagePrediction: usd.positive(),
        predictionSpread: usd.positive(),
        medianPrediction: usd.positive(),
        lowestPrediction: usd.positive(),
        highestPrediction: usd.positive(),
      }),
    }),
  ],
  ['7 description of the calls', 'GET /api/openapi.json', z.object({ openapi: z.string() })],
]

export const PAYMENT_TERMS = {
  '9 smallest amount': ['min_sats', 1],
  '9 largest amount': ['max_sats', 100_000],
  '9 amount it opens with': ['default_sats', 1],
  '9 quick picks': ['quick_picks', [1, 21, 500, 1_000, 2_100]],
  '9 pause between polls': ['poll_ms', 2_000],
  '9 most polls': ['polls', 300],
} as const

/** Refused invoice amounts and the reasons. */
export const AMOUNTS_REFUSED: readonly (readonly [key: string, amount: unknown])[] = [
  ['5 amount: nothing', 0],
  ['5 amount: below the smallest', -1],
  ['5 amount: above the largest', 100_001],
  ['5 amount: part of a sat', 1.5],
  ['5 amount: no number', 'many'],
]
export const AMOUNTS_TAKEN: readonly (readonly [key: string, amount: number])[] = [
  ['5 amount: the smallest', 1],
  ['5 amount: the largest', 100_000],
]

export const FORM = {
  expert_name: 'Jane Contract',
  twitter_handle: '@janedoe',
  nostr_npub: '',
  prediction_type: 'target',
  target_time: '2027-12-31',
  submitter_email: '',
  notes: 'Said on stage.',
  source_url: 'https://example.org/said',
  asset_type: 'btc',
  price_prediction: '$150,000',
  price_min: null,
  price_max: null,
} as const

/** Changes to the form, and the message below a field; empty for none. */
export const FORM_FAULTS: readonly (readonly [
  key: string,
  given: object,
  field: string,
  message: string | null,
])[] = [
  [
    '5 expert_name',
    { expert_name: ' ' },
    'expert_name',
    'Please enter the name of the person who made this prediction.',
  ],
  [
    '5 price_target of a target',
    { price_prediction: '' },
    'price_target',
    'Please enter the price target.',
  ],
  [
    '5 price_min of a range',
    { prediction_type: 'range', price_prediction: '', price_max: 5 },
    'price_min',
    'Please enter the minimum price.',
  ],
  [
    '5 price_max of a range',
    { prediction_type: 'range', price_prediction: '', price_min: 5 },
    'price_max',
    'Please enter the maximum price.',
  ],
  [
    '5 price_min of a pricetimerange',
    { prediction_type: 'pricetimerange', price_prediction: '' },
    'price_min',
    'Please enter the minimum price.',
  ],
  [
    '5 level of a top',
    { prediction_type: 'top', price_prediction: '' },
    'price_target',
    'Please enter the price ceiling/top.',
  ],
  [
    '5 level of a bottom',
    { prediction_type: 'bottom', price_prediction: '' },
    'price_target',
    'Please enter the price floor/bottom.',
  ],
  [
    '5 target_time',
    { target_time: '' },
    'target_time',
    'Please enter when this price is predicted to be reached.',
  ],
  [
    '5 submitter_email',
    { submitter_email: 'me@' },
    'submitter_email',
    'Please enter a valid email address.',
  ],
  ['5 submitter_email in capitals', { submitter_email: 'ME@EXAMPLE.ORG' }, 'submitter_email', null],
  ['5 submitter_email is optional', { submitter_email: '' }, 'submitter_email', null],
  ['5 twitter_handle is optional', { twitter_handle: '' }, 'twitter_handle', null],
  ['5 nostr_npub is optional', { nostr_npub: '' }, 'nostr_npub', null],
  ['5 source_url is optional', { source_url: '' }, 'source_url', null],
  ['5 notes are optional', { notes: '' }, 'notes', null],
  [
    '5 minimum above maximum',
    { prediction_type: 'range', price_min: 7, price_max: 5 },
    'price_min',
    'The minimum price must be below the maximum price.',
  ],
  [
    '5 level of zero',
    { price_prediction: '', price_target: 0 },
    'price_target',
    'Please enter a price above zero.',
  ],
  [
    '5 date that does not exist',
    { target_time: '2027-02-30' },
    'target_time',
    'Please enter a real date.',
  ],
  [
    '5 date not after the day it was said',
    { target_time: '2026-11-20' },
    'target_time',
    'The target date (20/11/2026) must be after the day the prediction was made (20/11/2026).',
  ],
]

/** The sent fields, and how the level is shown. */
export const LEVELS_SHOWN: readonly (readonly [key: string, given: object, shown: string])[] = [
  ['5 text of a target', { price_target: 150_000 }, '$150,000'],
  ['5 text of a target of a text', { price_prediction: '$150,000' }, '$150,000'],
  ['5 text of a top', { prediction_type: 'top', price_max: 150_000 }, '$150,000'],
  ['5 text of a bottom', { prediction_type: 'bottom', price_min: 150_000 }, '$150,000'],
  [
    '5 text of a range',
    { prediction_type: 'range', price_min: 80_000, price_max: 120_000 },
    '$80,000 - $120,000',
  ],
  [
    '5 text of a pricetimerange',
    { prediction_type: 'pricetimerange', price_min: 80_000, price_max: 80_000 },
    '$80,000',
  ],
  [
    '5 range of a text',
    { prediction_type: 'range', price_prediction: '80,000 - 120,000' },
    '$80,000 - $120,000',
  ],
  ['5 commas are dropped', { price_target: '1,234,567' }, '$1,234,567'],
  ['5 thousands with a dot', { price_target: '100.000' }, '$100,000'],
  ['5 cents', { asset_type: 'naka', price_target: '0.25' }, '$0.25'],
]

/** The level fields of a published prediction. */
export const LEVELS_STORED: readonly (readonly [
  key: string,
  given: object,
  fields: Readonly<Record<string, number | null>>,
])[] = [
  [
    '5 a target has its level in price_target',
    { price_prediction: '$150,000' },
    { price_target: 150_000, price_min: null, price_max: null },
  ],
  [
    '5 a range has two levels',
    { prediction_type: 'range', price_min: 80_000, price_max: 120_000 },
    { price_target: null, price_min: 80_000, price_max: 120_000 },
  ],
  [
    '5 a pricetimerange has its level in both',
    { prediction_type: 'pricetimerange', price_min: 80_000, price_max: 80_000 },
    { price_target: null, price_min: 80_000, price_max: 80_000 },
  ],
  [
    '5 a top has its level in price_max',
    { prediction_type: 'top', price_max: 500_000 },
    { price_target: null, price_min: null, price_max: 500_000 },
  ],
  [
    '5 a bottom has its level in price_min',
    { prediction_type: 'bottom', price_min: 20_000 },
    { price_target: null, price_min: 20_000, price_max: null },
  ],
]

export const INVOICE = z.object({
  invoice: z.object({
    payment_request: z.string().regex(/^lnbc/),
    payment_hash: z.string().regex(/^[\da-f]{64}$/),
    checking_id: z.string(),
  }),
})

/** Calls for administrators only; others get a hint how to submit. */
export const UNPAID_WAYS = ['/api/submissions', '/api/mstr/submissions', '/api/naka/predictions']

export const REFUSAL = z.object({
  success: z.literal(false),
  error: z.string().min(1),
  message: z.string().min(1),
})
