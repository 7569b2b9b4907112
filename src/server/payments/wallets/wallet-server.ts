import { type z } from 'zod'
import { type Network } from '#domain/money/bolt11.ts'
import { SourceError } from '#server/kit/failure.ts'
import * as http from '#server/kit/http-call.ts'
import { AS_SET } from '#server/kit/reach.ts'
import {
  reconnectingLines,
  reconnectingSocket,
  type Patience,
  type Plan,
  type Reconnecting,
} from '#server/kit/reconnecting.ts'
import { type Wallet } from '#server/payments/ports.ts'

export type WalletAccess = {
  readonly url: URL
  /** An API key, password, rune or macaroon in hex. Secret: never log it. */
  readonly key: string
  readonly network: Network
  /** PEM of a certificate to trust instead of the usual authorities. */
  readonly certificate?: string | null
}

/** Defaults for most wallets. */
export const USUAL = {
  isDemonstration: false,
  isLifeChosen: true,
  hashesTexts: true,
  listen: null,
  pay: null,
  close: () => Promise.resolve(),
} as const satisfies Partial<Wallet>

/** The payment hash in a message; null for an unnamed payment, undefined for other messages. */
type ReadPush = (message: unknown) => string | null | undefined
/** Wallet pushes are only hints: polling finds whatever a broken connection missed. */
type OnHint = (paymentHash: string | null) => void

const PATIENCE: Patience = {
  connectMs: 10_000,
  silenceMs: 90_000,
  firstPauseMs: 1_000,
  longestPauseMs: 60_000,
  stableMs: 30_000,
}

/** @param headers for authentication */
export function walletServer(
  title: string,
  { url, network, certificate = null }: WalletAccess,
  headers: Readonly<Record<string, string>>,
) {
  const { call } = http.httpCaller(title, { reach: AS_SET, certificate })
  const base = url.pathname.replace(/\/$/, '')
  const at = (path: string): URL => new URL(`${base}${path}`, url)
  const push = (path: string, read: ReadPush, onHint: OnHint): Plan => ({
    title,
    url: at(path),
    headers,
    certificate,
    reach: AS_SET,
    patience: PATIENCE,
    message: (message) => {
      const hint = read(message)
      if (hint !== undefined) onHint(hint)
      return hint !== undefined
    },
  })

  return {
    usual: { ...USUAL, title, network },

    socket(path: string, read: ReadPush, onHint: OnHint): Reconnecting {
      const plan = push(path, read, onHint)
      plan.url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
      return reconnectingSocket({ ...plan, pings: true })
    },

    lines: (path: string, read: ReadPush, onHint: OnHint): Reconnecting =>
      // Silent until something is paid, and has no ping.
      reconnectingLines({
        ...push(path, read, onHint),
        patience: { ...PATIENCE, silenceMs: null },
      }),

    get: (path: string, signal: AbortSignal): Promise<http.HttpAnswer> =>
      call({ url: at(path), headers, signal }),

    post: (path: string, body: http.HttpBody, signal: AbortSignal): Promise<http.HttpAnswer> =>
      call({ method: 'POST', url: at(path), headers, body, signal }),

    failed: (answer: http.HttpAnswer): SourceError => http.failedCall(title, answer, true),

    /** The parsed body of a successful response. @throws SourceError for others, or another shape */
    read<T>(answer: http.HttpAnswer, schema: z.ZodType<T>): T {
      if (!http.isOk(answer)) throw http.failedCall(title, answer, true)
      return http.jsonOf(title, answer, schema)
    },

    expectNetwork(named: string | undefined): void {
      if (named === network) return
      throw new SourceError('refused', `${title} is on ${named ?? '?'}, not ${network}.`)
    },

    expectPayment(answered: string, requested: string): void {
      if (answered !== requested)
        throw new SourceError('nonsense', `${title} answered about a different payment.`)
    },
  }
}
