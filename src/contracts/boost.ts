import { INVOICE_STATUSES, PAYMENT_PURPOSES } from '#domain/money/invoice.ts'
import { z } from 'zod'
import { textIn } from './address.ts'
import { createInvoice } from './payments.ts'
import { defineRoute } from './route.ts'

/** 409 `conflict` when the prediction has been withdrawn; other errors as in `createInvoice`. */
export const boostPrediction = defineRoute({
  method: 'POST',
  path: '/api/v1/predictions/:id/boost',
  access: 'public',
  summary:
    'Makes an invoice whose sats are added to the score of a published prediction. Takes an Idempotency-Key.',
  unavailableText:
    'Boosting is paused for a moment; nothing was charged. Please try again shortly.',
  params: z.object({ id: textIn('There is no such prediction.') }),
  body: z.object({
    /** Whole sats. */
    amount: z.union([z.number(), z.string().max(20)]),
  }),
  reply: createInvoice.reply,
})

const moment = z.iso.datetime()

/** A payment that supports a prediction or the site, for the holder of its receipt. */
export const SupportReceipt = z
  .object({
    path: z.string(),
    purpose: z.enum(PAYMENT_PURPOSES),
    status: z.enum(INVOICE_STATUSES),
    sats: z.int(),
    demonstration: z.boolean(),
    created_at: moment,
    paid_at: moment.nullable(),
    /** The invoice, and whether it can be paid now. */
    bolt11: z.string().nullable(),
    open: z.boolean(),
    checking_id: z.string(),
    payment_hash: z.string().nullable(),
    /** The proof of payment, once paid and if the wallet gives it. */
    preimage: z.string().nullable(),
    /** Sats that were added to the score of the prediction. */
    credited_sats: z.int(),
    prediction: z.object({ path: z.string(), text: z.string() }).nullable(),
    /** The report whose deposit it is. */
    report: z.int().nullable(),
    /** The state, in a sentence or two for people. */
    state: z.string(),
  })
  .meta({ id: 'SupportReceipt' })
export type SupportReceipt = z.infer<typeof SupportReceipt>

export const getSupportReceipt = defineRoute({
  method: 'GET',
  path: '/api/v1/payments/:checkingId/receipt',
  access: 'public',
  summary:
    'A boost, a zap, a payment to the Lightning address or the deposit of a report, with its proof.',
  params: z.object({ checkingId: z.string() }),
  reply: SupportReceipt,
})
