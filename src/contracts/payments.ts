import { z } from 'zod'
import { NETWORKS } from '#domain/money/bolt11.ts'
import { INVOICE_STATUSES, PAYMENT_PURPOSES } from '#domain/money/invoice.ts'
import { SUBMISSION_STATUSES } from '#domain/submission.ts'
import { textIn } from './fields.ts'
import { get, post } from './route.ts'
import { SubmissionData, Submitted } from './submissions.ts'

/**
 * The header that makes repeated requests harmless; a page sends one `crypto.randomUUID()` for each press of the
 * button.
 */
export const IDEMPOTENCY_HEADER = 'idempotency-key'
export const IdempotencyKey = z.string().regex(/^[\w.:-]{16,200}$/)

const token = z.string().regex(/^[\w-]{20,80}$/)
const moment = z.iso.datetime()
/** Whole sats. */
const amount = z.union([z.number(), z.string().max(20)])

const SUBMISSIONS_REST =
  'Submissions are paused for a moment; nothing was charged. Please try again shortly.'
const LOOKS_REST =
  'Payments cannot be checked at the moment. What you have paid is not lost. Please try again shortly.'

export const paymentOptions = get('/api/v1/payments/options', 'public', {
  summary: 'Whether submissions are open, their limits, and the value of a sat.',
  reply: z.object({
    open: z.boolean(),
    closed_because: z.string().nullable(),
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
    /** How a page should poll for a payment: the pause in milliseconds, and how often. */
    poll_ms: z.int(),
    polls: z.int(),
    notices: z.object({ email: z.boolean(), lightning: z.boolean() }),
  }),
})

/**
 * Creates the invoice of a submission. 400 `invalid` names the fields; 503 `unavailable` when no invoice can be
 * made.
 */
