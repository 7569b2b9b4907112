import {
  type lnurlInvoice,
  type lnurlOffer,
  type lnurlVerify,
} from '#contracts/lightning-address.ts'
import { cleanLine } from '#domain/clean-text.ts'
import { receiptPath } from '#contracts/receipt.ts'
import { isPaid, MAX_SATS } from '#domain/money/invoice.ts'
import { showCount } from '#domain/price-text.ts'
import { readZapRequest } from '#domain/publishing/zap.ts'
import { failure } from '#server/kit/failure.ts'
import { jsonOrNull } from '#server/kit/json-or-null.ts'
import { sha256 } from '#server/kit/tokens.ts'
import { type z } from 'zod'
import { checkUnlessFresh } from './check-invoice.service.ts'
import { boosted } from './order-boost.service.ts'
import { newInvoice } from './order-payment.service.ts'
import { type PaymentsKit } from './payments-kit.ts'
import { paymentByChecking, type Support } from './payments.store.ts'
import { SignedRequest, signedByItsKey } from './zap-request.ts'
import { predictionOfAddress, predictionOfEvent } from './zaps.store.ts'

const NO_ADDRESS = 'There is no such Lightning address here.'
const COMMENT_CHARACTERS = 200

export type LightningAddress = ReturnType<typeof lightningAddressService>

/**
 * The site's own Lightning address. It is there where a name is set up and the wallet can make invoices with the hash of
 * a text, as payers compare that.
 *
 * @param name before the @; null for no address
 * @param pubkey the key that signs receipts of zaps, hex; null takes no zaps
 */
export function lightningAddressService(
  kit: PaymentsKit,
  {
    name,
    origin,
    pubkey,
  }: { readonly name: string | null; readonly origin: string; readonly pubkey: string | null },
) {
  const { walletHealth, minSats, clock, db, tokens, checks } = kit
  const address = `${name ?? ''}@${new URL(origin).host}`
  const callback = `${origin}/api/v1/lnurlp/${name ?? ''}/callback`
  const metadata = JSON.stringify([
    ['text/plain', `Support ${new URL(origin).host}`],
    ['text/identifier', address],
  ])

  function expectName(given: string): void {
    if (name === null || given.toLowerCase() !== name || !walletHealth.wallet?.hashesTexts) {
      throw failure('not_found', NO_ADDRESS)
    }
  }

  /** What is paid for by a zap. @throws AppError with what is wrong with its request */
  async function zapOf(text: string, key: string, msat: number): Promise<Support> {
    const request = SignedRequest.safeParse(jsonOrNull(text)).data
    if (!request) throw failure('invalid', 'The zap request cannot be read.')
    const zapped = readZapRequest(request, { pubkey: key, msat, nowMs: clock.now() })
    if (typeof zapped === 'string') throw failure('invalid', zapped)
    if (!(await signedByItsKey(request))) {
      throw failure('invalid', 'The signature of the zap request is wrong.')
    }
    const { eventId, address: of } = zapped
    const predictionId =
      (eventId !== null && (await predictionOfEvent(db, eventId))) ||
      (of && (await predictionOfAddress(db, of))) ||
      null
    if (predictionId !== null) await boosted(db, predictionId)
    return { purpose: 'zap', predictionId, description: text }
  }

  function commentOf(given: string | undefined): string | null {
    const comment = cleanLine(given)
    if (Array.from(comment).length > COMMENT_CHARACTERS) {
      const most = String(COMMENT_CHARACTERS)
      throw failure('invalid', `The comment is too long: ${most} characters at the most.`)
    }
    return comment === '' ? null : comment
  }

  return {
    offer(given: string): z.input<typeof lnurlOffer.reply> {
      expectName(given)
      return {
        tag: 'payRequest',
        callback,
        minSendable: minSats * 1_000,
        maxSendable: MAX_SATS * 1_000,
        metadata,
        commentAllowed: COMMENT_CHARACTERS,
        ...(pubkey === null ? {} : { allowsNostr: true as const, nostrPubkey: pubkey }),
      }
    },

    /** Makes an invoice. @param from the payer's address: how many it may begin is limited */
    async invoice(
      given: string,
      { amount, comment, nostr }: z.output<NonNullable<typeof lnurlInvoice.query>>,
      from: string,
    ): Promise<z.input<typeof lnurlInvoice.reply>> {
      expectName(given)
      const msat = /^\d{1,15}$/.test(amount) ? Number(amount) : NaN
      if (!(msat >= minSats * 1_000 && msat <= MAX_SATS * 1_000)) {
        const [least, most] = [showCount(minSats), showCount(MAX_SATS)]
        throw failure('invalid', `The amount must be from ${least} to ${most} sats, in millisats.`)
      }
      if (msat % 1_000 !== 0) throw failure('invalid', 'The amount must be a whole number of sats.')
      const said = commentOf(comment)
      const prepare = async () => {
        const isZap = nostr !== undefined && nostr !== '' && pubkey !== null
        const of: Support = isZap
          ? { ...(await zapOf(nostr, pubkey, msat)), comment: said }
          : { purpose: 'support', predictionId: null, description: metadata, comment: said }
        return (_: unknown, add: (of: Support) => Promise<boolean>) => add(of)
      }
      const fingerprint = sha256(JSON.stringify([amount, comment, nostr]))
      const order = { amount: msat / 1_000, fingerprint, idempotencyHash: null, prepare }
      const made = await newInvoice(kit, order, from)
      if (!made) throw new Error('an invoice without an Idempotency-Key was made before')
      const token = tokens.checking(made.id)
      const url = `${origin}${receiptPath(token)}`
      return {
        pr: made.bolt11,
        routes: [],
        verify: `${origin}/api/v1/lnurlp/${given}/verify/${token}`,
        successAction: { tag: 'url', description: 'Thank you! Your receipt:', url },
      }
    },

    /** Whether an invoice of this address is paid, as our own wallet says. */
    async verify(given: string, token: string): Promise<z.input<typeof lnurlVerify.reply>> {
      expectName(given)
      const found = await paymentByChecking(db, tokens.hash(token))
      if (!found?.bolt11 || (found.purpose !== 'zap' && found.purpose !== 'support')) {
        throw failure('not_found', 'Not found')
      }
      const { payment } = await checkUnlessFresh(checks, found)
      const settled = isPaid(payment.status)
      return {
        status: 'OK',
        settled,
        preimage: settled ? payment.preimage : null,
        pr: payment.bolt11 ?? '',
      }
    },
  }
}
