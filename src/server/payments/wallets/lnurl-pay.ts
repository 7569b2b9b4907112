import { createHash } from 'node:crypto'
import { z } from 'zod'
import { readBolt11, type Network } from '#domain/money/bolt11.ts'
import { fitMemo } from '#domain/money/invoice.ts'
import { SourceError } from '#server/kit/failure.ts'
import { httpCaller, jsonOf } from '#server/kit/http-call.ts'
import { NOT_ASKED, STRANGERS, type Reach } from '#server/kit/reach.ts'
import { type NoteInvoices, type Wallet, provenPreimage } from '#server/payments/ports.ts'
import { USUAL } from './wallet-server.ts'

const MOST_BYTES = 64_000
/** A comment is part of an address; longer ones get lost. */
const MOST_COMMENT = 500

const Refusal = z.object({ status: z.literal('ERROR'), reason: z.string().optional() })
const Offer = z.object({
  tag: z.literal('payRequest'),
  callback: z.string(),
  minSendable: z.number(),
  maxSendable: z.number(),
  metadata: z.string(),
  commentAllowed: z.number().optional(),
})
const Invoice = z.object({ pr: z.string(), verify: z.string().nullish() })
const Verified = z.object({
  settled: z.boolean(),
  preimage: z.string().nullish(),
  pr: z.string().nullish(),
})

/** LNURL-pay (LUD-06, 12, 16, 21) at addresses chosen by strangers. @see https://github.com/lnurl/luds */
function lnurlClient(title: string, reach: Reach = STRANGERS) {
  const { call } = httpCaller(title, { reach, mostBytes: MOST_BYTES })

  async function get<T>(text: string, schema: z.ZodType<T>, signal: AbortSignal): Promise<T> {
    const url = URL.parse(text)
    if (!url) throw new SourceError('refused', `${title} ${NOT_ASKED}`)
    // LNURL ignores HTTP status codes (LUD-01).
    const answer = await call({ url, signal })
    if (Refusal.safeParse(jsonOf(title, answer, z.unknown())).success) {
      throw new SourceError('refused', `${title} refused the request.`)
    }
    return jsonOf(title, answer, schema)
  }

  return {
    offer: (url: string, signal: AbortSignal) => get(url, Offer, signal),

    /** @param comment returns one of the allowed length; omitted if not supported */
    async invoice(
      url: string,
      { msat, comment }: { msat: number; comment: (most: number) => string },
      signal: AbortSignal,
    ) {
      const offer = await get(url, Offer, signal)
      if (msat < offer.minSendable || msat > offer.maxSendable) {
        throw new SourceError('refused', `${title} does not accept ${String(msat / 1_000)} sats.`)
      }
      // Keeps the callback's own query, which identifies the account.
      const callback = URL.parse(offer.callback)
      if (!callback) throw new SourceError('nonsense', `${title} sent no callback address.`)
      callback.searchParams.set('amount', String(msat))
      const most = Math.min(offer.commentAllowed ?? 0, MOST_COMMENT)
      const note = most > 0 ? comment(most) : ''
      if (note !== '') callback.searchParams.set('comment', note)
      const { pr, verify } = await get(callback.href, Invoice, signal)
      const read = readBolt11(pr)
      const named = createHash('sha256').update(offer.metadata).digest('hex')
      if (!read || read.msat !== msat || (read.descriptionHash ?? named) !== named) {
        throw new SourceError('nonsense', `${title} sent an invoice for a different payment.`)
      }
      return { bolt11: pr, read, verify: verify ?? null }
    },

    /** The preimage by LUD-21; null while unpaid. The service is not trusted: only the preimage counts. */
    async proofOf(
      verify: string,
      { bolt11, paymentHash }: { bolt11: string; paymentHash: string },
      signal: AbortSignal,
    ): Promise<string | null> {
      const { settled, preimage, pr } = await get(verify, Verified, signal)
      if (pr && pr.toLowerCase() !== bolt11.toLowerCase()) {
        throw new SourceError('nonsense', `${title} answered about a different payment.`)
      }
      if (!settled) return null
      const proof = provenPreimage(preimage, paymentHash)
      if (proof !== null) return proof
      throw new SourceError('nonsense', `${title} says it is paid but gives no valid proof.`)
    },
  }
}

export function noteInvoices(reach?: Reach): NoteInvoices {
  const lnurl = lnurlClient('The Lightning address', reach)
  return {
    async invoiceFor(url, { sats, message, network }, signal) {
      const comment = (most: number): string => Array.from(message).slice(0, most).join('')
      const ask = { msat: sats * 1_000, comment }
      const { bolt11, read } = await lnurl.invoice(url, ask, signal)
      if (read.network === network) return bolt11
      throw new SourceError('refused', 'The Lightning address is on another network.')
    },
  }
}

const TITLE = 'The service of the Lightning address'

/** A Lightning address whose service reports payments (LUD-21), which count only with their preimage. */
export function addressWallet({
  url,
  network,
  reach,
}: {
  url: string
  network: Network
  reach?: Reach
}): Wallet {
  const lnurl = lnurlClient(TITLE, reach)

  return {
    ...USUAL,
    name: 'address',
    title: TITLE,
    network,
    isLifeChosen: false,
    hashesTexts: false,

    async check(signal) {
      await lnurl.offer(url, signal)
    },

    async createInvoice({ sats, memo }, signal) {
      const comment = (most: number): string => fitMemo(memo, most)
      const made = await lnurl.invoice(url, { msat: sats * 1_000, comment }, signal)
      if (made.verify === null) {
        throw new SourceError('refused', `${TITLE} does not report what is paid (LUD-21).`)
      }
      return { bolt11: made.bolt11, paymentHash: made.read.paymentHash, ref: made.verify }
    },

    async lookUp({ ref, bolt11, paymentHash, sats }, signal) {
      const preimage = await lnurl.proofOf(ref, { bolt11, paymentHash }, signal)
      return preimage === null
        ? { state: 'open' }
        : { state: 'settled', receivedMsat: sats * 1_000, settledMs: null, preimage }
    },
  }
}
