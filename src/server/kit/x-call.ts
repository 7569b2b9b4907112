import { randomBytes } from 'node:crypto'
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { jsonOrNull } from './json-or-null.ts'
import { type Clock } from './ports.ts'
import { oauth1Header, type OAuth1Keys } from './oauth1.ts'

export type XAsk = {
  readonly method: 'GET' | 'POST'
  /** Below the base, such as `/2/tweets`. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: { readonly type: string; readonly bytes: Buffer }
  /** Ends the call when X takes too long over it. */
  readonly limit: AbortSignal
  /** Ends the call when its outcome is no longer wanted. */
  readonly signal: AbortSignal
}

export type XAnswer = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Null where the answer is no JSON. */
  readonly json: unknown
}

/**
 * No answer came. `isSent`: the connection stood, so the request may have been carried out; false: it surely was not.
 * The message is a sentence.
 */
export class NoAnswer extends Error {
  readonly isSent: boolean

  constructor(message: string, isSent: boolean) {
    super(message)
    this.isSent = isSent
  }
}

export type XCall = (ask: XAsk) => Promise<XAnswer>

const MOST_BYTES = 1_000_000

/**
 * Calls X with its four keys, each time over a connection of its own, so that it is known whether a request can have
 * arrived. Bounded in time and size; redirects are not followed.
 */
export function xCaller({
  base,
  keys,
  clock,
}: {
  base: URL
  keys: OAuth1Keys
  clock: Clock
}): XCall {
  return async ({ method, path, query = {}, body, limit, signal }) => {
    const url = new URL(base)
    url.pathname = url.pathname.replace(/\/$/, '') + path
    url.search = new URLSearchParams(query).toString()
    const stamp = {
      nonce: randomBytes(16).toString('hex'),
      seconds: Math.floor(clock.now() / 1_000),
    }
    const state = { isSent: false }
    try {
      const incoming = await new Promise<IncomingMessage>((done, fail) => {
        const isSecure = url.protocol === 'https:'
        const sending = (isSecure ? httpsRequest : httpRequest)(
          url,
          {
            method,
            agent: false,
            signal: AbortSignal.any([signal, limit]),
            headers: {
              accept: 'application/json',
              authorization: oauth1Header(keys, { method, url }, stamp),
              'user-agent': 'proof-of-price/0.1 (price predictions, judged)',
              ...(body
                ? { 'content-type': body.type, 'content-length': String(body.bytes.length) }
                : {}),
            },
          },
          done,
        )
        sending.on('socket', (socket) => {
          socket.once(isSecure ? 'secureConnect' : 'connect', () => {
            state.isSent = true
          })
        })
        sending.on('error', fail)
        sending.end(body?.bytes)
      })
      const text = await bounded(incoming)
      return { status: incoming.statusCode ?? 0, headers: incoming.headers, json: jsonOrNull(text) }
    } catch (error) {
      if (error instanceof NoAnswer) throw error
      const sentence = limit.aborted
        ? 'X did not answer in time.'
        : signal.aborted
          ? 'The call to X was given up.'
          : state.isSent
            ? `The connection to X broke${codeOf(error)}.`
            : `X cannot be reached${codeOf(error)}.`
      throw new NoAnswer(sentence, state.isSent)
    }
  }
}

async function bounded(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MOST_BYTES) {
      incoming.destroy()
      throw new NoAnswer('X sent an answer that is too long.', true)
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return /^[A-Z_]+$/.test(code) ? ` (${code})` : ''
}
