import { SourceError } from './ports.ts'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { type LookupFunction } from 'node:net'
import { type z } from 'zod'
import { askedWait } from './asked-wait.ts'

type RestAsk = {
  readonly method: 'GET' | 'POST'
  readonly url: URL
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly form?: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

export type RestAnswer = {
  readonly status: number
  readonly text: string
  /** How long it asks to be left alone, milliseconds; null when it does not say. */
  readonly waitMs: number | null
}

export type RestCall = (ask: RestAsk) => Promise<RestAnswer>

const MOST_BYTES = 1_000_000

/**
 * Calls another program over http, bounded in size; the asker's signal bounds the time. Unlike `fetch` it can trust a
 * certificate of its own and choose which addresses a name may stand for. Redirects are answers like any other: they are
 * not followed, as they could carry a key elsewhere.
 *
 * @param title who is asked; begins every message
 */
export function restCaller(
  title: string,
  given: {
    /** PEM of a certificate to trust beside the usual authorities. */
    readonly certificate?: string | null
    readonly lookup?: LookupFunction
    readonly mostBytes?: number
  } = {},
): RestCall {
  const { certificate, lookup, mostBytes = MOST_BYTES } = given
  return async ({ method, url, headers, json, form, signal }) => {
    const body =
      json !== undefined
        ? JSON.stringify(json)
        : form !== undefined
          ? new URLSearchParams(form).toString()
          : null
    const type = json === undefined ? 'application/x-www-form-urlencoded' : 'application/json'
    try {
      const incoming = await new Promise<IncomingMessage>((done, fail) => {
        const send = url.protocol === 'https:' ? httpsRequest : httpRequest
        const sending = send(
          url,
          {
            method,
            signal,
            headers: {
              accept: 'application/json',
              ...(body === null
                ? {}
                : { 'content-type': type, 'content-length': String(Buffer.byteLength(body)) }),
              ...headers,
            },
            ...(certificate ? { ca: certificate } : {}),
            // A connection of its own: those that are kept open do not ask again where a name leads.
            ...(lookup ? { lookup, agent: false } : {}),
          },
          done,
        )
        sending.on('error', fail)
        sending.end(body ?? undefined)
      })
      return {
        status: incoming.statusCode ?? 0,
        text: await bounded(title, incoming, mostBytes),
        waitMs: askedWait((name) => {
          const value = incoming.headers[name]
          return typeof value === 'string' ? value : null
        }),
      }
    } catch (error) {
      if (error instanceof SourceError) throw error
      if (signal.aborted) throw new SourceError('down', `${title} did not answer in time.`)
      throw new SourceError('down', `${title} cannot be reached${codeOf(error)}.`)
    }
  }
}

async function bounded(title: string, incoming: IncomingMessage, most: number): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > most) {
      incoming.destroy()
      throw new SourceError('nonsense', `${title} sent more than ${String(most)} bytes.`)
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** The JSON of an answer. @throws SourceError where it is none, or of another shape */
export function jsonOf<T>(title: string, { text }: RestAnswer, schema: z.ZodType<T>): T {
  let raw: unknown
  try {
    raw = JSON.parse(text)
  } catch {
    throw new SourceError('nonsense', `${title} sent an answer that is no JSON.`)
  }
  const parsed = schema.safeParse(raw)
  if (parsed.success) return parsed.data
  const where = parsed.error.issues[0]?.path.join('.') || 'its root'
  throw new SourceError('nonsense', `${title} sent an answer of another shape, at ${where}.`)
}

/** What a failed answer means. What the other side says of it is left out: it may quote a key. */
export function failedCall(title: string, { status }: RestAnswer): SourceError {
  if (status === 401 || status === 403) {
    return new SourceError('refused', `${title} does not take our key (HTTP ${String(status)}).`)
  }
  if (status === 429) return new SourceError('busy', `${title} asks to wait (HTTP 429).`)
  const fault = status >= 500 || status === 408 ? 'down' : 'refused'
  return new SourceError(fault, `${title} answered HTTP ${String(status)}.`)
}

export function isOk({ status }: RestAnswer): boolean {
  return status >= 200 && status < 300
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return /^[A-Z_]+$/.test(code) ? ` (${code})` : ''
}