export const createInvoice = post('/api/payments/create-invoice', 'public', {
  summary:
    'Stores a submission and creates the invoice that brings it into review. Takes an Idempotency-Key.',
  unavailableText: SUBMISSIONS_REST,
  body: z.object({
    amount,
    submissionData: SubmissionData,
    /**
     * Our addition: the receipt's token of an earlier attempt with the same form, so that both count for one
     * submission.
     */
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

const checking = z.object({ checkingId: z.string() })
const PaymentState = z.object({
  paid: z.boolean(),
  status: z.enum(INVOICE_STATUSES),
  /** The sats came after the invoice had expired; they still count. */
  late: z.boolean(),
  /** Another attempt had already paid the submission; an administrator refunds this one. */
  overpaid: z.boolean(),
  /** False while the wallet is unavailable: the state is unknown, but nothing is lost. */
  checked: z.boolean(),
})

export const checkPayment = get('/api/payments/check-payment/:checkingId', 'public', {
  summary: 'Whether an invoice has been paid.',
  unavailableText: LOOKS_REST,
  params: checking,
  reply: PaymentState,
})

/** The invoice is still checked: a late payment counts. */
export const cancelPayment = post('/api/v1/payments/:checkingId/cancel', 'public', {
  summary: 'Reports that the payer has given up an invoice.',
  unavailableText: LOOKS_REST,
  params: checking,
  reply: PaymentState,
})

/** For wallets; the body is not read. */
export const hintPayment = post('/api/v1/payments/:checkingId/hint', 'public', {
  summary: 'Checks a payment; called by wallets as a hint.',
  params: checking,
  body: z.unknown(),
  reply: z.object({ looked: z.boolean() }),
})

/** 409 `conflict` when another wallet is in use. */
export const payWithDemonstration = post(
  '/api/v1/payments/:checkingId/demonstration-payment',
  'public',
  {
    summary: 'Pays an invoice with the demonstration wallet, if that is in use.',
    params: checking,
    reply: PaymentState,
  },
)

const params = z.object({ token: z.string() })

export type ReceiptKind = 'submission' | 'payment'

const Contact = z.object({
  kind: z.enum(['email', 'lightning']),
  shown: z.string(),
  /**
   * False until the owner of an email address has confirmed it; the mail that asks is sent once the sats have
   * arrived.
   */
  confirmed: z.boolean(),
})

export const Receipt = z
  .object({
    path: z.string(),
    created_at: moment,
    submission: Submitted,
    /** The last attempt's, for older pages still open after an update. */
    demonstration: z.boolean(),
    payment: z.object({
      paid: z.boolean(),
      paid_at: moment.nullable(),
      /** Sats counted as support: those received, at most those requested. */
      sats: z.int(),
      /** Requested amount of the paid attempt; null before payment. */
      asked_sats: z.int().nullable(),
      /** Received amount reported by the wallet, millisats; null if not reported or unpaid. */
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
          /** The proof of payment, once paid, if the wallet provides it. */
          preimage: z.string().nullable(),
          /** The invoice, even after it can no longer be paid. */
          bolt11: z.string().nullable().default(null),
        }),
      ),
    }),
    review: z.object({
      status: z.enum(SUBMISSION_STATUSES),
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
    /** Where notices are sent, if wanted. */
    contact: Contact.nullable(),
    state: z.string(),
    /** Advice in odd cases; null otherwise. */
    hint: z.string().nullable(),
  })
  .meta({ id: 'Receipt' })
export type Receipt = z.infer<typeof Receipt>

export const getReceipt = get('/api/v1/receipts/:token', 'public', {
  summary: 'A submission with its payments, its review and its prediction.',
  params,
  reply: Receipt,
})

/** A further attempt to pay the same submission; earlier invoices are still checked. Errors as in `createInvoice`. */
export const payReceipt = post('/api/v1/receipts/:token/invoice', 'public', {
  summary: 'Creates a new invoice for an unpaid submission. Takes an Idempotency-Key.',
  params,
  body: z.object({ amount }),
  reply: createInvoice.reply,
})

/** Events named `receipt`, each the whole Receipt as JSON: at once, and whenever it changes. */
export const RECEIPT_EVENTS_PATH = '/api/v1/receipts/:token/events'
export const ReceiptParams = params

/** 400 `invalid` with the field `contact` when it cannot be used. */
export const setReceiptContact = post('/api/v1/receipts/:token/contact', 'public', {
  callsAMinute: 30,
  summary:
    'Requests notices of approval, rejection and verdict by email, or by a payment of 1 sat with a comment.',
  params,
  body: z.object({
    /** An email address, a Lightning address or an LNURL. */
    contact: z.string().max(3_000),
    /** `name@domain` is email unless this says otherwise. */
    kind: z.enum(['email', 'lightning']).nullish(),
  }),
  reply: z.object({ contact: Contact }),
})

export const unsubscribe = post('/api/v1/receipts/:token/unsubscribe', 'public', {
  summary: 'Ends the notices of a submission and removes the contact.',
  params,
  body: z.unknown(),
  reply: z.object({ unsubscribed: z.literal(true) }),
})

/** 409 `conflict` when the prediction has been withdrawn; other errors as in `createInvoice`. */
export const boostPrediction = post('/api/v1/predictions/:id/boost', 'public', {
  summary:
    'Creates an invoice whose sats add to the score of a published prediction. Takes an Idempotency-Key.',
  unavailableText:
    'Boosting is paused for a moment; nothing was charged. Please try again shortly.',
  params: z.object({ id: textIn('There is no such prediction.') }),
  body: z.object({ amount }),
  reply: createInvoice.reply,
})

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
    bolt11: z.string().nullable(),
    open: z.boolean(),
    checking_id: z.string(),
    payment_hash: z.string().nullable(),
    /** The proof of payment, once paid, if the wallet provides it. */
    preimage: z.string().nullable(),
    credited_sats: z.int(),
    prediction: z.object({ path: z.string(), text: z.string() }).nullable(),
    /** The report of a deposit, required by earlier versions. */
    report: z.int().nullable(),
    state: z.string(),
  })
  .meta({ id: 'SupportReceipt' })
export type SupportReceipt = z.infer<typeof SupportReceipt>

export const getSupportReceipt = get('/api/v1/payments/:checkingId/receipt', 'public', {
  summary: 'A boost, a zap or a payment to the Lightning address, with its proof.',
  params: z.object({ checkingId: z.string() }),
  reply: SupportReceipt,
})
