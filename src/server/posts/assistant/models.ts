import { type AssistantKind } from '#server/kit/settings/assistant.ts'
import type { LanguageModel } from 'ai'
import { isAllowed } from '#server/kit/fetch-json.ts'

/** Which model, and how it is reached. */
export type ModelAddress = {
  readonly kind: AssistantKind
  readonly model: string
  readonly key: string | null
  readonly url: URL | null
}

const MOST_BYTES = 2_000_000

/** What each provider is called in front of people. */
export const PROVIDER_TITLES: Readonly<Record<AssistantKind, string>> = {
  xai: 'xAI',
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  compatible: 'The model server',
  ollama: 'Ollama',
}

/** The model as the AI SDK speaks to it. Loaded when first needed: each provider is a large package. */
export async function openModel({ kind, model, key, url }: ModelAddress): Promise<LanguageModel> {
  const shared = { ...(key === null ? {} : { apiKey: key }), fetch: boundedFetch }
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
      return createOllama({ fetch: boundedFetch, ...at('/api'), ...headers })(model)
    }
  }
}

/** An address without a path of its own means the provider's usual one. */
function baseOf(url: URL, usual: string): string {
  return url.pathname === '/' ? `${url.origin}${usual}` : url.href.replace(/\/$/, '')
}

/** `fetch`, to encrypted addresses only, without redirects, which could carry the key elsewhere, and bounded in bytes. */
async function boundedFetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const url = new URL(input instanceof Request ? input.url : input)
  if (!isAllowed(url)) throw new Error('an address without https')
  const response = await fetch(input, { ...init, redirect: 'error' })
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > MOST_BYTES) throw new Error('an answer that is too large')
    chunks.push(chunk)
  }
  const headers = new Headers(response.headers)
  // The body is unpacked already.
  headers.delete('content-encoding')
  headers.delete('content-length')
  const { status, statusText } = response
  return new Response(status === 204 ? null : Buffer.concat(chunks), {
    status,
    statusText,
    headers,
  })
}
