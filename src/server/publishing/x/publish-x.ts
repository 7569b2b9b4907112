import { onlyTexts } from '#domain/clean-text.ts'
import { measurePost, SHORT_POST } from '#domain/publishing/post-length.ts'
import { SourceError, type Clock } from '#server/kit/ports.ts'
import {
  type NotPosted,
  type Picture,
  type XLimit,
  type XLimits,
  type XPublisher,
} from '#server/publishing/ports.ts'
import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { callTo, httpCaller, isOk, type HttpAnswer, type HttpBody } from '#server/kit/http-call.ts'
import { jsonOrNull } from '#server/kit/json-or-null.ts'
import { oauth1Header, type OAuth1Keys } from '#server/kit/oauth1.ts'

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
/** How many of the newest posts are searched; X takes money for each. */
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
/** Of any shape X has had: problems, `errors` of them, and the older codes. */
const Problem = z.object({
  title: z.string().optional(),
  detail: z.string().optional(),
  type: z.string().optional(),
  errors: z
    .array(
      z.object({
        title: z.string().optional(),
        detail: z.string().optional(),
        message: z.string().optional(),
      }),
    )
    .optional(),
})

/** Why a step failed; thrown inside and returned outside. */
class Fault extends Error {
  readonly not: NotPosted

  constructor(not: NotPosted) {
    super(not.message)
    this.not = not
  }
}

/**
 * Posts as one account on X, with OAuth 1.0a. Nothing is tried twice: for X, a second try is a second post.
 *
 * @param url X itself, or a stand-in for tests
 */
