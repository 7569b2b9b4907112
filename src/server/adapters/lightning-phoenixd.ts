import { type Network } from '#domain/bolt11.ts'
import { SourceError, type Wallet } from '#server/ports.ts'
import { z } from 'zod'
import { hintSocket } from './hint-socket.ts'
import { failedCall, isOk, jsonOf, restCaller } from './rest-call.ts'

const TITLE = 'phoenixd'
/** The longest description it takes. */
const MEMO_CHARACTERS = 128

const Created = z.object({ serialized: z.string(), paymentHash: z.string() })
/** `receivedSat` is less the fee for liquidity and so is no measure; the preimage is there while unpaid too. */
const Looked = z.object({
  paymentHash: z.string(),
  isPaid: z.boolean(),
  isExpired: z.boolean().optional(),
  completedAt: z.number().nullish(),
})
const Told = z.object({ type: z.literal('payment_received'), paymentHash: z.string() })

/**
 * phoenixd, by its http interface; the limited-access password is enough.
 *
 * @see https://phoenix.acinq.co/server/api
 */
export function phoenixdWallet({
  url,
  key,
  network,
  certificate = null,
}: {
  url: URL
  /** The password. */
  key: string
  network: Network
  certificate?: string | null
}): Wallet {
  const call = restCaller(TITLE, { certificate })
  const headers = { authorization: `Basic ${Buffer.from(`:${key}`).toString('base64')}` }
  const at = (path: string): URL => new URL(`${url.pathname.replace(/\/$/, '')}${path}`, url)

  return {
    name: 'phoenixd',
    title: TITLE,
    network,
    isDemonstration: false,

    async check(signal) {
      const answer = await call({ method: 'GET', url: at('/getinfo'), headers, signal })
      // The limited password may not ask this; an invoice will tell the network then.
      if (answer.status === 403) return
      if (!isOk(answer)) throw failedCall(TITLE, answer)
      const { chain } = jsonOf(TITLE, answer, z.object({ chain: z.string() }))
      if (chain !== network) {
        throw new SourceError('refused', `${TITLE} is on ${chain}, not ${network}.`)
      }
    },

    async createInvoice({ id, sats, memo, expirySeconds, hintUrl }, signal) {
      const answer = await call({
        method: 'POST',
        url: at('/createinvoice'),
        headers,
        form: {
          amountSat: String(sats),
          description: memo.slice(0, MEMO_CHARACTERS),
          expirySeconds: String(expirySeconds),
          externalId: id,
          ...(hintUrl === null ? {} : { webhookUrl: hintUrl }),
        },
        signal,
      })
      if (!isOk(answer)) throw failedCall(TITLE, answer)
      const { serialized: bolt11, paymentHash } = jsonOf(TITLE, answer, Created)
      return { bolt11, paymentHash, ref: paymentHash }
    },

    async lookUp({ ref, paymentHash }, signal) {
      const path = `/payments/incoming/${encodeURIComponent(ref)}`
      const answer = await call({ method: 'GET', url: at(path), headers, signal })
      if (answer.status === 404) return { state: 'gone' }
      if (!isOk(answer)) throw failedCall(TITLE, answer)
      const found = jsonOf(TITLE, answer, Looked)
      if (found.paymentHash !== paymentHash) {
        throw new SourceError('nonsense', `${TITLE} told of another payment.`)
      }
      return found.isPaid
        ? { state: 'settled', receivedMsat: null, settledMs: found.completedAt ?? null }
        : { state: found.isExpired ? 'ended' : 'open' }
    },

    watch: (onHint) => {
      const address = at('/websocket')
      address.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
      const read = (message: unknown): string | undefined =>
        Told.safeParse(message).data?.paymentHash
      return hintSocket({ url: address, headers, certificate }, read, onHint)
    },
    pay: null,
    close: () => Promise.resolve(),
  }
}
