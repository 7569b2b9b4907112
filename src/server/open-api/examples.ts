// Over 400 lines: one example an answer of the documented calls.
import { ASSET_KEYS } from '#domain/asset.ts'
import { type JudgedPrediction } from '#server/judging/judging.service.ts'

/** How a call is made. Where it may be made at any time, its answer is that of this site; else `reply` shows one. */
export type Example = {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly reply?: unknown
  /** Refusals besides those of all calls. */
  readonly refused?: readonly ('404' | '501')[]
  /** Shown where this site has no such answer. */
  readonly otherwise?: unknown
}

const TOKEN = 'q8Zk3vYd2nXw7sLbRt5Jm9Pc'
/** The invoice that BOLT 11 itself has as an example: 2,500 microbitcoin for a cup of coffee. */
const INVOICE = {
  payment_request:
    'lnbc2500u1pvjluezsp5zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zygspp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqypqdq5xysxxatsyp3k7enxv4jsxqzpu9qrsgquk0rl77nj30yxdy8j9vdx85fkpmdla2087ne0xh8nhedh8w27kyke0lp53ut353s06fv3qfegext0eh0ymjpf39tuven09sam30g4vgpfna3rh',
  payment_hash: '0001020304050607080900010203040506070809000102030405060708090102',
}
const SUBMISSION = {
  asset_type: 'btc',
  expert_name: 'Expert A',
  prediction_type: 'target',
  price_target: '150000',
  timing: 'by',
  target_time: '2030-12-31',
  prediction_made: '2026-11-20',
  source_url: 'https://example.org/said',
}
const STATE = { paid: false, status: 'pending', late: false, overpaid: false, checked: true }
const PAID = { ...STATE, paid: true, status: 'paid' }
const MADE = {
  invoice: { ...INVOICE, checking_id: TOKEN },
  sats: 250_000,
  expires_at: '2026-11-24T12:15:00.000Z',
  expires_in_ms: 900_000,
  demonstration: false,
  receipt: { token: TOKEN, path: `/receipt/${TOKEN}` },
}
const RECEIPT = {
  path: `/receipt/${TOKEN}`,
  created_at: '2026-11-24T12:00:00.000Z',
  submission: {
    asset_type: 'btc',
    expert_name: 'Expert A',
    twitter_handle: null,
    nostr_npub: null,
    prediction_type: 'target',
    price_prediction: '$150,000',
    price_target: 150_000,
    price_min: null,
    price_max: null,
    timing: 'by',
    direction: null,
    target_time: '2030-12-31',
    prediction_made: '2026-11-20',
    made_precision: 'day',
    source_url: 'https://example.org/said',
    notes: '',
  },
  demonstration: false,
  payment: {
    paid: false,
    paid_at: null,
    sats: 0,
    asked_sats: null,
    received_msat: null,
    late: false,
    overpaid_sats: 0,
    tries: [],
  },
  review: { status: 'unpaid', comment: null, decided_at: null },
  prediction: null,
  contact: null,
  state: 'This submission has not been paid yet.',
  hint: null,
}
const FOLLOWED = { kind: 'asset', subject: 'btc', title: 'Bitcoin', path: '/btc' }
const LNURL_OFFER = {
  tag: 'payRequest',
  callback: 'https://example.org/api/v1/lnurlp/tips/callback',
  minSendable: 1_000,
  maxSendable: 100_000_000,
  metadata: '[["text/plain","Support example.org"],["text/identifier","tips@example.org"]]',
  commentAllowed: 200,
}
const SUPPORT_RECEIPT = {
  path: `/receipt/${TOKEN}`,
  purpose: 'boost',
  report: null,
  status: 'pending',
  sats: 250_000,
  demonstration: false,
  created_at: '2026-11-24T12:00:00.000Z',
  paid_at: null,
  bolt11: INVOICE.payment_request,
  open: true,
  checking_id: TOKEN,
  payment_hash: INVOICE.payment_hash,
  preimage: null,
  credited_sats: 0,
  prediction: { path: '/predictions/a-prediction', text: 'Expert A: BTC $150,000' },
  state: 'Waiting for the payment.',
}
const KEY = '7e7e9c42a91bfef19fa929e5fda1b72e0ebc1a4c1141673e2794234d86addf4e'
const EVENT_ID = '5c83da77af1dec6d7289834998ad7aafbd9e2191396d75ec3cc27f5a77226f36'
/** The shape of it: keys and signatures that prove nothing. */
const SIGNED = {
  npub: 'npub10elfcs4fr0l0r8af98jlmgdh9c8tcxjvz9qkw038js35mp4dma8qzvjptg',
  pubkey: KEY,
  naddr: 'naddr1…',
  in_force: [
    {
      id: EVENT_ID,
      pubkey: KEY,
      created_at: 1_763_985_600,
      kind: 36_613,
      tags: [['d', 'a-prediction']],
      content: '{"v":1,"id":"a-prediction","state":"published"}',
      sig: EVENT_ID + EVENT_ID,
    },
  ],
  earlier: [],
}
const REPLY_TOKEN = 'q8Zk3vYd2nXw7sLbRt5Jm9Pcq8Zk3vYd'
const REPLY_ID = '6f1c3f6e-8a3b-4d8e-9b1a-000000000000'
const REPLY_WAYS = {
  name: 'Expert A',
  npubs: [SIGNED.npub],
  handles: ['@expert_a'],
  email: 'someone@example.org',
  within_days: 7,
  waiting: 0,
}
const PREPARED_REPLY = {
  text: 'I said by the end of 2027.',
  link: null,
  unsigned: {
    kind: 26_613,
    created_at: 1_763_985_600,
    tags: [['u', 'https://example.org/predictions/a-prediction']],
    content: 'I said by the end of 2027.',
  },
  code: 'proofofprice-7K3M-QX2V',
  sentence:
    'I sign my reply on https://example.org/predictions/a-prediction: proofofprice-7K3M-QX2V',
  ticket: 'T',
}
const SIGNED_REPLY = {
  ...PREPARED_REPLY.unsigned,
  id: EVENT_ID,
  pubkey: KEY,
  sig: EVENT_ID + EVENT_ID,
}
const OWN_REPLY = {
  state: 'waiting',
  text: 'I said by the end of 2027.',
  link: null,
  path: '/predictions/a-prediction',
  received_at: '2026-11-24T12:00:00.000Z',
  published_at: null,
  ended_at: null,
  answer_by: '2026-12-01T12:00:00.000Z',
  reason: null,
}
const WITHDRAWN_REPLY = {
  success: true,
  message: 'Your reply is withdrawn, and its text is deleted.',
}
const SUBMITTED = {
  body: SUBMISSION,
  reply: { success: true, submission: { id: TOKEN }, message: 'Submitted for review.' },
}

