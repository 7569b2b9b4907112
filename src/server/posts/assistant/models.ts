import { type AssistantKind } from '#server/kit/settings/assistant.ts'
import type { LanguageModel } from 'ai'
import { failedCall, httpCaller } from '#server/kit/http-call.ts'
import { SourceError } from '#server/kit/ports.ts'

/** Which model, and how it is reached. */
export type ModelAddress = {
  readonly kind: AssistantKind
  readonly model: string
  readonly key: string | null
  readonly url: URL | null
}

const MOST_BYTES = 2_000_000
/** A model may think for long; the caller ends it earlier. */
const LONGEST_MS = 300_000

/** The providers' names in messages. */
export const PROVIDER_TITLES: Readonly<Record<AssistantKind, string>> = {
  xai: 'xAI',
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  compatible: 'The model server',
  ollama: 'Ollama',
}

/** The model as the AI SDK speaks to it. Loaded when first needed: each provider is a large package. */
export async function openModel({ kind, model, key, url }: ModelAddress): Promise<LanguageModel> {
  const fetch = fetchOf(PROVIDER_TITLES[kind])
  const shared = { ...(key === null ? {} : { apiKey: key }), fetch }
  const at = (path: string) => (url === null ? {} : { baseURL: baseOf(url, path) })
  switch (kind) {
    case 'xai': {
      const { createXai } = await import('@ai-sdk/xai')
      return createXai({ ...shared, ...at('/v1') })(model)
    }
    case 'openai': {
      const { createOpenAI } = await import('@ai-sdk/openai')
      return createOpenAI({ ...shared, ...at('/v1') })(model)
    }
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      return createAnthropic({ ...shared, ...at('/v1') })(model)
    }
    case 'compatible': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
      return createOpenAICompatible({
        ...shared,
        name: 'compatible',
        baseURL: baseOf(url ?? new URL('http://127.0.0.1/'), ''),
        supportsStructuredOutputs: true,
      })(model)
    }
    case 'ollama': {
      const { createOllama } = await import('ollama-ai-provider-v2')
      const headers = key === null ? {} : { headers: { authorization: `Bearer ${key}` } }
      return createOllama({ fetch, ...at('/api'), ...headers })(model)
    }
  }
}

/** An address without a path of its own means the provider's usual one. */
function baseOf(url: URL, usual: string): string {
  return url.pathname === '/' ? `${url.origin}${usual}` : url.href.replace(/\/$/, '')
}

type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>

/** Our own way to call as the `fetch` that the SDK wants. */
function fetchOf(title: string): Fetch {
  const { call } = httpCaller(title, { timeoutMs: LONGEST_MS, mostBytes: MOST_BYTES })
  return async (input, init = {}) => {
    const { method = 'GET', body, signal } = init
    const headers = Object.fromEntries(new Headers(init.headers))
    const stop = signal ?? new AbortController().signal
    const asked = call({
      method,
      url: new URL(input instanceof Request ? input.url : input),
      headers,
      ...(typeof body === 'string'
        ? {
            body: { type: headers['content-type'] ?? 'application/json', bytes: Buffer.from(body) },
          }
        : {}),
      signal: stop,
    })
    const answer = await asked.catch((error: unknown) => {
      stop.throwIfAborted()
      // By these words the SDK knows that another try may help.
      if (error instanceof SourceError && error.fault === 'down') {
        throw new TypeError('fetch failed', { cause: error })
      }
      throw error
    })
    const { status, headers: answered } = answer
    if (status >= 300 && status < 400) throw failedCall(title, answer, true)
    return new Response(status === 204 ? null : answer.text, { status, headers: answered })
  }
}
