import { NETWORKS } from '#domain/money/bolt11.ts'
import { INVOICE_STATUSES } from '#domain/money/invoice.ts'
import { z } from 'zod'
import { defineRoute } from './route.ts'
import { SubmissionData } from './submissions.ts'

/** Of the header that makes asking twice harmless; a page takes `crypto.randomUUID()` for each press of the button. */
export const IDEMPOTENCY_HEADER = 'idempotency-key'
export const IdempotencyKey = z.string().regex(/^[\w.:-]{16,200}$/)

const token = z.string().regex(/^[\w-]{20,80}$/)
const moment = z.iso.datetime()

const SUBMISSIONS_REST =
  'Submissions are paused for a moment; nothing was charged. Please try again shortly.'
const LOOKS_REST =
  'Payments cannot be looked up for a moment. What you have paid is not lost. Please try again shortly.'

/** Whether and how submissions can be paid. */
export const paymentOptions = defineRoute({
  method: 'GET',
  path: '/api/v1/payments/options',
  access: 'public',
  summary: 'Whether submitting is open, with what limits, and what a sat is worth.',
  reply: z.object({
    open: z.boolean(),
    /** Why it is closed, in a sentence. */
    closed_because: z.string().nullable(),
    /** The wallet is being checked for the first time since the start of the site: an invoice waits for that. */
    checking: z.boolean(),
    /** Sats of a demonstration wallet are worth nothing: say so on every screen concerned. */
    demonstration: z.boolean(),
    network: z.enum(NETWORKS).nullable(),
    min_sats: z.int(),
    max_sats: z.int(),
    default_sats: z.int(),
    quick_picks: z.array(z.int()),
    /** From the last known Bitcoin price; 0.001 where none is known. */
    usd_per_sat: z.number(),
    usd_is_guess: z.boolean(),
    /** How a page should ask after an invoice: every so many milliseconds, so many times. */
    poll_ms: z.int(),
    polls: z.int(),
    /** Which contacts can be told of what becomes of a submission. */
    notices: z.object({ email: z.boolean(), lightning: z.boolean() }),
  }),
})

/** Creates the invoice of a submission. 400 `invalid` names the fields; 503 `unavailable` when no invoice can be made. */
export const createInvoice = defineRoute({
  method: 'POST',
  path: '/api/payments/create-invoice',
  access: 'public',
  summary:
    'Stores a submission and makes the invoice that brings it into review. Takes an Idempotency-Key.',
  whileAway: SUBMISSIONS_REST,
  body: z.object({
    /** Whole sats. */
    amount: z.union([z.number(), z.string().max(20)]),
    submissionData: SubmissionData,
    /** Ours: the receipt's token of an earlier try to pay the same form, so that both count for one submission. */
    receipt: token.nullish(),
  }),
  reply: z.object({
    invoice: z.object({
      payment_request: z.string(),
      payment_hash: z.string(),
      /** Ours, for asking after the payment; nobody else knows it. */
      checking_id: z.string(),
    }),
    sats: z.int(),
    /** When the invoice ends, by the server's clock; count down from `expires_in_ms`, as clocks differ. */
    expires_at: moment,
    expires_in_ms: z.int(),
    demonstration: z.boolean(),
    receipt: z.object({ token: z.string(), path: z.string() }),
  }),
})

const checking = z.object({
  checkingId: z.string(),
})
const PaymentState = z.object({
  paid: z.boolean(),
  status: z.enum(INVOICE_STATUSES),
  /** The sats came after the invoice had ended; they count all the same. */
  late: z.boolean(),
  /** Another try had already paid the submission; the administrator gives this one back. */
  overpaid: z.boolean(),
  /** False while the wallet does not answer: nothing is known anew, and nothing is lost. */
  checked: z.boolean(),
})

export const checkPayment = defineRoute({
  method: 'GET',
  path: '/api/payments/check-payment/:checkingId',
  access: 'public',
  summary: 'Whether an invoice has been paid.',
  whileAway: LOOKS_REST,
  params: checking,
  reply: PaymentState,
})

/** The invoice stays under watch: sats that come all the same count. */
export const cancelPayment = defineRoute({
  method: 'POST',
  path: '/api/v1/payments/:checkingId/cancel',
  access: 'public',
  summary: 'Tells that the payer has given up an invoice.',
  whileAway: LOOKS_REST,
  params: checking,
  reply: PaymentState,
})

/** For wallets; whatever they send along is not read. */
export const hintPayment = defineRoute({
  method: 'POST',
  path: '/api/v1/payments/:checkingId/hint',
  access: 'public',
  summary: 'Has a payment looked up; a wallet calls it when something has happened.',
  params: checking,
  body: z.unknown(),
  reply: z.object({ looked: z.boolean() }),
})

/** 409 `conflict` where another wallet is in use. */
export const payWithDemonstration = defineRoute({
  method: 'POST',
  path: '/api/v1/payments/:checkingId/demonstration-payment',
  access: 'public',
  summary: 'Pays an invoice with the demonstration wallet, while that one is in use.',
  params: checking,
  reply: PaymentState,
})
