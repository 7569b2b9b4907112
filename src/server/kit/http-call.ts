import { pipeline, type Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip } from 'node:zlib'
// Not `{ type … }`, which would leave an import behind: the library is loaded on demand.
import type { Dispatcher } from 'undici'
import { type z } from 'zod'
import { onlyTexts } from '#domain/clean-text.ts'
import { plural } from '#domain/day.ts'
import { SourceError } from './failure.ts'
import { NOT_PUBLIC, ENCRYPTED, whyNotReached, type Reach } from './reach.ts'
import { fileText } from './text.ts'
import type * as Undici from './undici.ts'

export type HttpBody =
  | { readonly json: unknown }
  | { readonly form: Readonly<Record<string, string>> }
  | { readonly bytes: Uint8Array; readonly type: string }

export type HttpAsk = {
  /** `GET` by default. */
  readonly method?: string
  readonly url: URL
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: HttpBody | undefined
  readonly signal: AbortSignal
  /** Called once a connection for this call is established; before that, the request cannot have arrived. */
  readonly onConnected?: () => void
}

export type HttpAnswer = {
  readonly status: number
  /** By lower-case name; without `content-encoding`. */
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Uint8Array
  readonly text: string
  /** How long the server asks us to wait, ms; null if it doesn't say. */
  readonly waitMs: number | null
}

export type HttpLimits = typeof LIMITS

export type HttpCaller = ReturnType<typeof httpCaller>

/** From the start to the last byte of the response, and its largest size. */
const LIMITS = { timeoutMs: 30_000, mostBytes: 1_000_000 }
const CONNECT_MS = 10_000
const USER_AGENT = 'proof-of-price/0.1 (price predictions, judged)'

/**
 * The only HTTP client: limits time and decompressed size, and the addresses to those `reach` allows. Redirects are
 * returned, not followed, as they could leak a key.
 * @param title names the other side in messages, which contain no address or key
 */
