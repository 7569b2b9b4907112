import { INVOICE_STATUSES, PAYMENT_PURPOSES } from '#domain/money/invoice.ts'
import { z } from 'zod'
import { uuidIn } from './address.ts'
import { Done, PageNumber } from './corrections.ts'
import { defineRoute } from './route.ts'

/** `odd`: paid twice, with a wrong amount or for a prediction that was withdrawn, and not settled yet. */
export const PAYMENT_KINDS = ['all', 'overpaid', 'late', 'short', 'odd'] as const
const Id = uuidIn('There is no such payment.')
const moment = z.string().nullable()

const PaymentRow = z.object({
  id: z.uuid(),
  purpose: z.enum(PAYMENT_PURPOSES),
  submission_id: z.uuid().nullable(),
  /** Of a boost or a zap. */
  prediction_id: z.string().nullable(),
  /** The number of the report whose deposit it is. */
  report: z.int().nullable(),
  /** What the payer wrote. */
  comment: z.string().nullable(),
  status: z.enum(INVOICE_STATUSES),
  sats: z.int(),
  /** What arrived according to the wallet, in thousandths of a sat; null when it does not say. */
  received_msat: z.int().nullable(),
  wallet: z.string(),
  network: z.string(),
  created_at: z.string(),
  expires_at: moment,
  paid_at: moment,
  /** What it is for; null for support of the site itself. */
  expert_name: z.string().nullable(),
  price_prediction: z.string().nullable(),
  submission_status: z.string().nullable(),
  overpaid: z.boolean(),
  late: z.boolean(),
  short: z.boolean(),
  /** More arrived than was asked for. */
  extra: z.boolean(),
  /** The prediction was withdrawn before the sats came: they count nowhere and are given back. */
  unused: z.boolean(),
  /** Settled by hand: who, when and how. */
  settled: z.object({ at: z.string(), by: z.string(), note: z.string() }).nullable(),
})

export const listPaymentsAdmin = defineRoute({
  method: 'GET',
  path: '/api/v1/admin/payments',
  access: 'read-all',
  summary: 'Invoices, newest first, 50 a page.',
  query: z.object({ kind: z.enum(PAYMENT_KINDS).default('all'), page: PageNumber }),
  reply: z.object({
    total: z.int(),
    page: z.int(),
    pages: z.int(),
    /** The number of payments of each kind. */
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

export const onePaymentAdmin = defineRoute({
  method: 'GET',
  path: '/api/v1/admin/payments/:id',
  access: 'read-all',
  summary: 'One invoice with the other attempts to pay its submission.',
  params: Id,
  reply: AdminPayment,
})

const Changed = Done.extend({ payment: AdminPayment })
const Noted = z.strictObject({ note: z.string().trim().max(1_000).default('') })

export const markPaymentHandled = defineRoute({
  method: 'POST',
  path: '/api/v1/admin/payments/:id/settle',
  access: 'operate',
  summary:
    'Marks an odd payment as settled. Nothing is sent: refunds are made by hand in the wallet.',
  params: Id,
  body: Noted,
  reply: Changed,
})

export const reopenPayment = defineRoute({
  method: 'POST',
  path: '/api/v1/admin/payments/:id/reopen',
  access: 'operate',
  summary: 'Removes that mark.',
  params: Id,
  body: Noted,
  reply: Changed,
})

export const lookAtPayment = defineRoute({
  method: 'POST',
  path: '/api/v1/admin/payments/:id/look',
  access: 'operate',
  summary: 'Checks an invoice with the wallet now.',
  params: Id,
  reply: Changed.extend({ found: z.enum(['paid', 'unpaid', 'unknown']) }),
})
