import { type Network } from '#domain/money/bolt11.ts'
import { fitMemo } from '#domain/money/memo.ts'
import { SourceError } from '#server/kit/ports.ts'
import { type Reach } from '#server/kit/reach.ts'
import { type Wallet } from '#server/payments/ports.ts'
import { lnurlClient } from './lnurl-pay.ts'

const TITLE = 'The service of the Lightning address'

/**
 * A Lightning address whose service reports what has been paid (LUD-21): no node and no key of our own. The service is not
 * trusted: an invoice counts as paid only with its proof.
 *
 * @param url where the address is asked: `https://domain/.well-known/lnurlp/name`
 * @see https://github.com/lnurl/luds/blob/luds/16.md
 */
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
    name: 'address',
    title: TITLE,
    network,
    isDemonstration: false,
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

    listen: null,
    pay: null,
    close: () => Promise.resolve(),
  }
}
