import { z } from 'zod'
import { SourceError } from '#server/kit/failure.ts'
import { isOk } from '#server/kit/http-call.ts'
import { type Wallet } from '#server/payments/ports.ts'
import { walletServer, type WalletAccess } from './wallet-server.ts'

const TITLE = 'BTCPay Server'

const Amount = z.coerce.number()
const Invoice = z.object({
  id: z.string().min(1),
  status: z.enum(['Unpaid', 'Paid', 'Expired']),
  BOLT11: z.string(),
  paymentHash: z.string().nullish(),
  paidAt: z.number().nullish(),
  amountReceived: Amount.nullish(),
  preimage: z.string().nullish(),
})

/**
 * Its own invoices expire before the Lightning invoice, so they are not used.
 * @see https://docs.btcpayserver.org/API/Greenfield/v1/
 */
export function btcpayWallet(access: WalletAccess & { readonly store: string }): Wallet {
  const server = walletServer(TITLE, access, { authorization: `token ${access.key}` })
  const invoices = `/api/v1/stores/${access.store}/lightning/BTC/invoices`

  return {
    ...server.usual,
    name: 'btcpay',

    async check(signal) {
      const answer = await server.get(`${invoices}?pendingOnly=true`, signal)
      if (answer.status === 404) {
        throw new SourceError('refused', `${TITLE} has no such store, or no Lightning node for it.`)
      }
      if (!isOk(answer)) throw server.failed(answer)
    },

    async createInvoice({ sats, memo, hashed = null, expirySeconds }, signal) {
      const order = {
        amount: String(sats * 1_000),
        description: hashed ?? memo,
        ...(hashed === null ? {} : { descriptionHashOnly: true }),
        expiry: expirySeconds,
        privateRouteHints: true,
      }
      const made = server.read(await server.post(invoices, { json: order }, signal), Invoice)
      return { bolt11: made.BOLT11, paymentHash: made.paymentHash ?? null, ref: made.id }
    },

    async lookUp({ ref, bolt11 }, signal) {
      const answer = await server.get(`${invoices}/${encodeURIComponent(ref)}`, signal)
      if (answer.status === 404) return { state: 'gone' }
      const found = server.read(answer, Invoice)
      server.expectPayment(found.BOLT11.toLowerCase(), bolt11.toLowerCase())
      if (found.status !== 'Paid') return { state: found.status === 'Expired' ? 'ended' : 'open' }
      return {
        state: 'settled',
        receivedMsat: found.amountReceived ?? null,
        settledMs: found.paidAt ? found.paidAt * 1_000 : null,
        preimage: found.preimage,
      }
    },
  }
}
