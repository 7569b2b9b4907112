import { z } from 'zod'
import { fitMemo } from '#domain/money/invoice.ts'
import { sha256 } from '#server/kit/tokens.ts'
import { type Wallet } from '#server/payments/ports.ts'
import { walletServer, type WalletAccess } from './wallet-server.ts'

const TITLE = 'phoenixd'
const MEMO_CHARACTERS = 128

const Info = z.object({ chain: z.string() })
const Created = z.object({ serialized: z.string(), paymentHash: z.string() })
/**
 * `receivedSat` is reduced by the liquidity fee, so it is not compared. Contains the preimage even while
 * unpaid; used only once paid.
 */
const Looked = z.object({
  paymentHash: z.string(),
  isPaid: z.boolean(),
  isExpired: z.boolean().optional(),
  completedAt: z.number().nullish(),
  preimage: z.string().nullish(),
})
const Paid = z.object({ type: z.literal('payment_received'), paymentHash: z.string() })

/** The password for limited access suffices. @see https://phoenix.acinq.co/server/api */
export function phoenixdWallet(access: WalletAccess): Wallet {
  const password = Buffer.from(`:${access.key}`).toString('base64')
  const server = walletServer(TITLE, access, { authorization: `Basic ${password}` })

  return {
    ...server.usual,
    name: 'phoenixd',

    async check(signal) {
      const answer = await server.get('/getinfo', signal)
      // The limited password may not call this; an invoice will show the network.
      if (answer.status === 403) return
      server.expectNetwork(server.read(answer, Info).chain)
    },

    async createInvoice({ id, sats, memo, hashed = null, expirySeconds, hintUrl }, signal) {
      const order = {
        amountSat: String(sats),
        ...(hashed === null
          ? { description: fitMemo(memo, MEMO_CHARACTERS) }
          : { descriptionHash: sha256(hashed) }),
        expirySeconds: String(expirySeconds),
        externalId: id,
        ...(hintUrl === null ? {} : { webhookUrl: hintUrl }),
      }
      const answer = await server.post('/createinvoice', { form: order }, signal)
      const { serialized: bolt11, paymentHash } = server.read(answer, Created)
      return { bolt11, paymentHash, ref: paymentHash }
    },

    async lookUp({ ref, paymentHash }, signal) {
      const answer = await server.get(`/payments/incoming/${encodeURIComponent(ref)}`, signal)
      if (answer.status === 404) return { state: 'gone' }
      const found = server.read(answer, Looked)
      server.expectPayment(found.paymentHash, paymentHash)
      return found.isPaid
        ? {
            state: 'settled',
            receivedMsat: null,
            settledMs: found.completedAt ?? null,
            preimage: found.preimage,
          }
        : { state: found.isExpired ? 'ended' : 'open' }
    },

    listen: (onHint) => {
      const read = (message: unknown): string | undefined =>
        Paid.safeParse(message).data?.paymentHash
      return server.socket('/websocket', read, onHint)
    },
  }
}