export function httpCaller(
  title: string,
  settings: Partial<HttpLimits> & {
    readonly reach?: Reach
    /** PEM of a certificate to trust instead of the usual authorities. */
    readonly certificate?: string | null
  } = {},
) {
  const { timeoutMs = LIMITS.timeoutMs, mostBytes = LIMITS.mostBytes } = settings
  const { reach = ENCRYPTED, certificate = null } = settings

  function open({ Agent, buildConnector }: typeof Undici, onConnected?: () => void): Dispatcher {
    const connect = buildConnector({
      timeout: CONNECT_MS,
      allowH2: false,
      ...(certificate === null ? {} : { ca: certificate }),
      ...(reach.lookup ? { lookup: reach.lookup } : {}),
    })
    return new Agent({
      allowH2: false,
      connect: (options, done) =>
        connect(options, (...made) => {
          if (made[0] === null) onConnected?.()
          done(...made)
        }),
    })
  }

  /** @param limitMs 0 for no limit @param read consumes the response, whose connection then ends */
  async function send<T>(
    { method = 'GET', url, headers = {}, body, signal, onConnected }: HttpAsk,
    limitMs: number,
    read: (answer: Dispatcher.ResponseData) => Promise<T>,
  ): Promise<T> {
    const refusal = whyNotReached(reach, url)
    if (refusal !== null) throw new SourceError('refused', `${title} ${refusal}`)
    const timeout = limitMs === 0 ? null : AbortSignal.timeout(limitMs)
    const sent = body ? packed(body) : null
    let isConnected = false
    const undici = await import('./undici.ts')
    const own =
      onConnected || reach.lookup
        ? open(undici, () => {
            isConnected = true
            onConnected?.()
          })
        : null
    try {
      const answer = await undici.request.call(own ?? sharedOf(certificate, () => open(undici)), {
        origin: url.origin,
        path: url.pathname + url.search,
        method,
        headers: {
          accept: 'application/json',
          'accept-encoding': 'gzip, br',
          'user-agent': USER_AGENT,
          ...(sent ? { 'content-type': sent.type } : {}),
          ...headers,
        },
        body: sent?.bytes ?? null,
        signal: timeout ? AbortSignal.any([signal, timeout]) : signal,
        headersTimeout: limitMs,
        bodyTimeout: limitMs,
      })
      return await read(answer)
    } catch (error) {
      throw error instanceof SourceError ? error : failure(error)
    } finally {
      void own?.destroy()
    }

    function failure(error: unknown): SourceError {
      if (signal.aborted) return new SourceError('down', `${title} did not answer in time.`)
      const code = codeOf(error)
      if (timeout?.aborted || code.endsWith('_TIMEOUT')) {
        const seconds = String(limitMs / 1_000)
        return new SourceError('down', `${title} did not answer in time (${seconds} s).`)
      }
      if (PACKING.test(code)) {
        return new SourceError('nonsense', `${title} sent an answer that cannot be unpacked.`)
      }
      const suffix = /^(?!UND_)[A-Z_]+$/.test(code) ? ` (${code})` : ''
      // Not transient: the name resolves to a private address.
      if (code === NOT_PUBLIC) {
        return new SourceError('refused', `${title} cannot be reached${suffix}.`)
      }
      return isConnected
        ? new SourceError('down', `The connection to ${title} broke${suffix}.`)
        : new SourceError('down', `${title} cannot be reached${suffix}.`)
    }
  }

  return {
    /** @throws SourceError without a complete response; any status counts as one */
    call: (ask: HttpAsk): Promise<HttpAnswer> =>
      send(ask, timeoutMs, async (answer) =>
        answerOf(answer, await bounded(title, unpacked(answer), mostBytes)),
      ),

    /** Status and headers with an empty text; does not read the body. @throws SourceError without a response */
    status: (ask: HttpAsk): Promise<HttpAnswer> =>
      send(ask, timeoutMs, async (answer) => {
        answer.body.on('error', () => {}).destroy()
        return answerOf(answer)
      }),

    /**
     * Reads the lines of an endless response until it ends, without a time limit.
     * @param most length of a line, bytes
     * @throws SourceError when it breaks off, or has a status other than 200
     */
    lines: (
      { headers, ...ask }: HttpAsk,
      most: number,
      onLine: (line: string) => void,
    ): Promise<void> =>
      // Compressed, a line could be held back until the next one.
      send(
        { ...ask, headers: { 'accept-encoding': 'identity', ...headers } },
        0,
        async (answer) => {
          const { statusCode, body } = answer
          if (statusCode !== 200) {
            await body.dump({ limit: most })
            throw failedCall(title, answerOf(answer), true)
          }
          const decoder = new TextDecoder()
          let rest = ''
          for await (const chunk of body as AsyncIterable<Buffer>) {
            const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
            rest = lines.pop() ?? ''
            if (rest.length > most) throw tooLong(title, most)
            for (const line of lines) if (line.trim() !== '') onLine(line)
          }
        },
      ),
  }
}

/** Connection pools shared by all callers that trust the same certificate. */
const SHARED = new Map<string | null, Dispatcher>()

function sharedOf(certificate: string | null, open: () => Dispatcher): Dispatcher {
  const found = SHARED.get(certificate) ?? open()
  SHARED.set(certificate, found)
  return found
}

function packed(body: HttpBody): { type: string; bytes: Uint8Array } {
  if ('bytes' in body) return body
  return 'json' in body
    ? { type: 'application/json', bytes: Buffer.from(JSON.stringify(body.json)) }
    : {
        type: 'application/x-www-form-urlencoded',
        bytes: Buffer.from(new URLSearchParams(body.form).toString()),
      }
}

function answerOf(
  { statusCode, headers: fields }: Dispatcher.ResponseData,
  bytes: Buffer = Buffer.alloc(0),
): HttpAnswer {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string' && !/^content-(?:encoding|length)$/.test(name)) {
      headers[name] = value
    }
  }
  const waitMs = headerWait((name) => headers[name] ?? null)
  return { status: statusCode, headers, bytes, text: bytes.toString('utf8'), waitMs }
}

function unpacked(answer: Dispatcher.ResponseData): Readable {
  const { body, headers, statusCode } = answer
  const encoding = String(headers['content-encoding'] ?? '').toLowerCase()
  if (statusCode === 204 || statusCode === 304) return body
  if (encoding !== 'br' && encoding !== 'gzip' && encoding !== 'x-gzip') return body
  const unpacking = encoding === 'br' ? createBrotliDecompress() : createGunzip()
  // The reader receives errors, and its end closes the connection.
  return pipeline(body, unpacking, () => {})
}

