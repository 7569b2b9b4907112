import { once } from 'node:events'
import { type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { bodyOf, serving } from './serving.ts'

export type Behaviour =
  | 'well'
  /** Does what is asked and answers nothing, keeping the connection open. */
  | 'store-and-hang'
  /** Rejects, and closes the connection. */
  | 'store-and-close'
  /** Breaks off the connection without doing anything. */
  | 'close'
  /** Refuses by a body, JSON unless a text, or by the fields of Bluesky's refusals. */
  | {
      readonly status: number
      readonly body?: unknown
      readonly error?: string
      readonly message?: string
      readonly headers?: Record<string, string>
    }

type FaultyRequest = {
  readonly method: string
  readonly url: URL
  readonly headers: IncomingHttpHeaders
  readonly raw: Buffer
  readonly response: ServerResponse
}

/** A server over HTTP on a free port of this machine that misbehaves on demand. */
export async function faultyServer(handle: (request: FaultyRequest) => Promise<void>) {
  const waiting: AbortController[] = []
  const open = await serving((request, response) => {
    const { method = 'GET', headers } = request
    const requested = new URL(request.url ?? '/', url)
    void bodyOf(request).then((raw) => handle({ method, url: requested, headers, raw, response }))
  })
  const { server, port, origin, [Symbol.asyncDispose]: down } = open
  const url = new URL(origin)
  return {
    url,
    /** Misbehaves in the given way. @param store does what was asked @returns false if it shall behave well */
    faulty: (
      response: ServerResponse,
      behaviour: Behaviour,
      store: () => void = () => {},
    ): boolean => {
      if (behaviour === 'well') return false
      if (typeof behaviour === 'object') {
        const { status, headers, error = 'Error', message = 'Not now.' } = behaviour
        const { body = { error, message } } = behaviour
        response.writeHead(status, { 'content-type': 'application/json', ...headers })
        response.end(typeof body === 'string' ? body : JSON.stringify(body))
        return true
      }
      if (behaviour !== 'close') store()
      if (behaviour !== 'store-and-hang') response.socket?.destroy()
      else for (const limit of waiting.splice(0)) limit.abort()
      return true
    },
    /** A time limit for the caller that ends as soon as this server has left a call unanswered. */
    callLimit: (): AbortSignal => {
      const limit = new AbortController()
      waiting.push(limit)
      return limit.signal
    },
    /** Refuses connections, as if it were down; `up` opens the same port again. */
    down,
    up: async (): Promise<void> => {
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
    },
    [Symbol.asyncDispose]: down,
  }
}
