import { INVOICE_STATUSES, PAYMENT_PURPOSES } from '#domain/money/invoice.ts'
import { z } from 'zod'
import { uuidIn, Done, PageNumber, paging } from './fields.ts'
import { get, post } from './route.ts'

/** `odd`: paid twice, with a wrong amount or for a prediction that was withdrawn, and not settled yet. */
export const PAYMENT_KINDS = ['all', 'overpaid', 'late', 'short', 'odd'] as const
const Id = uuidIn('There is no such payment.')
const moment = z.string().nullable()

const PaymentRow = z.object({
  id: z.uuid(),
  purpose: z.enum(PAYMENT_PURPOSES),
  submission_id: z.uuid().nullable(),
  prediction_id: z.string().nullable(),
  /** The report of a deposit, required by earlier versions. */
  report: z.int().nullable(),
  comment: z.string().nullable(),
  status: z.enum(INVOICE_STATUSES),
  sats: z.int(),
  /** Received amount reported by the wallet, millisats; null if not reported. */
  received_msat: z.int().nullable(),
  wallet: z.string(),
  network: z.string(),
  created_at: z.string(),
  expires_at: moment,
  paid_at: moment,
  /** Its subject; null for support of the site. */
  expert_name: z.string().nullable(),
  price_prediction: z.string().nullable(),
  submission_status: z.string().nullable(),
  overpaid: z.boolean(),
  late: z.boolean(),
  short: z.boolean(),
  extra: z.boolean(),
  /** The prediction was withdrawn before the sats arrived: they count nowhere and are given back. */
  unused: z.boolean(),
  settled: z.object({ at: z.string(), by: z.string(), note: z.string() }).nullable(),
})

export const listPaymentsAdmin = get('/api/v1/admin/payments', 'read-all', {
  summary: 'Invoices, newest first, 50 a page.',
  query: z.object({ kind: z.enum(PAYMENT_KINDS).default('all'), page: PageNumber }),
  reply: z.object({
    ...paging,
    counts: z.record(z.enum(PAYMENT_KINDS), z.int()),
    rows: z.array(PaymentRow),
  }),
})

export const AdminPayment = PaymentRow.extend({
  bolt11: z.string().nullable(),
  payment_hash: z.string().nullable(),
  wallet_ref: z.string().nullable(),
  settled_at: moment,
  last_look_at: moment,
  next_look_at: moment,
  last_error: moment,
  /** All attempts to pay for the same thing, oldest first. */
  tries: z.array(
    z.object({
      id: z.uuid(),
      status: z.enum(INVOICE_STATUSES),
      sats: z.int(),
      created_at: z.string(),
      paid_at: moment,
    }),
  ),
}).meta({ id: 'AdminPayment' })
export type AdminPayment = z.infer<typeof AdminPayment>

export const onePaymentAdmin = get('/api/v1/admin/payments/:id', 'read-all', {
  summary: 'One invoice with the other attempts to pay its submission.',
  params: Id,
  reply: AdminPayment,
})

const Changed = Done.extend({ payment: AdminPayment })
const Noted = z.strictObject({ note: z.string().trim().max(1_000).default('') })

export const markPaymentHandled = post('/api/v1/admin/payments/:id/settle', 'operate', {
  summary:
    'Marks an odd payment as settled. Nothing is sent: refunds are made by hand in the wallet.',
  params: Id,
  body: Noted,
  reply: Changed,
})

export const reopenPayment = post('/api/v1/admin/payments/:id/reopen', 'operate', {
  summary: 'Removes that mark.',
  params: Id,
  body: Noted,
  reply: Changed,
})

export const lookAtPayment = post('/api/v1/admin/payments/:id/look', 'operate', {
  summary: 'Checks an invoice with the wallet now.',
  params: Id,
  reply: Changed.extend({ found: z.enum(['paid', 'unpaid', 'unknown']) }),
})
