import { createHmac, randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { onlyTexts } from '#domain/clean-text.ts'
import { measurePost, SHORT_POST } from '#domain/publishing/post-length.ts'
import { SourceError } from '#server/kit/failure.ts'
import { callTo, httpCaller, isOk, type HttpAnswer, type HttpBody } from '#server/kit/http-call.ts'
import { type PublishSettings } from '#server/kit/settings/networks.ts'
import { jsonOrNull } from '#server/kit/text.ts'
import { type Clock } from '#server/kit/time.ts'
import { sha256 } from '#server/kit/tokens.ts'
import {
  PostFault,
  refusedPost,
  type AccountParts,
  type NotPosted,
  type Picture,
  type Publisher,
  type XLimits,
} from './ports.ts'

const CALL_MS = 30_000

type XAsk = {
  readonly method: 'GET' | 'POST'
  /** Below the base, such as `/2/tweets`. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: HttpBody
  readonly signal: AbortSignal
}
const SEGMENT_BYTES = 1_048_576
const MOST_STATUS_CALLS = 20
const MOST_STATUS_PAUSE_MS = 5_000
/** Number of newest posts searched; X charges for each. */
const MOST_SEARCHED = 10

const Id = z.string().regex(/^\d{1,19}$/)
const Posted = z.object({ data: z.object({ id: Id }) })
const Media = z.object({
  data: z.object({
    id: Id,
    processing_info: z
      .object({ state: z.string(), check_after_secs: z.number().nonnegative().optional() })
      .optional(),
  }),
})
const Me = z.object({ data: z.object({ id: Id, username: z.string().regex(/^\w{1,15}$/) }) })
const Newest = z.object({
  data: z
    .array(
      z.object({
        id: Id,
        text: z.string(),
        // X uses both names.
        note_tweet: z.object({ text: z.string() }).optional(),
        note_post: z.object({ text: z.string() }).optional(),
      }),
    )
    .optional(),
  meta: z.object({ result_count: z.number(), next_token: z.string().optional() }).optional(),
})
const text = z.string().optional()
/** Covers all shapes X has used. */
const Problem = z.object({
  title: text,
  detail: text,
  errors: z.array(z.object({ title: text, detail: text, message: text })).optional(),
})

/** Posts to one account on X, with OAuth 1.0a. Nothing is retried, as a second attempt would be a second post. */
export function xPublisher({
  url,
  keys,
  clock,
  callLimit = () => AbortSignal.timeout(CALL_MS),
}: {
  url: URL
  keys: OAuth1Keys
  clock: Clock
  callLimit?: () => AbortSignal
}): Publisher {
  const { call } = httpCaller('X')

  /** @param ifSent result if a request that may have arrived got no answer */
  async function send({ method, path, query, body, signal }: XAsk, ifSent: 'unsent' | 'unknown') {
    const address = callTo(url, path, query)
    const stamp = {
      nonce: randomBytes(16).toString('hex'),
      seconds: Math.floor(clock.now() / 1_000),
    }
    const headers = { authorization: oauth1Header(keys, { method, url: address }, stamp) }
    let state: 'unsent' | 'unknown' = 'unsent'
    const onConnected = (): void => {
      state = ifSent
    }
    const ending = AbortSignal.any([signal, callLimit()])
    try {
      return await call({ method, url: address, headers, body, signal: ending, onConnected })
    } catch (error) {
      if (!(error instanceof SourceError)) throw error
      throw new PostFault({ state, message: error.message })
    }
  }

  /** A call that publishes nothing, so a failure has no effect. */
  async function quiet(ask: XAsk): Promise<HttpAnswer> {
    const answer = await send(ask, 'unsent')
    if (isOk(answer)) return answer
    throw new PostFault(
      refusal(answer, null) ?? {
        state: 'unsent',
        message: `X has a problem (HTTP ${String(answer.status)}).`,
      },
    )
  }

  async function upload(picture: Picture, isAlone: boolean, signal: AbortSignal): Promise<string> {
    const bytes = Buffer.from(picture.bytes)
    const ask = async (method: 'GET' | 'POST', path: string, more: Partial<XAsk> = {}) =>
      read(Media, await quiet({ method, path: `/2/media/upload${path}`, signal, ...more })).data
    const isMoving = picture.type === 'image/gif' && isAlone
    const json = {
      media_type: picture.type,
      total_bytes: bytes.length,
      media_category: isMoving ? 'tweet_gif' : 'tweet_image',
    }
    const { id } = await ask('POST', '/initialize', { body: { json } })
    for (let segment = 0; segment * SEGMENT_BYTES < bytes.length; segment += 1) {
      const part = bytes.subarray(segment * SEGMENT_BYTES, (segment + 1) * SEGMENT_BYTES)
      const path = `/2/media/upload/${id}/append`
      await quiet({ method: 'POST', path, body: await multipart(segment, part), signal })
    }
    let { processing_info: work } = await ask('POST', `/${id}/finalize`)
    for (let call = 0; work && work.state !== 'succeeded'; call += 1) {
      if (work.state === 'failed') throw new PostFault(BAD_PICTURE)
      if (call === MOST_STATUS_CALLS) {
        throw new PostFault({ state: 'unsent', message: 'X is still busy with a picture.' })
      }
      await waited(work.check_after_secs ?? 1, signal)
      const query = { command: 'STATUS', media_id: id }
      work = (await ask('GET', '', { query })).processing_info
    }
    if (picture.alt !== '') {
      const metadata = { id, metadata: { alt_text: { text: picture.alt } } }
      const path = '/2/media/metadata'
      await quiet({ method: 'POST', path, body: { json: metadata }, signal })
    }
    return id
  }

  async function ownId(signal: AbortSignal): Promise<string> {
    // An account's token begins with its id, which saves a call that X charges for.
    return /^(\d{1,19})-/.exec(keys.token)?.[1] ?? (await me(signal)).id
  }

  async function me(signal: AbortSignal): Promise<z.infer<typeof Me>['data']> {
    return read(Me, await quiet({ method: 'GET', path: '/2/users/me', signal })).data
  }

  return {
    handle: null,

    whoAmI: async (signal) => (await me(signal)).username,

    async post({ text, pictures }, { signal, onLimits, beforePost }) {
      const ids: string[] = []
      for (const picture of pictures) {
        ids.push(await upload(picture, pictures.length === 1, signal))
      }
      const body = { json: { text, ...(ids.length > 0 ? { media: { media_ids: ids } } : {}) } }
      await beforePost()
      const ask = { method: 'POST', path: '/2/tweets', body, signal } as const
      const answer = await send(ask, 'unknown')
      const limits = limitsOf(answer)
      if (limits.length > 0) onLimits(limits)
      const { status } = answer
      if (!isOk(answer)) {
        // A server may fail after publishing.
        const message = `X had a problem (HTTP ${String(status)}) and did not say whether it posted.`
        throw new PostFault(refusal(answer, text) ?? { state: 'unknown', message })
      }
      const message = 'X answered, but not whether it posted.'
      return read(Posted, answer, { state: 'unknown', message }).data.id
    },

    async find({ text, sinceMs }, signal) {
      const answer = await quiet({
        method: 'GET',
        path: `/2/users/${await ownId(signal)}/tweets`,
        query: {
          max_results: String(MOST_SEARCHED),
          start_time: `${new Date(sinceMs).toISOString().slice(0, 19)}Z`,
          'tweet.fields': 'note_tweet',
        },
        signal,
      })
      const { data: newest = [], meta } = read(Newest, answer)
      const found = newest.find((one) =>
        isSameText(text, one.note_tweet?.text ?? one.note_post?.text ?? one.text),
      )
      if (found) return found.id
      // X may show fewer posts than exist, or answer with errors only.
      const isAll = meta !== undefined && meta.next_token === undefined
      if (isAll && newest.length === meta.result_count && newest.length < MOST_SEARCHED) return null
      const message =
        newest.length === 0
          ? 'X did not show the posts of the account. Please look there.'
          : 'It is not among the newest posts of the account. Please look there.'
      throw new PostFault({ state: 'unknown', message })
    },
  }
}

/** Waits as long as X asks for while it processes a picture. */
async function waited(seconds: number, signal: AbortSignal): Promise<void> {
  try {
    await pause(Math.min(seconds * 1_000, MOST_STATUS_PAUSE_MS), undefined, { signal })
  } catch {
    throw new PostFault({ state: 'unsent', message: 'X took too long with the pictures.' })
  }
}

const NONSENSE: NotPosted = { state: 'unsent', message: 'X sent an answer in an unexpected form.' }
const BAD_PICTURE = refusedPost(
  'pictures',
  'X cannot read one of the pictures. Please use another one.',
)

function read<T>(schema: z.ZodType<T>, { text }: HttpAnswer, otherwise = NONSENSE): T {
  const parsed = schema.safeParse(jsonOrNull(text))
  if (parsed.success) return parsed.data
  throw new PostFault(otherwise)
}

const NOT_JUDGED = 408

/** @param text of the post; null for calls that publish nothing @returns null if the outcome is unknown */
function refusal(answer: HttpAnswer, text: string | null): NotPosted | null {
  const { status } = answer
  if (status === 429) {
    const until = resetOf(answer)
    return { state: 'limited', until, message: 'X accepts no more posts for now (HTTP 429).' }
  }
  if (status < 400 || status >= 500 || status === NOT_JUDGED) return null
  const detail = messageOf(answer)
  const words = detail === '' ? '' : ` X says: ${detail}`
  const isLong =
    /too long|longer than|shorter|character limit/i.test(detail) ||
    (text !== null &&
      measurePost(text).weight > SHORT_POST &&
      /not permitted to perform/i.test(detail))
  if (status === 413) return refusedPost('pictures', 'One of the pictures is too large for X.')
  if (status === 401) {
    return refusedPost(
      'keys',
      'X does not accept the keys (HTTP 401). Check X_API_KEY, X_API_SECRET, X_ACCESS_TOKEN and X_ACCESS_SECRET.',
    )
  }
  if (status === 402) {
    return refusedPost(
      'no-credit',
      'The credit at X is used up (HTTP 402). Buy more in the developer console; nothing was posted.',
    )
  }
  if (status <= 403 && /duplicate/i.test(detail)) {
    return refusedPost('duplicate', 'This exact text is already on your X account.')
  }
  if (status <= 403 && isLong) {
    return refusedPost(
      'too-long',
      `X accepts at most ${String(SHORT_POST)} characters from an account without Premium, and this post is longer.`,
    )
  }
  return status === 403
    ? refusedPost(
        'not-permitted',
        `X does not permit this (HTTP 403). The keys must be allowed to write.${words}`,
      )
    : refusedPost('other', `X refuses this (HTTP ${String(status)}).${words}`)
}

/** X's own message, on one line and truncated. */
function messageOf({ text: answered }: HttpAnswer): string {
  const parsed = Problem.safeParse(onlyTexts(jsonOrNull(answered)))
  if (!parsed.success) return ''
  const { title, detail, errors = [] } = parsed.data
  const inner = errors.map((one) => one.detail ?? one.message ?? one.title ?? '')
  const text = [detail ?? title ?? '', ...inner].find((one) => one.trim() !== '') ?? ''
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, 200)
}

/** Rate limit windows in the headers. */
function limitsOf({ headers }: HttpAnswer): XLimits {
  return ['x-rate-limit-', 'x-app-limit-24hour-', 'x-user-limit-24hour-'].flatMap((prefix) => {
    const value = (name: string): number => Number(headers[`${prefix}${name}`] ?? NaN)
    const [limit, remaining, reset] = [value('limit'), value('remaining'), value('reset')]
    const isWhole = [limit, remaining, reset].every((one) => Number.isSafeInteger(one) && one >= 0)
    return isWhole ? [{ limit, remaining, resetMs: reset * 1_000 }] : []
  })
}

/** When X accepts posts again: the latest reset of the exhausted windows; null if unknown. */
function resetOf(answer: HttpAnswer): number | null {
  const windows = limitsOf(answer)
  const used = windows.filter((one) => one.remaining === 0)
  const resets = (used.length > 0 ? used : windows).map((one) => one.resetMs)
  return resets.length > 0 ? Math.max(...resets) : null
}

/** X rewrites links, adds one for pictures, and escapes three characters. */
function isSameText(sent: string, published: string): boolean {
  const plain = (text: string): string =>
    text
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&')
      .normalize('NFC')
      .replaceAll(/https?:\/\/t\.co\/\w+/g, '\u0000')
      .replaceAll(/\s+/g, ' ')
      .trim()
  let expected = sent.normalize('NFC')
  for (const link of measurePost(expected).links) expected = expected.replace(link, '\u0000')
  const [a, b] = [plain(expected), plain(published)]
  return a === b || b === `${a} \u0000`
}

async function multipart(segment: number, part: Buffer): Promise<HttpBody> {
  const form = new FormData()
  form.append('segment_index', String(segment))
  form.append('media', new Blob([Uint8Array.from(part)]), 'picture')
  const encoded = new Response(form)
  return {
    type: encoded.headers.get('content-type') ?? '',
    bytes: Buffer.from(await encoded.arrayBuffer()),
  }
}

/** The account on X; null if not configured. */
export function xAccountOf({ x }: PublishSettings, clock: Clock): AccountParts | null {
  if (!x) return null
  const { key, token } = x.keys
  return {
    publisher: xPublisher({ ...x, clock }),
    keyHash: sha256(`${x.url.origin} ${key} ${token}`),
  }
}

/** Of an application and an account; all but the first and third are secrets. */
type OAuth1Keys = NonNullable<PublishSettings['x']>['keys']

/**
 * The Authorization header of OAuth 1.0a with HMAC-SHA1. Signs method, address and query, but not JSON and multipart bodies.
 * @param nonce unique
 * @param seconds Unix time; X rejects clocks that are minutes off
 * @see https://www.rfc-editor.org/rfc/rfc5849
 */
function oauth1Header(
  keys: OAuth1Keys,
  { method, url }: { readonly method: string; readonly url: URL },
  { nonce, seconds }: { readonly nonce: string; readonly seconds: number },
): string {
  const oauth: readonly (readonly [string, string])[] = [
    ['oauth_consumer_key', keys.key],
    ['oauth_nonce', nonce],
    ['oauth_signature_method', 'HMAC-SHA1'],
    ['oauth_timestamp', String(seconds)],
    ['oauth_token', keys.token],
    ['oauth_version', '1.0'],
  ]
  const parameters = [...oauth, ...url.searchParams]
    .map(([name, value]) => [encode(name), encode(value)] as const)
    .toSorted(([a, x], [b, y]) => (a === b ? compare(x, y) : compare(a, b)))
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
  const base = [method.toUpperCase(), `${url.origin}${url.pathname}`, parameters]
    .map(encode)
    .join('&')
  const signature = createHmac('sha1', `${encode(keys.secret)}&${encode(keys.tokenSecret)}`)
    .update(base)
    .digest('base64')
  const fields = [...oauth, ['oauth_signature', signature] as const]
  return `OAuth ${fields.map(([name, value]) => `${name}="${encode(value)}"`).join(', ')}`
}

/** RFC 3986 percent-encoding, which unlike `encodeURIComponent` also encodes `!*'()`. */
function encode(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