export function xPublisher({
  url,
  keys,
  clock,
  callLimit = () => AbortSignal.timeout(CALL_MS),
}: {
  url: URL
  keys: OAuth1Keys
  clock: Clock
  /** Begins the time that one call may take; tests end it when they have seen what they wait for. */
  callLimit?: () => AbortSignal
}): XPublisher {
  const { call } = httpCaller('X')

  /** @param ifSent what it means when a request that may have arrived got no answer */
  async function send(
    { method, path, query, body, signal }: XAsk,
    ifSent: 'unsent' | 'unknown',
  ): Promise<HttpAnswer> {
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
      throw new Fault({ state, message: error.message })
    }
  }

  /** A call that publishes nothing: if it fails, nothing is out. */
  async function quiet(ask: XAsk): Promise<HttpAnswer> {
    const answer = await send(ask, 'unsent')
    if (isOk(answer)) return answer
    throw new Fault(refusal(answer, null) ?? unwell(answer))
  }

  async function upload(picture: Picture, isAlone: boolean, signal: AbortSignal): Promise<string> {
    const bytes = Buffer.from(picture.bytes)
    const isMoving = picture.type === 'image/gif' && isAlone
    const begun = mediaOf(
      await quiet({
        method: 'POST',
        path: '/2/media/upload/initialize',
        body: {
          json: {
            media_type: picture.type,
            total_bytes: bytes.length,
            media_category: isMoving ? 'tweet_gif' : 'tweet_image',
          },
        },
        signal,
      }),
    )
    for (let segment = 0; segment * SEGMENT_BYTES < bytes.length; segment += 1) {
      const part = bytes.subarray(segment * SEGMENT_BYTES, (segment + 1) * SEGMENT_BYTES)
      const path = `/2/media/upload/${begun.id}/append`
      await quiet({ method: 'POST', path, body: multipart(segment, part), signal })
    }
    let media = mediaOf(
      await quiet({ method: 'POST', path: `/2/media/upload/${begun.id}/finalize`, signal }),
    )
    for (let call = 0; media.processing_info && call < MOST_STATUS_CALLS; call += 1) {
      const { state, check_after_secs: seconds = 1 } = media.processing_info
      if (state === 'succeeded') break
      if (state === 'failed') throw new Fault(BAD_PICTURE)
      await pause(Math.min(seconds * 1_000, MOST_STATUS_PAUSE_MS), undefined, { signal })
      const query = { command: 'STATUS', media_id: begun.id }
      media = mediaOf(await quiet({ method: 'GET', path: '/2/media/upload', query, signal }))
    }
    if (media.processing_info && media.processing_info.state !== 'succeeded') {
      throw new Fault({ state: 'unsent', message: 'X is still busy with a picture.' })
    }
    if (picture.alt !== '') {
      await quiet({
        method: 'POST',
        path: '/2/media/metadata',
        body: { json: { id: begun.id, metadata: { alt_text: { text: picture.alt } } } },
        signal,
      })
    }
    return begun.id
  }

  async function ownId(signal: AbortSignal): Promise<string> {
    // The token of an account begins with the account's number, which spares a call that X takes money for.
    return /^(\d{1,19})-/.exec(keys.token)?.[1] ?? (await me(signal)).id
  }

  async function me(signal: AbortSignal): Promise<z.infer<typeof Me>['data']> {
    const { text } = await quiet({ method: 'GET', path: '/2/users/me', signal })
    const parsed = Me.safeParse(jsonOrNull(text))
    if (!parsed.success) throw new Fault(NONSENSE)
    return parsed.data.data
  }

  return {
    whoAmI: (signal) =>
      answered(async () => ({ state: 'known' as const, handle: (await me(signal)).username })),

    post: ({ text, pictures }, { signal, onLimits, beforePost }) =>
      answered(async () => {
        const ids: string[] = []
        for (const picture of pictures) {
          ids.push(await upload(picture, pictures.length === 1, signal))
        }
        const body = { json: { text, ...(ids.length > 0 ? { media: { media_ids: ids } } : {}) } }
        await beforePost()
        const ask = { method: 'POST', path: '/2/tweets', body, signal } as const
        const answer = await send(ask, 'unknown')
        const limits = limitsOf(answer)
        if (limits) onLimits(limits)
        if (isOk(answer)) {
          const parsed = Posted.safeParse(jsonOrNull(answer.text))
          if (parsed.success) return { state: 'posted' as const, id: parsed.data.data.id }
          throw new Fault({ state: 'unknown', message: 'X answered, but not whether it posted.' })
        }
        throw new Fault(refusal(answer, text) ?? maybe(answer))
      }),

    find: ({ text, sinceMs }, signal) =>
      answered(async () => {
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
        const parsed = Newest.safeParse(jsonOrNull(answer.text))
        if (!parsed.success) throw new Fault(NONSENSE)
        const newest = parsed.data.data ?? []
        const found = newest.find((one) =>
          isSameText(text, one.note_tweet?.text ?? one.note_post?.text ?? one.text),
        )
        if (found) return { state: 'found' as const, id: found.id }
        // X may show fewer than there are, or answer a list it does not show with errors only.
        const { meta } = parsed.data
        const isAll = meta !== undefined && meta.next_token === undefined
        if (isAll && newest.length === meta.result_count && newest.length < MOST_SEARCHED) {
          return { state: 'absent' as const }
        }
        const message =
          newest.length === 0
            ? 'X did not show the posts of the account. Please look there.'
            : 'It is not among the newest posts of the account. Please look there.'
        throw new Fault({ state: 'unknown', message })
      }),
  }
}

const NONSENSE: NotPosted = { state: 'unsent', message: 'X sent an answer in an unexpected form.' }
const BAD_PICTURE: NotPosted = {
  state: 'refused',
  reason: 'pictures',
  message: 'X cannot read one of the pictures. Please take another one.',
}

async function answered<T>(work: () => Promise<T>): Promise<T | NotPosted> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Fault) return error.not
    // Only pauses while pictures are uploaded end like this.
    if (error instanceof Error && error.name === 'AbortError') {
      return { state: 'unsent', message: 'X took too long with the pictures.' }
    }
    throw error
  }
}

function mediaOf({ text }: HttpAnswer): z.infer<typeof Media>['data'] {
  const parsed = Media.safeParse(jsonOrNull(text))
  if (parsed.success) return parsed.data.data
  throw new Fault(NONSENSE)
}

/**
 * What an answer refuses for good or for now; null for answers that leave open what happened.
 *
 * @param text of the post; null for calls that publish nothing
 */
