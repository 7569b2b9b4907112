import { SourceError, type Clock } from './ports.ts'
import { type z } from 'zod'
import { askedWait, momentOf } from './asked-wait.ts'

/** A call to an outside system. Its address may hold a key, so it is never told in a message. */
type JsonCall<T> = {
  /** Who is asked, as people read it; it begins every message. */
  readonly title: string
  readonly url: URL
  readonly schema: z.ZodType<T>
  readonly headers?: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

type JsonAnswer<T> = {
  readonly body: T
  /** When the answer was made by the other side's clock, milliseconds since 1970; null when it did not tell. */
  readonly remoteMs: number | null
}

export type FetchJson = <T>(call: JsonCall<T>) => Promise<JsonAnswer<T>>

export type FetchLimits = { readonly timeoutMs: number; readonly mostBytes: number }

const LIMITS: FetchLimits = { timeoutMs: 15_000, mostBytes: 8_000_000 }
const USER_AGENT = 'proof-of-price/0.1 (price predictions, judged)'

/**
 * Reads JSON from outside, bounded in time and size and checked by schema. Redirects are not followed: they could carry
 * a key elsewhere. One that asks to wait is left alone by everybody who shares this fetcher.
 *
 * @throws SourceError for everything that can go wrong, except when the caller's own signal ends the call
 */
export function jsonFetcher(clock: Clock, limits: Partial<FetchLimits> = {}): FetchJson {
  const { timeoutMs, mostBytes } = { ...LIMITS, ...limits }
  const gate = waitingGate(clock)

  return async ({ title, url, schema, headers, signal }) => {
    if (!isAllowed(url)) throw new SourceError('refused', `${title} has an address without https.`)
    // By title, too: stand-ins of several sources share one host.
    const door = `${title} ${url.host}`
    const leftMs = gate.leftMs(door)
    if (leftMs > 0) throw new SourceError('busy', `${title} asks to wait.`, leftMs)
    const timeout = AbortSignal.timeout(timeoutMs)
    const limit = AbortSignal.any([signal, timeout])
    try {
      const response = await fetch(url, {
        headers: {
          accept: 'application/json',
          'cache-control': 'no-cache',
          'user-agent': USER_AGENT,
          ...headers,
        },
        redirect: 'error',
        signal: limit,
      })
      if (!response.ok) {
        await response.body?.cancel()
        const failure = failedStatus(title, response)
        if (failure.waitMs !== null) gate.wait(door, failure.waitMs)
        throw failure
      }
      const text = await readBounded(title, response, mostBytes)
      return { body: parse(title, text, schema), remoteMs: remoteTime(response.headers) }
    } catch (error) {
      if (error instanceof SourceError) throw error
      signal.throwIfAborted()
      if (timeout.aborted) {
        throw new SourceError(
          'down',
          `${title} did not answer within ${String(timeoutMs / 1_000)} s.`,
        )
      }
      throw new SourceError('down', `${title} cannot be reached${codeOf(error)}.`)
    }
  }
}

/** Who has asked to be left alone, and until when. */
function waitingGate(clock: Clock) {
  const closed = new Map<string, { from: number; until: number }>()
  return {
    wait: (door: string, ms: number): void => {
      const from = clock.now()
      closed.set(door, { from, until: from + ms })
    },
    /** Milliseconds; 0 when it may be asked. */
    leftMs: (door: string): number => {
      const { from, until } = closed.get(door) ?? { from: 0, until: 0 }
      const now = clock.now()
      // A clock that was set back must not make the wait longer.
      if (now >= from && now < until) return until - now
      closed.delete(door)
      return 0
    },
  }
}

/** The address of a call below a base, which may have a path of its own. */
export function callTo(base: URL, path: string, query: Readonly<Record<string, string>>): URL {
  const url = new URL(base)
  url.pathname = url.pathname.replace(/\/$/, '') + path
  url.search = new URLSearchParams(query).toString()
  return url
}

/** Outside this machine only encrypted connections are made. */
export function isAllowed(url: URL): boolean {
  if (url.protocol === 'https:' || url.protocol === 'wss:') return true
  const isLoopback = url.hostname === 'localhost' || /^(127\.|\[::1\]$)/.test(url.hostname)
  return isLoopback && (url.protocol === 'http:' || url.protocol === 'ws:')
}

async function readBounded(title: string, response: Response, mostBytes: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > mostBytes) {
      throw new SourceError('nonsense', `${title} sent more than ${String(mostBytes)} bytes.`)
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parse<T>(title: string, text: string, schema: z.ZodType<T>): T {
  let raw: unknown
  try {
    raw = JSON.parse(text)
  } catch {
    throw new SourceError('nonsense', `${title} sent an answer that is no JSON, perhaps cut off.`)
  }
  const parsed = schema.safeParse(raw)
  if (parsed.success) return parsed.data
  const where = parsed.error.issues[0]?.path.join('.') || 'its root'
  throw new SourceError('nonsense', `${title} sent an answer of another shape, at ${where}.`)
}

function failedStatus(title: string, response: Response): SourceError {
  const { status } = response
  const waitMs = askedWait((name) => response.headers.get(name))
  const asksToWait = status === 429 || status === 418
  if (asksToWait || (status === 503 && waitMs !== null)) {
    return new SourceError('busy', `${title} asks to wait (HTTP ${String(status)}).`, waitMs)
  }
  const fault = status >= 500 || status === 408 ? 'down' : 'refused'
  return new SourceError(fault, `${title} answered HTTP ${String(status)}.`, waitMs)
}

/** An answer out of a cache on the way is as old as its `Age`, which is in seconds. */
function remoteTime(headers: Headers): number | null {
  const date = momentOf(headers.get('date'))
  const age = headers.get('age')?.trim() ?? ''
  return date === null ? null : date - (/^\d+$/.test(age) ? Number(age) * 1_000 : 0)
}

function codeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : null
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  return /^[A-Z_]+$/.test(code) ? ` (${code})` : ''
}
