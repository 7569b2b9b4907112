import { z } from 'zod'
import { Failure, type ErrorCode } from '#contracts/fields.ts'
import { type Method } from '#contracts/route.ts'
import { fetchFresh, noteAnswer } from './reach.ts'

/** A failed call; `message` can be shown to users. */
export class CallError extends Error {
  override readonly name = 'CallError'
  /** HTTP status; 0 without a reply. */
  readonly status: number
  /** Null if the server could not be reached or another server replied. */
  readonly code: ErrorCode | null
  /** Validation messages by field. */
  readonly fields: Readonly<Record<string, string>>

  constructor(message: string, status: number, failure: Failure | null = null) {
    super(message)
    this.status = status
    this.code = failure?.code ?? null
    this.fields = failure?.fields ?? {}
  }
}

const Refused = Failure.pick({ success: true, message: true }).extend({
  code: Failure.shape.code.optional(),
  error: z.string().optional(),
})

export type Callable = {
  readonly method: Method
  readonly path: string
  readonly params?: z.ZodType | undefined
  readonly query?: z.ZodType | undefined
  readonly body?: z.ZodType | undefined
  readonly reply: z.ZodType
}

export type CallInput<Called extends Callable> = {
  readonly signal?: AbortSignal
  readonly params?: z.input<NonNullable<Called['params']>>
  readonly query?: z.input<NonNullable<Called['query']>>
  readonly body?: z.input<NonNullable<Called['body']>>
  /** Fields and files, sent instead of a JSON body. */
  readonly form?: FormData
  readonly headers?: Readonly<Record<string, string>>
  readonly patienceMs?: number
}

/**
 * @throws {CallError} without a reply, on a refusal, and if the reply breaks its contract; an abort of `signal` is
 * rethrown
 */
export async function call<Called extends Callable>(
  route: Called,
  input: CallInput<Called> = {},
): Promise<z.infer<Called['reply']>> {
  const answer = await answerOf(route, input)
  const parsed = z.safeParse<Called['reply']>(route.reply, answer)
  if (parsed.success) return parsed.data
  // Some servers and proxies refuse with a success status.
  const { data: refused } = Refused.safeParse(answer)
  const sentence = refused?.error ?? refused?.message
  if (!sentence) throw new CallError('Something went wrong on our side. Try again.', 200)
  const failure = { success: false, code: refused?.code ?? 'invalid', error: sentence } as const
  throw new CallError(sentence, 200, failure)
}

const LATE = 'The server did not respond in time. What you sent may have arrived.'

export function sentenceOf(error: unknown): string {
  return error instanceof CallError ? error.message : 'Something went wrong. Please try again.'
}

async function answerOf<Called extends Callable>(
  { method, path }: Called,
  { signal, params, query, body, form, headers, patienceMs }: CallInput<Called>,
): Promise<unknown> {
  const response = await fetchFresh(filled(path, params) + searchOf(query), {
    method,
    headers: {
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(form && { body: form }),
    ...(signal && { signal }),
    ...(patienceMs !== undefined && { patienceMs }),
  }).catch((cause: unknown) => {
    if (signal?.aborted) throw cause
    const isLate = cause instanceof DOMException && cause.name === 'TimeoutError'
    throw new CallError(isLate && method !== 'GET' ? LATE : 'The server cannot be reached.', 0)
  })
  const answer: unknown = await response.json().catch(() => null)
  if (answer !== null) noteAnswer(response.headers)
  if (response.ok) return answer
  const failure = Failure.safeParse(answer)
  throw failure.success
    ? new CallError(failure.data.error, response.status, failure.data)
    : new CallError('The server had a problem.', response.status)
}

function filled(path: string, params: unknown): string {
  const values = new Map<string, unknown>(
    typeof params === 'object' && params !== null ? Object.entries(params) : [],
  )
  return path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = values.get(name)
    if (typeof value === 'number') return String(value)
    if (typeof value !== 'string') throw new Error(`${path} needs ${name}`)
    return encodeURIComponent(value)
  })
}

/** A query string of plain values; null, undefined and empty values are omitted. */
function searchOf(query: unknown): string {
  if (typeof query !== 'object' || query === null) return ''
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    const isPlain =
      typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    if (isPlain && value !== '') search.set(name, String(value))
  }
  const text = search.toString()
  return text === '' ? '' : `?${text}`
}

/** An Idempotency-Key. `crypto.randomUUID` is missing on unencrypted pages, such as a test site in a home network. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}
