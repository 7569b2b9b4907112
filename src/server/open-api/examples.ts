import { z } from 'zod'
import { ASSET_KEYS } from '#domain/asset.ts'
import { type JudgedPrediction } from '#server/judging/judging.service.ts'

const TOKEN = 'q8Zk3vYd2nXw7sLbRt5Jm9Pc'
const KEY = '7e7e9c42a91bfef19fa929e5fda1b72e0ebc1a4c1141673e2794234d86addf4e'
const HASH = '5c83da77af1dec6d7289834998ad7aafbd9e2191396d75ec3cc27f5a77226f36'
const NPUB = 'npub10elfcs4fr0l0r8af98jlmgdh9c8tcxjvz9qkw038js35mp4dma8qzvjptg'
/** The example invoice of BOLT 11: 2,500 microbitcoin for a cup of coffee. */
const BOLT11 =
  'lnbc2500u1pvjluezsp5zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zygspp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqypqdq5xysxxatsyp3k7enxv4jsxqzpu9qrsgquk0rl77nj30yxdy8j9vdx85fkpmdla2087ne0xh8nhedh8w27kyke0lp53ut353s06fv3qfegext0eh0ymjpf39tuven09sam30g4vgpfna3rh'

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
const PRICE = {
  price: 98_000.5,
  asset: 'btc',
  at: 1_763_985_600_000,
  source: 'kraken',
  now: 1_763_985_600_400,
}

/** Examples by field name, used if the schema accepts them. Keys, hashes and signatures are not real. */
const FIELDS: Readonly<Record<string, unknown>> = {
  // People and predictions
  name: 'Expert A',
  expert_name: 'Expert A',
  title: 'Bitcoin',
  path: '/receipt/' + TOKEN,
  price_prediction: '$150,000',
  price_target: 150_000,
  text: 'I said by the end of 2027.',
  content: 'I said by the end of 2027.',
  explanation: 'It was said a year later, as the date of the video shows.',
  source: 'https://example.org/said',
  source_url: 'https://example.org/said',
  handles: ['@expert_a'],
  state: 'Waiting for the payment.',
  message: 'Thank you.',
  number: 5,
  notes: '',
  prediction: 'a-prediction',
  signed_at: '2026-11-24T12:00:00.000Z',
  // Payments
  amount: 250_000,
  sats: 250_000,
  submissionData: SUBMISSION,
  payment_request: BOLT11,
  bolt11: BOLT11,
  pr: BOLT11,
  payment_hash: '0001020304050607080900010203040506070809000102030405060708090102',
  expires_in_ms: 900_000,
  status: 'pending',
  checked: true,
  open: true,
  looked: true,
  callback: 'https://example.org/api/v1/lnurlp/tips/callback',
  minSendable: 1_000,
  maxSendable: 100_000_000,
  metadata: '[["text/plain","Support example.org"],["text/identifier","tips@example.org"]]',
  commentAllowed: 200,
  verify: `https://example.org/api/v1/lnurlp/tips/verify/${TOKEN}`,
  description: 'Thank you! Your receipt:',
  url: `https://example.org/receipt/${TOKEN}`,
  // Mail and following
  email: 'someone@example.org',
  contact: 'someone@example.org',
  shown: 's…@example.org',
  kind: 'asset',
  subject: 'btc',
  confirmed: true,
  follows: true,
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  endpoint: 'https://push.example.org/a-browser',
  // Nostr
  npub: NPUB,
  npubs: [NPUB],
  naddr: 'naddr1…',
  pubkey: KEY,
  created_at: 1_763_985_600,
  tags: [['u', 'https://example.org/predictions/a-prediction']],
  code: 'proofofprice-7K3M-QX2V',
  sentence:
    'I sign my reply on https://example.org/predictions/a-prediction: proofofprice-7K3M-QX2V',
  within_days: 7,
}

/** Tried in this order for strings without an example by name or format. */
const TEXTS = [TOKEN, 'q8Zk3vYd2nXw7sLbRt5Jm9Pcq8Zk3vYd', HASH, HASH + HASH, '2026-11-20']

const FORMATS: Readonly<Record<string, string>> = {
  date: '2026-11-20',
  'date-time': '2026-11-24T12:00:00.000Z',
  uuid: '6f1c3f6e-8a3b-4d8e-9b1a-000000000000',
  uri: 'https://example.org/said',
}

const Schema = z.looseObject({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  const: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  default: z.unknown().optional(),
  format: z.string().optional(),
  pattern: z.string().optional(),
  minimum: z.number().optional(),
  not: z.unknown().optional(),
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
  items: z.unknown().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).default([]),
})
type Schemas = Readonly<Record<string, unknown>>

