import { z } from 'zod'
import { SourceError } from '#server/kit/failure.ts'
import { type Wallet } from '#server/payments/ports.ts'
import { walletServer, type WalletAccess } from './wallet-server.ts'

const TITLE = 'LNbits'

const Hash = z.string().regex(/^[0-9a-fA-F]{64}$/)
const Created = z.object({
  payment_hash: Hash,
  payment_request: z.string().optional(),
  bolt11: z.string().optional(),
})
/** Contains the preimage even while unpaid; used only once paid. */
const Looked = z.object({
  paid: z.boolean(),
  preimage: z.string().nullish(),
  details: z
    .object({ amount: z.number(), payment_hash: Hash, updated_at: z.string().nullish() })
    .optional(),
})
const Paid = z.object({ payment: z.object({ payment_hash: Hash }) })

/** The invoice key suffices. @see https://github.com/lnbits/lnbits/tree/main/lnbits/core/views/payment_api.py */
export function lnbitsWallet(access: WalletAccess): Wallet {
  const { key } = access
  const server = walletServer(TITLE, access, { 'x-api-key': key })

  return {
    ...server.usual,
    name: 'lnbits',

    async check(signal) {
      // Payments can be looked up with any key; only this call rejects a wrong one.
      const answer = await server.get('/api/v1/wallet', signal)
      if (answer.status === 404) throw new SourceError('refused', `${TITLE} rejected our key.`)
      server.read(answer, z.object({ balance: z.number() }))
    },

    async createInvoice({ id, sats, memo, hashed = null, expirySeconds, hintUrl }, signal) {
      const order = {
        // Otherwise it would be an outgoing payment.
        out: false,
        amount: sats,
        unit: 'sat',
        memo,
        expiry: expirySeconds,
        extra: { payment: id },
        ...(hashed === null
          ? {}
          : { unhashed_description: Buffer.from(hashed, 'utf8').toString('hex') }),
        ...(hintUrl === null ? {} : { webhook: hintUrl }),
      }
      const answer = await server.post('/api/v1/payments', { json: order }, signal)
      const made = server.read(answer, Created)
      const bolt11 = made.bolt11 ?? made.payment_request
      if (bolt11 === undefined) throw new SourceError('nonsense', `${TITLE} sent no invoice.`)
      return { bolt11, paymentHash: made.payment_hash, ref: made.payment_hash }
    },

    async lookUp({ ref, paymentHash }, signal) {
      const answer = await server.get(`/api/v1/payments/${encodeURIComponent(ref)}`, signal)
      if (answer.status === 404) return { state: 'gone' }
      const { paid, preimage, details } = server.read(answer, Looked)
      // Details require the right key: without them any server could have answered.
      if (!details) throw new SourceError('refused', `${TITLE} rejected our key.`)
      server.expectPayment(details.payment_hash.toLowerCase(), paymentHash)
      // LNbits does not store the time of payment; `updated_at` also changes for other reasons.
      return paid
        ? { state: 'settled', receivedMsat: details.amount, settledMs: null, preimage }
        : { state: 'open' }
    },

    listen: (onHint) => {
      const read = (message: unknown): string | undefined =>
        Paid.safeParse(message).data?.payment.payment_hash.toLowerCase()
      return server.socket(`/api/v1/ws/${encodeURIComponent(key)}`, read, onHint)
    },
  }
}
