import { INVOICE_STATUSES } from '#domain/money/invoice.ts'
import { SUBMISSION_STATUSES } from '#domain/submission.ts'
import { z } from 'zod'
import { createInvoice } from './payments.ts'
import { defineRoute } from './route.ts'
import { Submitted } from './submitted.ts'

const moment = z.iso.datetime()
const params = z.object({
  token: z.string(),
})

/** The path of a receipt's page; the token opens it in any browser. */
export function receiptPath(token: string): string {
  return `/receipt/${token}`
}

/** What a receipt is of: a submission with all its payments, or one payment for something else. */
export type ReceiptKind = 'submission' | 'payment'

const Contact = z.object({
  kind: z.enum(['email', 'lightning']),
  /** Masked. */
  shown: z.string(),
  /** False until the owner of an e-mail address has confirmed it; the mail that asks is sent once the sats have arrived. */
  confirmed: z.boolean(),
})

/** The state of a submission and of every attempt to pay it. */
export const Receipt = z
  .object({
    path: z.string(),
    created_at: moment,
    submission: Submitted,
    /** Of the last attempt, for older pages that are still open after an update. */
    demonstration: z.boolean(),
    payment: z.object({
      paid: z.boolean(),
      paid_at: moment.nullable(),
      /** What counts as support of the prediction: what arrived, at most what was asked. */
      sats: z.int(),
      /** The amount asked for by the paid attempt; null before a payment. */
      asked_sats: z.int().nullable(),
      /** What arrived according to the wallet, thousandths of a sat; null when it does not say, and before a payment. */
      received_msat: z.int().nullable(),
      late: z.boolean(),
      /** Sats that were paid twice and will be paid back. */
      overpaid_sats: z.int(),
      /** Oldest first. */
      tries: z.array(
        z.object({
          status: z.enum(INVOICE_STATUSES),
          sats: z.int(),
          /** Its sats are worth nothing: an invoice of the demonstration wallet. */
          demonstration: z.boolean().default(false),
          created_at: moment,
          expires_at: moment.nullable(),
          expires_in_ms: z.int().nullable(),
          /** The invoice, while it can be paid; null afterwards. */
          payment_request: z.string().nullable(),
          checking_id: z.string(),
          payment_hash: z.string().nullable(),
          /** The proof of payment, once paid and if the wallet gives it. */
          preimage: z.string().nullable(),
          /** The invoice, also once it cannot be paid any more. */
          bolt11: z.string().nullable().default(null),
        }),
      ),
    }),
    review: z.object({
      status: z.enum(SUBMISSION_STATUSES),
      /** The administrator's comment. */
      comment: z.string().nullable(),
      decided_at: moment.nullable(),
    }),
    /** The published prediction, once there is one. */
    prediction: z
      .object({
        id: z.string(),
        path: z.string(),
        success_status: z.enum(['success', 'miss', 'pending']),
      })
      .nullable(),
    /** Where notices go; null when none are wanted. */
    contact: Contact.nullable(),
    /** The state, in a sentence or two for people. */
    state: z.string(),
    /** What to do about an odd case; null when there is none. */
    hint: z.string().nullable(),
  })
  .meta({ id: 'Receipt' })
export type Receipt = z.infer<typeof Receipt>

export const getReceipt = defineRoute({
  method: 'GET',
  path: '/api/v1/receipts/:token',
  access: 'public',
  summary: 'A submission with its payments, its review and its prediction.',
  params,
  reply: Receipt,
})

/** A further attempt to pay the same submission; earlier invoices are still checked. Errors as in `createInvoice`. */
export const payReceipt = defineRoute({
  method: 'POST',
  path: '/api/v1/receipts/:token/invoice',
  access: 'public',
  summary: 'Makes a new invoice for a submission that has not been paid. Takes an Idempotency-Key.',
  params,
  body: z.object({
    /** Whole sats. */
    amount: z.union([z.number(), z.string().max(20)]),
  }),
  reply: createInvoice.reply,
})

/** Events named `receipt`, each the whole Receipt as JSON: at once, and whenever it changes. */
export const RECEIPT_EVENTS_PATH = '/api/v1/receipts/:token/events'
export const ReceiptParams = params

/** 400 `invalid` with the field `contact` when it cannot be used. */
export const setReceiptContact = defineRoute({
  method: 'POST',
  path: '/api/v1/receipts/:token/contact',
  access: 'public',
  summary:
    'Requests notices of approval, rejection and verdict by e-mail, or by a payment of 1 sat with a comment.',
  params,
  body: z.object({
    /** An e-mail address, a Lightning address or an LNURL. */
    contact: z.string().max(3_000),
    /** `name@domain` is e-mail unless this says otherwise. */
    kind: z.enum(['email', 'lightning']).nullish(),
  }),
  reply: z.object({ contact: Contact }),
})

export const unsubscribe = defineRoute({
  method: 'POST',
  path: '/api/v1/receipts/:token/unsubscribe',
  access: 'public',
  summary: 'Ends the notices of a submission and removes the contact.',
  params,
  body: z.unknown(),
  reply: z.object({ unsubscribed: z.literal(true) }),
})
