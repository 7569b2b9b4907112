import { z } from 'zod'
import { get } from './route.ts'

/*
 * The site's own Lightning address, for wallets, and its names on Nostr. A call that fails answers
 * `{"status": "ERROR", "reason": "…"}` (LUD-06) instead of this API's usual failure.
 */

const name = z.string().max(64, 'There is no such Lightning address here.')

/** @see https://github.com/lnurl/luds: LUD-06, LUD-12, LUD-16; NIP-57 */
export const lnurlOffer = get('/.well-known/lnurlp/:name', 'public', {
  open: true,
  summary: 'The pay request of this site’s Lightning address (LUD-06, LUD-16).',
  params: z.object({ name }),
  reply: z.object({
    tag: z.literal('payRequest'),
    callback: z.string(),
    minSendable: z.int(),
    maxSendable: z.int(),
    /** A text: JSON in JSON. Its SHA-256 is in the invoice. */
    metadata: z.string(),
    /** Characters, LUD-12. */
    commentAllowed: z.int(),
    /** Whether zaps are accepted (NIP-57), and the key that signs their receipts. */
    allowsNostr: z.literal(true).optional(),
    nostrPubkey: z.string().optional(),
  }),
})

const LONGEST = 16_000

export const lnurlInvoice = get('/api/v1/lnurlp/:name/callback', 'public', {
  open: true,
  callsAMinute: 60,
  summary: 'Creates an invoice for the Lightning address, or for a zap (LUD-06, NIP-57).',
  params: z.object({ name }),
  query: z.object({
    /** Thousandths of a sat; whole sats only. */
    amount: z.string().max(20).default(''),
    comment: z.string().max(LONGEST).optional(),
    nostr: z.string().max(LONGEST).optional(),
  }),
  reply: z.object({
    pr: z.string(),
    routes: z.array(z.never()),
    /** Says whether it is paid, LUD-21. */
    verify: z.string(),
    /** Leads to the receipt, LUD-09. */
    successAction: z.object({ tag: z.literal('url'), description: z.string(), url: z.string() }),
  }),
})

export const lnurlVerify = get('/api/v1/lnurlp/:name/verify/:checkingId', 'public', {
  open: true,
  summary: 'Whether an invoice of the Lightning address is paid (LUD-21).',
  params: z.object({ name, checkingId: z.string() }),
  reply: z.object({
    status: z.literal('OK'),
    settled: z.boolean(),
    preimage: z.string().nullable(),
    pr: z.string(),
  }),
})

/** @see https://github.com/nostr-protocol/nips/blob/master/05.md */
export const nostrNames = get('/.well-known/nostr.json', 'public', {
  open: true,
  summary: 'Names of this site on Nostr (NIP-05).',
  query: z.object({ name: z.string().max(64).optional() }),
  reply: z.object({
    names: z.record(z.string(), z.string()),
    relays: z.record(z.string(), z.array(z.string())),
  }),
})
