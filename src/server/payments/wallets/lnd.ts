import { z } from 'zod'
import { sha256 } from '#server/kit/tokens.ts'
import { type Wallet } from '#server/payments/ports.ts'
import { walletServer, type WalletAccess } from './wallet-server.ts'

const TITLE = 'LND'

const Info = z.object({ chains: z.array(z.object({ network: z.string() })).min(1) })
const Created = z.object({ payment_request: z.string(), r_hash: z.base64() })
/** All 64-bit numbers are strings. Contains the preimage even while unpaid; used only once paid. */
const Looked = z.object({
  r_hash: z.base64(),
  r_preimage: z.string().nullish(),
  state: z.enum(['OPEN', 'SETTLED', 'CANCELED', 'ACCEPTED']),
  amt_paid_msat: z.coerce.number(),
  settle_date: z.coerce.number(),
})

const Pushed = z.object({ result: z.object({ r_hash: z.base64(), state: z.string() }) })

/**
 * The key is a macaroon in hex; `invoice.macaroon` suffices.
 * @see https://lightning.engineering/api-docs/api/lnd/rest-endpoints
 */
export function lndWallet(access: WalletAccess): Wallet {
  const server = walletServer(TITLE, access, { 'grpc-metadata-macaroon': access.key })

  return {
    ...server.usual,
    name: 'lnd',

    async check(signal) {
      const answer = await server.get('/v1/getinfo', signal)
      // The invoice macaroon may not call this; an invoice will show the network.
      if (answer.status === 403 || answer.status === 500) return
      server.expectNetwork(server.read(answer, Info).chains[0]?.network)
    },

    async createInvoice({ sats, memo, hashed = null, expirySeconds }, signal) {
      const description =
        hashed === null
          ? { memo }
          : { description_hash: Buffer.from(sha256(hashed), 'hex').toString('base64') }
      const order = {
        ...description,
        value: String(sats),
        expiry: String(expirySeconds),
        private: true,
      }
      const answer = await server.post('/v1/invoices', { json: order }, signal)
      const { payment_request: bolt11, r_hash } = server.read(answer, Created)
      const paymentHash = hexOfBase64(r_hash)
      return { bolt11, paymentHash, ref: paymentHash }
    },

    async lookUp({ ref, paymentHash }, signal) {
      const answer = await server.get(`/v1/invoice/${ref}`, signal)
      if (answer.status === 404) return { state: 'gone' }
      const found = server.read(answer, Looked)
      const { r_hash, r_preimage: preimage, state, amt_paid_msat, settle_date } = found
      server.expectPayment(hexOfBase64(r_hash), paymentHash)
      switch (state) {
        case 'SETTLED':
          return {
            state: 'settled',
            receivedMsat: amt_paid_msat,
            settledMs: settle_date > 0 ? settle_date * 1_000 : null,
            preimage: preimage ? hexOfBase64(preimage) : null,
          }
        // Accepted: in flight, and may still arrive after expiry.
        case 'ACCEPTED':
        case 'OPEN':
          return { state: 'open' }
        case 'CANCELED':
          return { state: 'ended' }
      }
    },

    listen: (onHint) => {
      const read = (message: unknown): string | undefined => {
        const result = Pushed.safeParse(message).data?.result
        return result?.state === 'SETTLED' ? hexOfBase64(result.r_hash) : undefined
      }
      return server.lines('/v1/invoices/subscribe', read, onHint)
    },
  }
}

function hexOfBase64(text: string): string {
  return Buffer.from(text, 'base64').toString('hex')
}