function refusal(answer: HttpAnswer, text: string | null): NotPosted | null {
  const { status } = answer
  const said = saidBy(answer)
  const words = said === '' ? '' : ` X says: ${said}`
  if (status === 401) {
    const message =
      'X does not accept the keys (HTTP 401). Check X_API_KEY, X_API_SECRET, X_ACCESS_TOKEN and X_ACCESS_SECRET.'
    return { state: 'refused', reason: 'keys', message }
  }
  if (status === 402) {
    const message =
      'The credit at X is used up (HTTP 402). Buy more in the developer console; nothing was posted.'
    return { state: 'refused', reason: 'no-credit', message }
  }
  if (status === 429) {
    const until = resetOf(answer)
    return { state: 'limited', until, message: 'X takes no more posts for now (HTTP 429).' }
  }
  if (status === 403 || status === 400) {
    if (/duplicate/i.test(said)) {
      const message = 'This exact text is already on your X account.'
      return { state: 'refused', reason: 'duplicate', message }
    }
    const isLong = text !== null && measurePost(text).weight > SHORT_POST
    const speaksOfLength = /too long|longer than|shorter|character limit/i.test(said)
    if (speaksOfLength || (isLong && /not permitted to perform/i.test(said))) {
      const message = `X takes ${String(SHORT_POST)} characters of an account without Premium, and this post is longer.`
      return { state: 'refused', reason: 'too-long', message }
    }
    const reason = status === 403 ? 'not-permitted' : 'other'
    const message =
      status === 403
        ? `X does not permit this (HTTP 403). The keys must be allowed to write.${words}`
        : `X refuses this (HTTP 400).${words}`
    return { state: 'refused', reason, message }
  }
  if (status === 413) return { ...BAD_PICTURE, message: 'One of the pictures is too large for X.' }
  if (status >= 404 && status < 500 && status !== 408) {
    const message = `X refuses this (HTTP ${String(status)}).${words}`
    return { state: 'refused', reason: 'other', message }
  }
  return null
}

/** For the one call that publishes: a server may fail after it has published. */
function maybe({ status }: HttpAnswer): NotPosted {
  const message = `X had trouble (HTTP ${String(status)}) and did not say whether it posted.`
  return { state: 'unknown', message }
}

function unwell({ status }: HttpAnswer): NotPosted {
  return { state: 'unsent', message: `X has trouble (HTTP ${String(status)}).` }
}

/** X's own words, on one line and bounded. */
function saidBy({ text: answered }: HttpAnswer): string {
  const parsed = Problem.safeParse(onlyTexts(jsonOrNull(answered)))
  if (!parsed.success) return ''
  const { title, detail, errors = [] } = parsed.data
  const inner = errors.map((one) => one.detail ?? one.message ?? one.title ?? '')
  const text = [detail ?? title ?? '', ...inner].find((one) => one.trim() !== '') ?? ''
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, 200)
}

/** The windows that the headers give; null where they give none. */
function limitsOf({ headers }: HttpAnswer): XLimits | null {
  const read = (prefix: string): XLimit | null => {
    const value = (name: string): number => Number(headers[`${prefix}${name}`] ?? NaN)
    const [limit, remaining, reset] = [value('limit'), value('remaining'), value('reset')]
    const isWhole = [limit, remaining, reset].every((one) => Number.isSafeInteger(one) && one >= 0)
    return isWhole ? { limit, remaining, resetMs: reset * 1_000 } : null
  }
  const limits = {
    window: read('x-rate-limit-'),
    appDay: read('x-app-limit-24hour-'),
    userDay: read('x-user-limit-24hour-'),
  }
  return Object.values(limits).some((one) => one !== null) ? limits : null
}

/** When X may take posts again: the latest end of the windows that are used up; null where none is known. */
function resetOf(answer: HttpAnswer): number | null {
  const windows = Object.values(limitsOf(answer) ?? {}).filter((one) => one !== null)
  const used = windows.filter((one) => one.remaining === 0)
  const resets = (used.length > 0 ? used : windows).map((one) => one.resetMs)
  return resets.length > 0 ? Math.max(...resets) : null
}

/** X rewrites links, adds one for pictures, and escapes three characters. */
function isSameText(sent: string, shown: string): boolean {
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
  const [a, b] = [plain(expected), plain(shown)]
  return a === b || b === `${a} \u0000`
}

function multipart(segment: number, part: Buffer): HttpBody {
  const boundary = `part-${randomBytes(12).toString('hex')}`
  const head = (disposition: string): string =>
    `--${boundary}\r\ncontent-disposition: form-data; ${disposition}\r\n`
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    bytes: Buffer.concat([
      Buffer.from(
        `${head('name="segment_index"')}\r\n${String(segment)}\r\n${head('name="media"; filename="picture"')}content-type: application/octet-stream\r\n\r\n`,
      ),
      part,
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]),
  }
}
