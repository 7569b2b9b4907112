import { type Network } from '#domain/money/bolt11.ts'
import { SourceError } from '#server/kit/ports.ts'
import { type z } from 'zod'
import {
  failedCall,
  httpCaller,
  isOk,
  jsonOf,
  type HttpAnswer,
  type HttpBody,
} from '#server/kit/http-call.ts'
import { AS_SET } from '#server/kit/reach.ts'
import {
  reconnectingLines,
  reconnectingSocket,
  type Reconnecting,
} from '#server/kit/reconnecting.ts'
import { pushMessages, type ReadPush } from './push-messages.ts'

/** Where a wallet that is another program stands, and what opens it. */
export type WalletAccess = {
  readonly url: URL
  /** An API key, a password, a rune or a macaroon in hex. A secret: never log it. */
  readonly key: string
  readonly network: Network
  /** PEM of a certificate to trust instead of the usual authorities. */
  readonly certificate?: string | null
}

type OnHint = (paymentHash: string | null) => void

/**
 * Calls to a wallet below its address. What is wrong with an answer is told in the same words for every wallet.
 *
 * @param headers let us in
 */
export function walletServer(
  title: string,
  { url, network, certificate = null }: WalletAccess,
  headers: Readonly<Record<string, string>>,
) {
  const { call } = httpCaller(title, { reach: AS_SET, certificate })
  const base = url.pathname.replace(/\/$/, '')
  const at = (path: string): URL => new URL(`${base}${path}`, url)
  const push = { title, headers, certificate }

  return {
    /** Follows what a web socket tells of payments. */
    socket(path: string, read: ReadPush, onHint: OnHint): Reconnecting {
      const address = at(path)
      address.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
      const messages = pushMessages(read, onHint)
      return reconnectingSocket({ ...push, ...messages, url: address, pings: true })
    },

    /** Follows what the lines of an endless answer tell of payments. */
    lines(path: string, read: ReadPush, onHint: OnHint): Reconnecting {
      const { patience, opened } = pushMessages(read, onHint)
      // It says nothing while nothing is paid, and cannot be asked whether it is still there.
      const silent = { ...patience, silenceMs: null }
      return reconnectingLines({ ...push, url: at(path), patience: silent, opened })
    },

    get: (path: string, signal: AbortSignal): Promise<HttpAnswer> =>
      call({ url: at(path), headers, signal }),

    post: (path: string, body: HttpBody, signal: AbortSignal): Promise<HttpAnswer> =>
      call({ method: 'POST', url: at(path), headers, body, signal }),

    /** What a failed answer means. */
    failed: (answer: HttpAnswer): SourceError => failedCall(title, answer, true),

    /** What a good answer says. @throws SourceError for any other, or one of another shape */
    read<T>(answer: HttpAnswer, schema: z.ZodType<T>): T {
      if (!isOk(answer)) throw failedCall(title, answer, true)
      return jsonOf(title, answer, schema)
    },

    /** @throws SourceError where the wallet names another network than it was set up for */
    expectNetwork(named: string | undefined): void {
      if (named === network) return
      throw new SourceError('refused', `${title} is on ${named ?? '?'}, not ${network}.`)
    },

    /** @throws SourceError where the wallet tells of another payment than it was asked for */
    expectPayment(told: string, asked: string): void {
      if (told !== asked) throw new SourceError('nonsense', `${title} told of another payment.`)
    },
  }
}
