import { z } from 'zod'
import type * as contract from '#contracts/lightning-address.ts'
import { receiptPath } from '#contracts/paths.ts'
import { onlyText, cleanLine } from '#domain/clean-text.ts'
import { isPaid, MAX_SATS } from '#domain/money/invoice.ts'
import { showCount } from '#domain/price-text.ts'
import { readZapRequest, type Zapped } from '#domain/publishing/nostr.ts'
import { readRows, type Db } from '#server/kit/db.ts'
import { failure } from '#server/kit/failure.ts'
import { jsonOrNull } from '#server/kit/text.ts'
import { sha256 } from '#server/kit/tokens.ts'
import { checkUnlessFresh } from './check-invoice.service.ts'
import { newInvoice, type PaymentsKit } from './order-payment.service.ts'
import { boosted } from './payments.service.ts'
import { paymentBy, type Support } from './payments.store.ts'
import { PURPOSES } from './purposes.ts'

const hex = (characters: number) =>
  z.string().regex(new RegExp(`^[0-9a-f]{${String(characters)}}$`))

/** Stored as signed, as it becomes part of the receipt. */
const text = (most: number) =>
  z
    .string()
    .max(most)
    .refine((input) => onlyText(input) === input)

/** A stranger's signed event, limited in size. */
const SignedRequest = z.object({
  id: hex(64),
  pubkey: hex(64),
  created_at: z.int().nonnegative(),
  kind: z.int(),
  tags: z.array(z.array(text(2_000)).max(100)).max(100),
  content: text(4_000),
  sig: hex(128),
})

/** The prediction of one of our events, a signed record or a post about it; null for others. */
async function predictionOf(db: Db, { eventId, address }: Zapped): Promise<string | null> {
  const { kind = null, pubkey = null, d = null } = address ?? {}
  const [found] = await readRows(db, z.object({ id: z.string() }))`
    select id from (
      select 1 as rank, prediction_id as id from record_events where event_id = ${eventId}
      union all
      select 2, p.prediction_id from outbox o
      join nostr_events e on e.id = ${eventId} join social_posts p on p.id::text = o.ref
      where o.kind = 'post' and o.lane = 'nostr' and o.payload->>'remoteId' = ${eventId}
      union all (
        select 3, prediction_id from record_events
        where pubkey = ${pubkey} and kind = ${kind} and d = ${d} order by id desc limit 1
      )
    ) found where id is not null order by rank limit 1`
  return found?.id ?? null
}

const NO_ADDRESS = 'There is no such Lightning address here.'
const COMMENT_CHARACTERS = 200

export type LightningAddress = ReturnType<typeof lightningAddressService>

/**
 * The site's Lightning address; needs a wallet that supports description hashes.
 * @param pubkey signs zap receipts, hex; null disables zaps
 */
export function lightningAddressService(
  kit: PaymentsKit,
  site: { readonly name: string | null; readonly origin: string; readonly pubkey: string | null },
) {
  const { walletHealth, minSats, clock, db, tokens, checks } = kit
  const { name, origin, pubkey } = site
  const address = `${name ?? ''}@${new URL(origin).host}`
  const callback = `${origin}/api/v1/lnurlp/${name ?? ''}/callback`
  const metadata = JSON.stringify([
    ['text/plain', `Support ${new URL(origin).host}`],
    ['text/identifier', address],
  ])

  function expectName(text: string): void {
    if (name === null || text.toLowerCase() !== name || !walletHealth.wallet?.hashesTexts) {
      throw failure('not_found', NO_ADDRESS)
    }
  }

  /** The target of a zap. @throws AppError if its request is invalid */
  async function zapOf(text: string, key: string, msat: number): Promise<Support> {
    const request = SignedRequest.safeParse(jsonOrNull(text)).data
    if (!request) throw failure('invalid', 'The zap request cannot be read.')
    const zapped = readZapRequest(request, { pubkey: key, msat, nowMs: clock.now() })
    if (typeof zapped === 'string') throw failure('invalid', zapped)
    const { verifyEvent } = await import('nostr-tools/pure')
    if (!verifyEvent(request)) {
      throw failure('invalid', 'The signature of the zap request is wrong.')
    }
    const predictionId = await predictionOf(db, zapped)
    if (predictionId !== null) await boosted(db, predictionId)
    return { purpose: 'zap', predictionId, description: text }
  }

  function commentOf(text: string | undefined): string | null {
    const comment = cleanLine(text)
    if (Array.from(comment).length > COMMENT_CHARACTERS) {
      const most = String(COMMENT_CHARACTERS)
      throw failure('invalid', `The comment is too long: at most ${most} characters.`)
    }
    return comment === '' ? null : comment
  }

  return {
    offer(text: string): z.input<typeof contract.lnurlOffer.reply> {
      expectName(text)
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

    async invoice(
      text: string,
      { amount, comment, nostr }: z.output<NonNullable<typeof contract.lnurlInvoice.query>>,
      from: string,
    ): Promise<z.input<typeof contract.lnurlInvoice.reply>> {
      expectName(text)
      const msat = /^\d{1,15}$/.test(amount) ? Number(amount) : NaN
      if (!(msat >= minSats * 1_000 && msat <= MAX_SATS * 1_000)) {
        const [least, most] = [showCount(minSats), showCount(MAX_SATS)]
        throw failure('invalid', `The amount must be from ${least} to ${most} sats, in millisats.`)
      }
      if (msat % 1_000 !== 0) throw failure('invalid', 'The amount must be a whole number of sats.')
      const message = commentOf(comment)
      const prepare = async (): Promise<Support> =>
        nostr !== undefined && nostr !== '' && pubkey !== null
          ? { ...(await zapOf(nostr, pubkey, msat)), comment: message }
          : { purpose: 'support', predictionId: null, description: metadata, comment: message }
      const fingerprint = sha256(JSON.stringify([amount, comment, nostr]))
      const order = { amount: msat / 1_000, fingerprint, idempotencyHash: null, prepare }
      const made = await newInvoice(kit, order, from)
      if (!made) throw new Error('an invoice without an Idempotency-Key was made before')
      const token = tokens.checking(made.id)
      const url = `${origin}${receiptPath(token)}`
      return {
        pr: made.bolt11,
        routes: [],
        verify: `${origin}/api/v1/lnurlp/${text}/verify/${token}`,
        successAction: { tag: 'url', description: 'Thank you! Your receipt:', url },
      }
    },

    async verify(text: string, token: string): Promise<z.input<typeof contract.lnurlVerify.reply>> {
      expectName(text)
      const found = await paymentBy(db, 'checkingHash', tokens.hash(token))
      if (!found?.bolt11 || !PURPOSES[found.purpose].isAddressed) {
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
