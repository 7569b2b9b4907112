import { type z } from 'zod'
import { SourceError } from './failure.ts'
import * as http from './http-call.ts'
import { requestedPauses, type Clock } from './time.ts'

export type CallJson = ReturnType<typeof jsonCaller>

const LIMITS: http.HttpLimits = { timeoutMs: 15_000, mostBytes: 8_000_000 }

/**
 * Fetches and parses JSON. While a service is rate limiting, no user of this caller calls it. `remoteMs` is the time of the
 * response by the other side's clock, ms since 1970; null if unknown.
 * @throws SourceError for every failure except an abort by the caller's signal
 */
export function jsonCaller(clock: Clock, limits: Partial<http.HttpLimits> = {}) {
  const pauses = requestedPauses({ clock })

  return async <T>({
    title,
    url,
    schema,
    headers,
    signal,
  }: {
    /** Name of the other side; begins every message. */
    readonly title: string
    /** May hold a key, so no message shows it. */
    readonly url: URL
    readonly schema: z.ZodType<T>
    readonly headers?: Readonly<Record<string, string>>
    readonly signal: AbortSignal
  }) => {
    // By title as well: the stand-ins of tests share a host.
    const service = `${title} ${url.host}`
    const leftMs = pauses.leftMs(service)
    if (leftMs > 0) throw new SourceError('busy', `${title} asks us to wait.`, leftMs)
    const { call } = http.httpCaller(title, { ...LIMITS, ...limits })
    const all = { 'cache-control': 'no-cache', ...headers }
    const answer = await call({ url, headers: all, signal }).catch((error: unknown) => {
      signal.throwIfAborted()
      throw error
    })
    if (http.isOk(answer))
      return { body: http.jsonOf(title, answer, schema), remoteMs: remoteTime(answer) }
    const failure = http.failedCall(title, answer, false)
    if (failure.waitMs !== null) pauses.wait(service, failure.waitMs)
    throw failure
  }
}

/** The server's time when it made the response; caches add its age in seconds as `Age`. */
function remoteTime({ headers }: http.HttpAnswer): number | null {
  const date = http.momentOf(headers.date ?? null)
  const age = headers.age?.trim() ?? ''
  return date === null ? null : date - (/^\d+$/.test(age) ? Number(age) * 1_000 : 0)
}