async function bounded(title: string, body: Readable, most: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > most) throw tooLong(title, most)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function tooLong(title: string, most: number): SourceError {
  return new SourceError('nonsense', `${title} sent more than ${String(most)} bytes.`)
}

const PACKING = /^(?:Z_|ERR_BROTLI|ERR__)/
const SYSTEM_CODES: Readonly<Record<string, string>> = {
  UND_ERR_CONNECT_TIMEOUT: 'ETIMEDOUT',
  UND_ERR_SOCKET: 'ECONNRESET',
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return SYSTEM_CODES[code] ?? code
}

/** Parses a JSON response. @throws SourceError if it isn't JSON, or of another shape */
export function jsonOf<T>(title: string, { text }: HttpAnswer, schema: z.ZodType<T>): T {
  let raw: unknown
  try {
    raw = onlyTexts(JSON.parse(fileText(text)))
  } catch {
    throw new SourceError('nonsense', `${title} sent an answer that is not JSON, perhaps cut off.`)
  }
  const parsed = schema.safeParse(raw)
  if (parsed.success) return parsed.data
  const where = parsed.error.issues[0]?.path.join('.') || 'its root'
  throw new SourceError('nonsense', `${title} sent an answer of the wrong shape, at ${where}.`)
}

/**
 * Classifies a failed response. Omits the response's message, which may quote a key.
 * @param hasKey whether the call had a key that can be rejected
 */
export function failedCall(title: string, { status, waitMs }: HttpAnswer, hasKey: boolean) {
  const http = `HTTP ${String(status)}`
  if (status === 429 || status === 418 || (status === 503 && waitMs !== null)) {
    return new SourceError('busy', `${title} asks us to wait${waitText(waitMs)} (${http}).`, waitMs)
  }
  if (status >= 300 && status < 400) {
    return new SourceError('down', `${title} cannot be reached: it sends us elsewhere (${http}).`)
  }
  if (status === 401 || status === 403) {
    return new SourceError(
      'refused',
      hasKey ? `${title} rejected our key (${http}).` : `${title} refused us (${http}).`,
    )
  }
  const fault = status >= 500 || status === 408 ? 'down' : 'refused'
  return new SourceError(fault, `${title} answered ${http}.`, waitMs)
}

export function isOk({ status }: HttpAnswer): boolean {
  return status >= 200 && status < 300
}

/** The address of a call below a base, which may have a path of its own. */
export function callTo(base: URL, path: string, query: Readonly<Record<string, string>> = {}): URL {
  const url = new URL(base)
  url.pathname = url.pathname.replace(/\/$/, '') + path
  url.search = new URLSearchParams(query).toString()
  return url
}

const LONGEST_WAIT_MS = 24 * 3_600_000

/**
 * The requested retry delay in ms: `retry-after-ms` as sent by models, `Retry-After` in seconds or as a date, else
 * `x-rate-limit-reset` in Unix time as sent by X. Times are compared with the other side's clock.
 * @param header reads a header; null if missing
 * @returns null without one; at most a day
 */
export function headerWait(header: (name: string) => string | null): number | null {
  const exact = numberOf(header('retry-after-ms'))
  const until = momentOf(header('retry-after')) ?? secondsOf(header('x-rate-limit-reset'))
  const untilMs = until === null ? null : until - (momentOf(header('date')) ?? Date.now())
  const ms = exact ?? secondsOf(header('retry-after')) ?? untilMs
  return ms === null ? null : Math.min(Math.max(ms, 0), LONGEST_WAIT_MS)
}

/** In ms. */
function secondsOf(text: string | null): number | null {
  const seconds = numberOf(text)
  return seconds === null ? null : seconds * 1_000
}

function numberOf(text: string | null): number | null {
  return /^\d{1,15}(?:\.\d{1,9})?$/.test(text?.trim() ?? '') ? Number(text) : null
}

export function momentOf(text: string | null): number | null {
  const ms = text === null ? NaN : Date.parse(text)
  return Number.isFinite(ms) ? ms : null
}

/** Such as ` 5 minutes`; empty without a delay. */
export function waitText(waitMs: number | null): string {
  if (waitMs === null || waitMs < 1_000) return ''
  const [count, unit] =
    waitMs < 60_000 ? [Math.ceil(waitMs / 1_000), 'second'] : [Math.ceil(waitMs / 60_000), 'minute']
  return ` ${plural(count, unit)}`
}
