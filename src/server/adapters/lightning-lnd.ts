import { type Network } from '#domain/bolt11.ts'
import { SourceError, type Wallet } from '#server/ports.ts'
import { z } from 'zod'
import { hintStream } from './hint-stream.ts'
import { failedCall, isOk, jsonOf, restCaller } from './rest-call.ts'

const TITLE = 'LND'

const Info = z.object({ chains: z.array(z.object({ network: z.string() })).min(1) })
const Created = z.object({ payment_request: z.string(), r_hash: z.base64() })
/** All 64-bit numbers are texts. The preimage is in there too, also while unpaid, and is not read. */
const Looked = z.object({
  r_hash: z.base64(),
  state: z.enum(['OPEN', 'SETTLED', 'CANCELED', 'ACCEPTED']),
  amt_paid_msat: z.coerce.number(),
  settle_date: z.coerce.number(),
})

const Told = z.object({ result: z.object({ r_hash: z.base64(), state: z.string() }) })

/**
 * LND, by its REST interface; `invoice.macaroon` is enough.
 *
 * @see https://lightning.engineering/api-docs/api/lnd/rest-endpoints
 */
export function lndWallet({
  url,
  key,
  network,
  certificate = null,
}: {
  url: URL
  /** The macaroon, hex. */
  key: string
  network: Network
  certificate?: string | null
}): Wallet {
  const call = restCaller(TITLE, { certificate })
  const headers = { 'grpc-metadata-macaroon': key }
  const at = (path: string): URL => new URL(`${url.pathname.replace(/\/$/, '')}${path}`, url)

  return {
    name: 'lnd',
    title: TITLE,
    network,
    isDemonstration: false,

    async check(signal) {
      const answer = await call({ method: 'GET', url: at('/v1/getinfo'), headers, signal })
      // The invoice macaroon may not ask this; an invoice will tell the network then.
      if (answer.status === 403 || answer.status === 500) return
      if (!isOk(answer)) throw failedCall(TITLE, answer)
      const [chain] = jsonOf(TITLE, answer, Info).chains
      if (chain?.network !== network) {
        throw new SourceError('refused', `${TITLE} is on ${chain?.network ?? '?'}, not ${network}.`)
      }
    },

    async createInvoice({ sats, memo, expirySeconds }, signal) {
      const answer = await call({
        method: 'POST',
        url: at('/v1/invoices'),
        headers,
        json: { memo, value: String(sats), expiry: String(expirySeconds), private: true },
        signal,
      })
      if (!isOk(answer)) throw failedCall(TITLE, answer)
      const { payment_request: bolt11, r_hash } = jsonOf(TITLE, answer, Created)
      const paymentHash = hexOfBase64(r_hash)
      return { bolt11, paymentHash, ref: paymentHash }
    },

    async lookUp({ ref, paymentHash }, signal) {
      const answer = await call({ method: 'GET', url: at(`/v1/invoice/${ref}`), headers, signal })
      if (answer.status === 404) return { state: 'gone' }
      if (!isOk(answer)) throw failedCall(TITLE, answer)
      const { r_hash, state, amt_paid_msat, settle_date } = jsonOf(TITLE, answer, Looked)
      if (hexOfBase64(r_hash) !== paymentHash) {
        throw new SourceError('nonsense', `${TITLE} told of another payment.`)
      }
      switch (state) {
        case 'SETTLED':
          return {
            state: 'settled',
            receivedMsat: amt_paid_msat,
            settledMs: settle_date > 0 ? settle_date * 1_000 : null,
          }
        // Accepted: on its way, and it may still arrive after the invoice has ended.
        case 'ACCEPTED':
        case 'OPEN':
          return { state: 'open' }
        case 'CANCELED':
          return { state: 'ended' }
      }
    },

    watch: (onHint) => {
      const read = (message: unknown): string | undefined => {
        const told = Told.safeParse(message).data
        return told?.result.state === 'SETTLED' ? hexOfBase64(told.result.r_hash) : undefined
      }
      const line = { url: at('/v1/invoices/subscribe'), headers, certificate }
      return hintStream(line, read, onHint)
    },
    pay: null,
    close: () => Promise.resolve(),
  }
}

function hexOfBase64(text: string): string {
  return Buffer.from(text, 'base64').toString('hex')
}
