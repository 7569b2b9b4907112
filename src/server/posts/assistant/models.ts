import { setTimeout as pause } from 'node:timers/promises'
import { type LanguageModel } from 'ai'
import { SourceError } from '#server/kit/failure.ts'
import { fetchBy } from '#server/kit/fetch-by.ts'
import { failedCall, httpCaller, headerWait, waitText } from '#server/kit/http-call.ts'
import { type AssistantKind, type AssistantSettings } from '#server/kit/settings/assistant.ts'

const MOST_BYTES = 2_000_000
/** Upper bound; callers set shorter limits. */
const LONGEST_MS = 300_000

/** Names of providers in messages. */
export const PROVIDER_TITLES: Readonly<Record<AssistantKind, string>> = {
  xai: 'xAI',
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  compatible: 'The model server',
  ollama: 'Ollama',
}

/** The model as an AI SDK object. Loaded on demand: each provider is a large package. */
export async function openModel({
  kind,
  model,
  key,
  url,
}: NonNullable<AssistantSettings>): Promise<LanguageModel> {
  const fetch = fetchOf(PROVIDER_TITLES[kind])
  const shared = { ...(key === null ? {} : { apiKey: key }), fetch }
  const at = (path: string) => (url === null ? {} : { baseURL: baseOf(url, path) })
  switch (kind) {
    case 'xai':
      return (await import('@ai-sdk/xai')).createXai({ ...shared, ...at('/v1') })(model)
    case 'openai':
      return (await import('@ai-sdk/openai')).createOpenAI({ ...shared, ...at('/v1') })(model)
    case 'anthropic':
      return (await import('@ai-sdk/anthropic')).createAnthropic({ ...shared, ...at('/v1') })(model)
    case 'compatible': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
      const baseURL = baseOf(url ?? new URL('http://127.0.0.1/'), '')
      const name = 'compatible'
      return createOpenAICompatible({ ...shared, name, baseURL, supportsStructuredOutputs: true })(
        model,
      )
    }
    case 'ollama': {
      const { createOllama } = await import('ollama-ai-provider-v2')
      const headers = key === null ? {} : { headers: { authorization: `Bearer ${key}` } }
      return createOllama({ fetch, ...at('/api'), ...headers })(model)
    }
  }
}

/** A URL without a path gets the provider's usual one. */
function baseOf(url: URL, usual: string): string {
  return url.pathname === '/' ? `${url.origin}${usual}` : url.href.replace(/\/$/, '')
}

/** Our HTTP client as the `fetch` of the SDK. */
function fetchOf(title: string) {
  const { call } = httpCaller(title, { timeoutMs: LONGEST_MS, mostBytes: MOST_BYTES })
  return fetchBy(async (ask) => {
    const answer = await call(ask).catch((error: unknown) => {
      ask.signal.throwIfAborted()
      // The SDK recognizes this message as a retryable fault.
      if (error instanceof SourceError && error.fault === 'down') {
        throw new TypeError('fetch failed', { cause: error })
      }
      throw error
    })
    if (answer.status >= 300 && answer.status < 400) throw failedCall(title, answer, true)
    return answer
  })
}

export type ModelFault = {
  readonly error: SourceError
  /** Possibly caused only by the schema, which the server may not support. */
  readonly isAboutSchema: boolean
}

const FIRST_PAUSE_MS = 2_000
/** An administrator is waiting; longer pauses are reported instead. */
const LONGEST_PAUSE_MS = 10_000
const SPENT = /insufficient_quota|credit|billing|spending/i

/**
 * Retries after a transient fault if the requested pause is short and ends in time. An exhausted quota is not retried.
 * @param within `until`: by `performance.now()`
 * @throws the error of the last call
 */
export async function askAgain(
  ask: () => Promise<string>,
  retries: number,
  within: { readonly until: number; readonly signal: AbortSignal },
): Promise<string> {
  const { APICallError } = await import('ai')
  for (let tried = 0; ; tried += 1) {
    try {
      return await ask()
    } catch (error) {
      if (tried >= retries || !APICallError.isInstance(error) || !error.isRetryable) throw error
      if (SPENT.test(error.responseBody ?? '')) throw error
      const requestedWait = waitOf(error.responseHeaders)
      const pauseMs = requestedWait ?? FIRST_PAUSE_MS * 2 ** tried
      if (pauseMs > LONGEST_PAUSE_MS || performance.now() + pauseMs >= within.until) throw error
      await pause(pauseMs, undefined, { signal: within.signal })
    }
  }
}

/**
 * Describes a failed model call in a sentence. Omits the provider's own text, which may quote the key.
 * @param within `timeout` of the call: once aborted, a failure is a time-out
 */
export async function modelFault(
  { title, model }: { readonly title: string; readonly model: string },
  thrown: unknown,
  { timeout, timeoutMs }: { readonly timeout: AbortSignal; readonly timeoutMs: number },
): Promise<ModelFault> {
  const { APICallError } = await import('ai')
  const plain = (error: SourceError): ModelFault => ({ error, isAboutSchema: false })
  if (thrown instanceof SourceError) return plain(thrown)
  if (timeout.aborted) {
    const seconds = String(timeoutMs / 1_000)
    return plain(new SourceError('down', `${title} did not answer within ${seconds} s.`))
  }
  if (!APICallError.isInstance(thrown)) {
    return plain(new SourceError('nonsense', `${title} sent an answer that cannot be understood.`))
  }
  const { statusCode: status, responseBody = '', responseHeaders } = thrown
  if (status === undefined) return plain(new SourceError('down', `${title} cannot be reached.`))
  if (status >= 200 && status < 300) {
    return plain(new SourceError('nonsense', `${title} sent an answer that is not JSON.`))
  }
  return {
    error: statusFault(title, model, status, responseBody, waitOf(responseHeaders)),
    isAboutSchema: status === 400 || status === 422,
  }
}

function statusFault(
  title: string,
  model: string,
  status: number,
  body: string,
  waitMs: number | null,
): SourceError {
  const refused = (what: string) => new SourceError('refused', `${title} ${what}`)
  const isSpent = (status === 403 || status === 429) && SPENT.test(body)
  if (status === 402 || isSpent) {
    return refused('says that its quota or credit is used up. Please top it up there.')
  }
  // xAI answers 400 to a wrong key.
  if (status === 401 || status === 403 || (status === 400 && /\bapi[ _-]?key\b/i.test(body))) {
    return refused(
      `rejected our key (HTTP ${String(status)}). Please check the key in the settings.`,
    )
  }
  if (status === 404) {
    return refused(`does not know the model ${model} (HTTP 404). Please check ASSISTANT_MODEL.`)
  }
  if (status === 429) {
    return new SourceError(
      'busy',
      `${title} asks us to wait${waitText(waitMs)} (HTTP 429).`,
      waitMs,
    )
  }
  if (status >= 500 || status === 408) {
    return new SourceError('down', `${title} answered HTTP ${String(status)}.`)
  }
  return refused(`refused the request (HTTP ${String(status)}).`)
}

function waitOf(headers: Readonly<Record<string, string>> = {}): number | null {
  return headerWait((name) => headers[name] ?? null)
}
