import { type Network } from '#domain/bolt11.ts'
import { SourceError, type Wallet } from '#server/ports.ts'
import { z } from 'zod'
import { failedCall, isOk, jsonOf, restCaller } from './rest-call.ts'

const TITLE = 'BTCPay Server'

const Amount = z.coerce.number()
const Invoice = z.object({
  id: z.string().min(1),
  status: z.enum(['Unpaid', 'Paid', 'Expired']),
  BOLT11: z.string(),
  paymentHash: z.string().nullish(),
  paidAt: z.number().nullish(),
  amountReceived: Amount.nullish(),
})

/**
 * BTCPay Server, by the Lightning part of its Greenfield API. Its own invoices are not used: they end before the Lightning
 * invoice does and then do not notice a late payment.
 *
 * @see https://docs.btcpayserver.org/API/Greenfield/v1/
 */
export function btcpayWallet({
  url,
  key,
  store,
  network,
  certificate = null,
}: {
  url: URL
  key: string
  store: string
  network: Network
  certificate?: string | null
}): Wallet {
  const call = restCaller(TITLE, { certificate })
  const headers = { authorization: `token ${key}` }
  const base = `${url.pathname.replace(/\/$/, '')}/api/v1/stores/${store}/lightning/BTC/invoices`

  return {
    name: 'btcpay',
    title: TITLE,
    network,
    isDemonstration: false,

    async check(signal) {
      const list = new URL(`${base}?pendingOnly=true`, url)
      const answer = await call({ method: 'GET', url: list, headers, signal })
      if (answer.status === 404) {
        throw new SourceError('refused', `${TITLE} has no such store, or no Lightning node for it.`)
      }
      if (!isOk(answer)) throw failedCall(TITLE, answer)
    },

    async createInvoice({ sats, memo, expirySeconds }, signal) {
      const answer = await call({
        method: 'POST',
        url: new URL(base, url),
        headers,
        json: {
          amount: String(sats * 1_000),
          description: memo,
          expiry: expirySeconds,
          privateRouteHints: true,
        },
        signal,
      })
      if (!isOk(answer)) throw failedCall(TITLE, answer)
      const made = jsonOf(TITLE, answer, Invoice)
      return { bolt11: made.BOLT11, paymentHash: made.paymentHash ?? null, ref: made.id }
    },

    async lookUp({ ref, bolt11 }, signal) {
      const one = new URL(`${base}/${encodeURIComponent(ref)}`, url)
      const answer = await call({ method: 'GET', url: one, headers, signal })
      if (answer.status === 404) return { state: 'gone' }
      if (!isOk(answer)) throw failedCall(TITLE, answer)
      const found = jsonOf(TITLE, answer, Invoice)
      if (found.BOLT11.toLowerCase() !== bolt11.toLowerCase()) {
        throw new SourceError('nonsense', `${TITLE} told of another payment.`)
      }
      if (found.status !== 'Paid') return { state: found.status === 'Expired' ? 'ended' : 'open' }
      return {
        state: 'settled',
        receivedMsat: found.amountReceived ?? null,
        settledMs: found.paidAt ? found.paidAt * 1_000 : null,
      }
    },

    watch: null,
    pay: null,
    close: () => Promise.resolve(),
  }
}
