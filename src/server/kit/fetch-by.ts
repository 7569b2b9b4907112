import { type HttpAnswer, type HttpAsk } from './http-call.ts'

/** A `fetch` for libraries that makes its calls by our client. */
export function fetchBy(call: (ask: HttpAsk) => Promise<HttpAnswer>) {
  return async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init)
    const { method, url } = request
    // The request's own signal is cut from the caller's once the request is garbage.
    const signal = init?.signal ?? (input instanceof Request ? input : request).signal
    const { 'content-type': type = 'application/octet-stream', ...headers } = Object.fromEntries(
      request.headers,
    )
    const bytes = new Uint8Array(await request.arrayBuffer())
    const body = bytes.length > 0 ? { bytes, type } : undefined
    const answer = await call({ method, url: new URL(url), headers, body, signal })
    const { status } = answer
    const isEmpty = status === 204 || status === 304 || status < 200
    const content = isEmpty ? null : answer.text
    return new Response(content, { status: Math.max(status, 200), headers: answer.headers })
  }
}
