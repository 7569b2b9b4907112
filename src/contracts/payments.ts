import { NETWORKS } from '#domain/money/bolt11.ts'
import { INVOICE_STATUSES } from '#domain/money/invoice.ts'
import { z } from 'zod'
import { defineRoute } from './route.ts'
import { SubmissionData } from './submissions.ts'

/** The header that makes repeated requests harmless; a page sends one `crypto.randomUUID()` for each press of the button. */
export const IDEMPOTENCY_HEADER = 'idempotency-key'
export const IdempotencyKey = z.string().regex(/^[\w.:-]{16,200}$/)

const token = z.string().regex(/^[\w-]{20,80}$/)
const moment = z.iso.datetime()

const SUBMISSIONS_REST =
  'Submissions are paused for a moment; nothing was charged. Please try again shortly.'
const LOOKS_REST =
  'Payments cannot be checked at the moment. What you have paid is not lost. Please try again shortly.'

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
    /** The wallet is being checked for the first time since the site started; invoices wait for that. */
    checking: z.boolean(),
    /** The sats of a demonstration wallet are worth nothing; every screen about payments says so. */
    demonstration: z.boolean(),
    network: z.enum(NETWORKS).nullable(),
    min_sats: z.int(),
    max_sats: z.int(),
    default_sats: z.int(),
    quick_picks: z.array(z.int()),
    /** From the last known Bitcoin price; 0.001 without one. */
    usd_per_sat: z.number(),
    usd_is_guess: z.boolean(),
    /** What the report of an error costs; 0: nothing. */
    report_deposit_sats: z.int(),
    /** How a page should poll for a payment: the pause in milliseconds, and how often. */
    poll_ms: z.int(),
    polls: z.int(),
    /** Which kinds of contacts can get notices about a submission. */
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
  unavailableText: SUBMISSIONS_REST,
  body: z.object({
    /** Whole sats. */
    amount: z.union([z.number(), z.string().max(20)]),
    submissionData: SubmissionData,
    /** Our addition: the receipt's token of an earlier attempt with the same form, so that both count for one submission. */
    receipt: token.nullish(),
  }),
  reply: z.object({
    invoice: z.object({
      payment_request: z.string(),
      payment_hash: z.string(),
      /** Our secret id for checking the payment; only the payer's browser gets it. */
      checking_id: z.string(),
    }),
    sats: z.int(),
    /** When the invoice expires, by the server's clock; count down from `expires_in_ms`, as clocks differ. */
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
  /** The sats came after the invoice had expired; they still count. */
  late: z.boolean(),
  /** Another attempt had already paid the submission; an administrator pays this one back. */
  overpaid: z.boolean(),
  /** False while the wallet does not answer: there is no news, and nothing is lost. */
  checked: z.boolean(),
})

export const checkPayment = defineRoute({
  method: 'GET',
  path: '/api/payments/check-payment/:checkingId',
  access: 'public',
  summary: 'Whether an invoice has been paid.',
  unavailableText: LOOKS_REST,
  params: checking,
  reply: PaymentState,
})

/** The invoice is still checked: sats that arrive nevertheless count. */
export const cancelPayment = defineRoute({
  method: 'POST',
  path: '/api/v1/payments/:checkingId/cancel',
  access: 'public',
  summary: 'Reports that the payer has given up an invoice.',
  unavailableText: LOOKS_REST,
  params: checking,
  reply: PaymentState,
})

/** For wallets; the body is not read. */
export const hintPayment = defineRoute({
  method: 'POST',
  path: '/api/v1/payments/:checkingId/hint',
  access: 'public',
  summary: 'Checks a payment; a wallet calls it when something has happened.',
  params: checking,
  body: z.unknown(),
  reply: z.object({ looked: z.boolean() }),
})

/** 409 `conflict` when another wallet is in use. */
export const payWithDemonstration = defineRoute({
  method: 'POST',
  path: '/api/v1/payments/:checkingId/demonstration-payment',
  access: 'public',
  summary: 'Pays an invoice with the demonstration wallet, while that one is in use.',
  params: checking,
  reply: PaymentState,
})