const BROWSER = {
  endpoint: 'https://push.example.org/a-browser',
  keys: {
    p256dh:
      'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  },
}

function followExamples(token: Example): Readonly<Record<string, Example>> {
  return {
    'GET /api/v1/follow': { query: { kind: 'asset', subject: ASSET_KEYS[0] } },
    'POST /api/v1/follow': {
      body: { kind: 'asset', subject: ASSET_KEYS[0], email: 'someone@example.org', every: 'week' },
      reply: { asked: true },
    },
    'POST /api/v1/follow/browser': {
      body: { kind: 'asset', subject: ASSET_KEYS[0], subscription: BROWSER, wants: 'follow' },
      reply: { follows: true },
    },
    'POST /api/v1/follow/browser/renew': {
      body: {
        before: BROWSER,
        subscription: { ...BROWSER, endpoint: 'https://push.example.org/the-same-browser' },
      },
      reply: { follows: true },
    },
    'GET /api/v1/following/{token}': {
      ...token,
      reply: { confirmed: true, shown: 's…@example.org', every: 'week', follows: [FOLLOWED] },
    },
    'POST /api/v1/following/{token}/confirm': {
      ...token,
      body: {},
      reply: { shown: 's…@example.org', title: 'Bitcoin', every: 'week', token: TOKEN },
    },
    'POST /api/v1/following/{token}/follow': {
      ...token,
      body: { kind: 'asset', subject: ASSET_KEYS[0] },
      reply: { shown: 's…@example.org', title: 'Bitcoin' },
    },
    'POST /api/v1/following/{token}/every': {
      ...token,
      body: { every: 'day' },
      reply: { every: 'day' },
    },
    'POST /api/v1/following/{token}/unfollow': {
      ...token,
      body: { kind: 'asset', subject: ASSET_KEYS[0] },
      reply: { left: 0 },
    },
    'POST /api/v1/following/{token}/end': { ...token, body: {}, reply: { deleted: true } },
    'POST /api/v1/following/{token}/refuse': { ...token, body: {}, reply: { refused: true } },
  }
}

const OF_BITCOIN = { params: { asset: ASSET_KEYS[0] } }
const OF_ASSETS: Readonly<Record<string, Example>> = {
  'GET /api/v1/assets': {},
  'GET /api/v1/assets/{asset}/dashboard': { ...OF_BITCOIN, query: { status: 'miss' } },
  'GET /api/v1/assets/{asset}/closes': OF_BITCOIN,
  'GET /api/v1/assets/{asset}/calls': { ...OF_BITCOIN, query: { status: 'miss' } },
  'GET /api/v1/assets/{asset}/targets': { ...OF_BITCOIN, query: { judge: 'close' } },
  'GET /api/v1/assets/{asset}/people': { ...OF_BITCOIN, query: { q: 'exp' } },
}

/**
 * An example of each public call, by its method and path, about what is on the record of this site.
 *
 * @param newest the newest prediction
 * @param origin the address of the site, without a slash at the end
 */
export function examplesOf(
  newest: Pick<JudgedPrediction, 'id' | 'expert'> | undefined,
  origin: string,
): Readonly<Record<string, Example>> {
  const id = newest?.id ?? 'a-prediction'
  const prediction = { params: { id } }
  const subject = { kind: 'prediction', id }
  const asset = { params: { asset: ASSET_KEYS[0] } }
  const token = { params: { token: TOKEN } }
  const tips = { params: { name: 'tips' } }
  const checking = { params: { checkingId: TOKEN } }
  return {
    'GET /api/prices': {},
    'GET /prices': {},
    'GET /api/mstr/prices': {},
    'GET /api/naka/prices': {},
    'GET /api/predictions': { query: { limit: '2' } },
    'GET /api/mstr/predictions': { query: { limit: '2' } },
    'GET /api/naka/predictions': { query: { limit: '2' } },
    'GET /api/intro/metrics': {},
    'GET /api/v1/ranges/{asset}': { ...asset, query: { from: '2024-01-01', to: '2024-01-31' } },
    'GET /live-price': { query: { asset: 'btc' } },
    'GET /api/v1/predictions/{id}': prediction,
    'GET /api/v1/predictions/{id}/bars': prediction,
    'GET /api/v1/predictions/{id}/past': { ...prediction, query: { day: '2024-01-31' } },
    'GET /api/v1/experts/{slug}': { params: { slug: newest?.expert.slug ?? 'a-person' } },
    'GET /api/v1/experts': {},
    ...OF_ASSETS,
    'GET /api/v1/search': { query: { q: '100k 2024' } },
    'GET /api/v1/page': { query: { url: '/about' } },
    'GET /api/v1/scores': { query: { mode: 'touch' } },

    'GET /oembed': { query: { url: `${origin}/btc?status=miss` }, refused: ['404', '501'] },
    'GET /api/v1/status': {},
    'POST /api/v1/replies/ways': { body: { subject }, reply: REPLY_WAYS },
    'POST /api/v1/replies/prepare': {
      body: { subject, text: 'I said by the end of 2027.' },
      reply: PREPARED_REPLY,
    },
    'POST /api/v1/replies': {
      body: {
        subject,
        text: 'I said by the end of 2027.',
        proof: { way: 'nostr', event: SIGNED_REPLY },
      },
      reply: {
        token: REPLY_TOKEN,
        message: 'Thank you. Your reply is read and answered within 7 days.',
      },
    },
    'GET /api/v1/replies/own/{token}': { params: { token: REPLY_TOKEN }, reply: OWN_REPLY },
    'POST /api/v1/replies/own/{token}/withdraw': {
      params: { token: REPLY_TOKEN },
      body: {},
      reply: WITHDRAWN_REPLY,
    },
    'GET /api/v1/replies/{id}/withdrawal': {
      params: { id: REPLY_ID },
      reply: { unsigned: PREPARED_REPLY.unsigned },
    },
    'POST /api/v1/replies/{id}/withdraw': {
      params: { id: REPLY_ID },
      body: { event: SIGNED_REPLY },
      reply: WITHDRAWN_REPLY,
    },
    'GET /api/v1/record/{id}': { ...prediction, otherwise: SIGNED },
    'GET /api/v1/record/{id}/proofs': { ...prediction, otherwise: { events: [] } },
    'GET /api/v1/snapshots': {},
    'GET /api/v1/payments/options': {},
    'POST /api/v1/submissions/preview': { body: { submissionData: SUBMISSION } },
    'POST /api/payments/create-invoice': {
      body: { amount: 250_000, submissionData: SUBMISSION },
      reply: MADE,
    },
    'POST /api/v1/receipts/{token}/invoice': { ...token, body: { amount: 250_000 }, reply: MADE },
    'POST /api/v1/predictions/{id}/boost': {
      ...prediction,
      body: { amount: 250_000 },
      reply: MADE,
    },
    'GET /api/v1/payments/{checkingId}/receipt': { ...checking, reply: SUPPORT_RECEIPT },
    'GET /.well-known/lnurlp/{name}': { ...tips, reply: LNURL_OFFER },
    'GET /api/v1/lnurlp/{name}/callback': {
      ...tips,
      query: { amount: '21000', comment: 'Keep going' },
      reply: {
        pr: INVOICE.payment_request,
        routes: [],
        verify: `${origin}/api/v1/lnurlp/tips/verify/${TOKEN}`,
        successAction: {
          tag: 'url',
          description: 'Thank you! Your receipt:',
          url: `${origin}/receipt/${TOKEN}`,
        },
      },
    },
    'GET /api/v1/lnurlp/{name}/verify/{checkingId}': {
      params: { name: 'tips', checkingId: TOKEN },
      reply: { status: 'OK', settled: false, preimage: null, pr: INVOICE.payment_request },
    },
    'GET /.well-known/nostr.json': { query: { name: '_' } },
    'GET /api/payments/check-payment/{checkingId}': { ...checking, reply: STATE },
    'POST /api/v1/payments/{checkingId}/cancel': {
      ...checking,
      reply: { ...STATE, status: 'cancelled' },
    },
    'POST /api/v1/payments/{checkingId}/hint': { ...checking, body: {}, reply: { looked: true } },
    'POST /api/v1/payments/{checkingId}/demonstration-payment': { ...checking, reply: PAID },
    'GET /api/v1/receipts/{token}': { ...token, reply: RECEIPT },
    'POST /api/v1/receipts/{token}/contact': {
      ...token,
      body: { contact: 'someone@example.org', kind: 'email' },
      reply: { contact: { kind: 'email', shown: 's…@example.org', confirmed: false } },
    },
    'POST /api/v1/receipts/{token}/unsubscribe': {
      ...token,
      body: {},
      reply: { unsubscribed: true },
    },
    'POST /api/v1/mail/{token}/confirm': {
      ...token,
      body: {},
      reply: { confirmed: true, shown: 's…@example.org' },
    },
    'POST /api/v1/mail/{token}/refuse': { ...token, body: {}, reply: { refused: true } },
    ...followExamples(token),
    'POST /api/submissions': SUBMITTED,
    'POST /api/mstr/submissions': SUBMITTED,
    'POST /api/naka/predictions': SUBMITTED,
    'POST /api/v1/reports': {
      body: {
        prediction: id,
        kind: 'date',
        explanation: 'It was said a year later, as the date of the video shows.',
        source: 'https://example.org/said',
      },
      reply: {
        success: true,
        message: 'Thank you. This is report 5.',
        number: 5,
        path: '/reports/5',
        known: false,
      },
      refused: ['404'],
    },
    'GET /api/v1/live': { query: { asset: 'btc' }, reply: EVENTS },
    'GET /api/v1/receipts/{token}/events': { ...token, reply: RECEIPT_EVENTS },
  }
}

const PRICE = {
  price: 98_000.5,
  asset: 'btc',
  at: 1_763_985_600_000,
  source: 'kraken',
  now: 1_763_985_600_400,
}
const EVENTS = `event: price\ndata: ${JSON.stringify(PRICE)}\n\n`
const RECEIPT_EVENTS = `event: receipt\ndata: ${JSON.stringify(RECEIPT)}\n\n`