/** A value that matches a schema. @param isWhole includes optional fields */
export function valueOf(value: unknown, schemas: Schemas, isWhole: boolean, name = ''): unknown {
  const schema = Schema.parse(value)
  const of = (inner: unknown, field = name) => valueOf(inner, schemas, isWhole, field)
  const known = FIELDS[name]
  if (schema.$ref !== undefined) {
    const referred = schemas[schema.$ref.replace('#/components/schemas/', '')]
    return typeof known === 'object' ? known : of(referred)
  }
  const types = [schema.type ?? []].flat()
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum.includes(known) ? known : schema.enum[0]
  if (schema.default !== undefined) return schema.default
  const options = schema.anyOf ?? schema.oneOf
  if (options) {
    const fitting = options.find((one) => isOf(known, Schema.parse(one)))
    const hasNull = options.some((one) => Schema.parse(one).type === 'null')
    return fitting === undefined && hasNull ? null : of(fitting ?? options[0])
  }
  if (isOf(known, schema)) return known
  if (types.includes('null')) return null
  if (types.includes('object')) {
    const { properties = {}, required } = schema
    const fields = Object.entries(properties).filter(
      ([field]) => isWhole || required.includes(field),
    )
    return Object.fromEntries(fields.map(([field, inner]) => [field, of(inner, field)]))
  }
  if (types.includes('array')) return Schema.parse(schema.items ?? {}).not ? [] : [of(schema.items)]
  if (types.includes('boolean')) return false
  if (types.includes('string')) {
    const pattern = new RegExp(schema.pattern ?? '', 'u')
    return FORMATS[schema.format ?? ''] ?? TEXTS.find((text) => pattern.test(text))
  }
  return schema.type === undefined ? {} : Math.max(0, schema.minimum ?? 0)
}

function isOf(value: unknown, { type, pattern, format }: z.infer<typeof Schema>): boolean {
  if (value === undefined) return false
  const own = Array.isArray(value) ? 'array' : typeof value
  const isType = [type ?? []]
    .flat()
    .some((one) => one === own || (one === 'integer' && own === 'number'))
  if (!isType || typeof value !== 'string') return isType
  return format === undefined && new RegExp(pattern ?? '', 'u').test(value)
}

export type Example = {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly body?: unknown
  /** Whether to show this site's response; otherwise, and without one, it is generated from the schema. */
  readonly isRequested: boolean
}

/** Queries for calls whose example is better with one. */
const QUERIES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '/api/predictions': { limit: '2' },
  '/api/mstr/predictions': { limit: '2' },
  '/api/naka/predictions': { limit: '2' },
  '/api/v1/ranges/{asset}': { from: '2024-01-01', to: '2024-01-31' },
  '/live-price': { asset: 'btc' },
  '/api/v1/predictions/{id}/past': { day: '2024-01-31' },
  '/api/v1/assets/{asset}/dashboard': { status: 'miss' },
  '/api/v1/assets/{asset}/calls': { status: 'miss' },
  '/api/v1/assets/{asset}/targets': { judge: 'close' },
  '/api/v1/assets/{asset}/people': { q: 'exp' },
  '/api/v1/search': { q: '100k 2024' },
  '/api/v1/page': { url: '/about' },
  '/api/v1/scores': { mode: 'touch' },
  '/.well-known/nostr.json': { name: '_' },
  '/api/v1/follow': { kind: 'asset', subject: ASSET_KEYS[0] },
  '/api/v1/lnurlp/{name}/callback': { amount: '21000', comment: 'Keep going' },
  '/api/v1/live': { asset: 'btc' },
}

const SUBMITS = new Set(['/api/submissions', '/api/mstr/submissions', '/api/naka/predictions'])

type Call = {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly parameters?: readonly { name: string; in: string; schema?: unknown }[] | undefined
}

/**
 * An example of a public call, about this site's record.
 * @param newest the newest prediction
 * @param origin without a trailing slash
 */
export function exampleOf(
  { method, path, body, parameters = [] }: Call,
  schemas: Schemas,
  {
    newest,
    origin,
  }: { newest: Pick<JudgedPrediction, 'id' | 'expert'> | undefined; origin: string },
): Example {
  const id = newest?.id ?? 'a-prediction'
  const recorded = { asset: ASSET_KEYS[0], id, slug: newest?.expert.slug ?? 'a-person' }
  const known = new Map<string, string>(Object.entries({ ...recorded, name: 'tips' }))
  const inPath = parameters.filter((one) => one.in === 'path')
  const params = Object.fromEntries(
    inPath.map(({ name, schema = {} }) => {
      const value = known.get(name)
      const fits = value !== undefined && isOf(value, Schema.parse(schema))
      return [name, fits ? value : String(valueOf(schema, schemas, false))]
    }),
  )
  const query = path === '/oembed' ? { url: `${origin}/btc?status=miss` } : QUERIES[path]
  const isRecorded = Object.entries(params).every(
    ([name, value]) => Object.hasOwn(recorded, name) && known.get(name) === value,
  )
  const isRequested =
    path === '/api/v1/submissions/preview' ||
    (method === 'GET' && path !== '/api/v1/live' && isRecorded)
  return {
    params,
    query: query ?? {},
    isRequested,
    ...(body !== undefined && {
      body: SUBMITS.has(path) ? SUBMISSION : valueOf(body, schemas, false),
    }),
  }
}

/** Example messages of the two streams, by path. */
export function eventOf(path: string, schemas: Schemas): string {
  const [name, data] = path.includes('receipts')
    ? ['receipt', valueOf(schemas['Receipt'], schemas, true)]
    : ['price', PRICE]
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}
