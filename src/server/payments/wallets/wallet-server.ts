import { type Network } from '#domain/money/bolt11.ts'
import { SourceError } from '#server/kit/ports.ts'
import { type z } from 'zod'
import { failedCall, isOk, jsonOf, restCaller, type RestAnswer } from '#server/kit/rest-call.ts'

/** Where a wallet that is another program stands, and what opens it. */
export type WalletAccess = {
  readonly url: URL
  /** An API key, a password, a rune or a macaroon in hex. A secret: never log it. */
  readonly key: string
  readonly network: Network
  /** PEM of a certificate to trust beside the usual authorities. */
  readonly certificate?: string | null
}

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
  const call = restCaller(title, { certificate })
  const base = url.pathname.replace(/\/$/, '')
  const at = (path: string): URL => new URL(`${base}${path}`, url)

  return {
    at,

    /** The same as an address of a socket. */
    socketAt(path: string): URL {
      const address = at(path)
      address.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
      return address
    },

    get: (path: string, signal: AbortSignal): Promise<RestAnswer> =>
      call({ method: 'GET', url: at(path), headers, signal }),

    post: (
      path: string,
      body: { readonly json: unknown } | { readonly form: Readonly<Record<string, string>> },
      signal: AbortSignal,
    ): Promise<RestAnswer> => call({ method: 'POST', url: at(path), headers, ...body, signal }),

    /** What a good answer says. @throws SourceError for any other, or one of another shape */
    read<T>(answer: RestAnswer, schema: z.ZodType<T>): T {
      if (!isOk(answer)) throw failedCall(title, answer)
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
