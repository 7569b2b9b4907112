import { z } from 'zod'
import { type Network } from '#domain/money/bolt11.ts'
import { isOk, jsonOf, type HttpAnswer } from '#server/kit/http-call.ts'
import { jsonOrNull } from '#server/kit/text.ts'
import { type Wallet } from '#server/payments/ports.ts'
import { walletServer, type WalletAccess } from './wallet-server.ts'

const TITLE = 'Core Lightning'
const LABEL_EXISTS = 900

const NETWORK_OF: Readonly<Record<string, Network>> = {
  bitcoin: 'mainnet',
  testnet: 'testnet',
  testnet4: 'testnet',
  signet: 'signet',
  regtest: 'regtest',
}

const Created = z.object({ bolt11: z.string(), payment_hash: z.string() })
const Listed = z.object({
  invoices: z.array(
    z.object({
      label: z.string(),
      status: z.enum(['unpaid', 'paid', 'expired']),
      payment_hash: z.string(),
      bolt11: z.string().optional(),
      amount_received_msat: z.coerce.number().optional(),
      paid_at: z.number().optional(),
      payment_preimage: z.string().optional(),
    }),
  ),
})
const Fault = z.object({ code: z.number() })

/** By CLNRest; the rune needs invoice, listinvoices and getinfo. @see https://docs.corelightning.org/docs/rest */
export function clnWallet(access: WalletAccess): Wallet {
  const server = walletServer(TITLE, access, { rune: access.key })
  const ask = (method: string, json: object, signal: AbortSignal): Promise<HttpAnswer> =>
    server.post(`/v1/${method}`, { json }, signal)

  async function list(by: object, signal: AbortSignal) {
    const answer = await ask('listinvoices', by, signal)
    return server.read(answer, Listed).invoices[0] ?? null
  }

  return {
    ...server.usual,
    name: 'cln',

    async check(signal) {
      const answer = await ask('getinfo', {}, signal)
      const { network } = server.read(answer, z.object({ network: z.string() }))
      server.expectNetwork(NETWORK_OF[network] ?? network)
    },

    async createInvoice({ id, sats, memo, hashed = null, expirySeconds }, signal) {
      const order = {
        amount_msat: sats * 1_000,
        label: id,
        description: hashed ?? memo,
        ...(hashed === null ? {} : { deschashonly: true }),
        expiry: expirySeconds,
      }
      const answer = await ask('invoice', order, signal)
      if (isOk(answer)) {
        const { bolt11, payment_hash: paymentHash } = jsonOf(TITLE, answer, Created)
        return { bolt11, paymentHash, ref: paymentHash }
      }
      const fault = Fault.safeParse(jsonOrNull(answer.text)).data
      // Already made, but the response was lost: the label is unique to us.
      const made = fault?.code === LABEL_EXISTS ? await list({ label: id }, signal) : null
      if (!made?.bolt11) throw server.failed(answer)
      return { bolt11: made.bolt11, paymentHash: made.payment_hash, ref: made.payment_hash }
    },

    async lookUp({ ref, paymentHash }, signal) {
      const found = await list({ payment_hash: ref }, signal)
      if (!found) return { state: 'gone' }
      server.expectPayment(found.payment_hash, paymentHash)
      if (found.status !== 'paid') return { state: found.status === 'expired' ? 'ended' : 'open' }
      return {
        state: 'settled',
        receivedMsat: found.amount_received_msat ?? null,
        settledMs: found.paid_at === undefined ? null : found.paid_at * 1_000,
        preimage: found.payment_preimage ?? null,
      }
    },
  }
}
