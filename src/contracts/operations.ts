import { z } from 'zod'
import { ASSET_KEYS } from '#domain/asset.ts'
import { JUDGE_MODES } from '#domain/judging/verdict.ts'
import { INVOICE_STATUSES, PAYMENT_PURPOSES } from '#domain/money/invoice.ts'
import { CalendarDay, Done, PageNumber, Search, paging, uuidIn } from './fields.ts'
import { Jump, status } from './prices.ts'
import { get, post } from './route.ts'

const moment = z.string().nullable()
const Asset = z.enum(ASSET_KEYS)

const JOB_STATES = ['ok', 'waiting', 'running', 'failing', 'late', 'off'] as const

/** A problem that an administrator should fix; `name` says which kind. */
const Warning = z.object({ name: z.string(), text: z.string() })
export type Warning = z.infer<typeof Warning>

export const listJobs = get('/api/v1/admin/jobs', 'read-all', {
  summary:
    'The automatic jobs of the site: state, last run, last failure, next run; and problems to fix.',
  reply: z.object({
    now: z.string(),
    warnings: z.array(Warning),
    jobs: z.array(
      z.object({
        name: z.string(),
        title: z.string(),
        state: z.enum(JOB_STATES),
        waiting: z.int(),
        last_run: moment,
        last_error: moment,
        last_error_at: moment,
        next_run: moment,
      }),
    ),
    /** Jobs and deliveries that failed for good, and deliveries that may have arrived, newest first: they wait for a person. */
    failed: z.array(
      z.object({
        /** Uuid of a job, number of a delivery. */
        id: z.string(),
        /** `job`, or the kind of delivery. */
        kind: z.string(),
        title: z.string(),
        /** Key of the job, such as a link's id, or lane of the delivery, such as a relay; null without one. */
        key: z.string().nullable(),
        /** The submission or post that a delivery is about, or an id of its kind; null for jobs and several deliveries. */
        ref: z.string().nullable(),
        state: z.enum(['failed', 'unknown']),
        /** Deliveries that failed for the same reason. */
        count: z.int(),
        failed_at: z.string(),
        tries: z.int(),
        reason: z.string(),
      }),
    ),
  }),
})

const DeliveryId = z.string().regex(/^[1-9]\d{0,14}$/)

export const retryJob = post('/api/v1/admin/jobs/:id/retry', 'operate', {
  summary:
    'Retries a failed job or delivery and all that failed for the same reason, or resends a delivery that may have arrived.',
  params: z.strictObject({ id: z.union([z.uuid(), DeliveryId]) }),
  /** The state that the caller saw: a delivery that became unknown since then is not resent. */
  body: z.strictObject({ state: z.enum(['failed', 'unknown']) }),
  reply: Done,
})

export const dismissFailed = post('/api/v1/admin/jobs/:id/dismiss', 'operate', {
  summary:
    'Removes a job or delivery that failed for good from the list, with all that failed for the same reason, without retrying it.',
  params: z.strictObject({ id: z.union([z.uuid(), DeliveryId]) }),
  reply: Done,
})

export const markArrived = post('/api/v1/admin/jobs/:id/arrived', 'operate', {
  summary: 'Marks a delivery of unknown outcome as arrived, with all listed for the same reason.',
  params: z.strictObject({ id: DeliveryId }),
  reply: Done,
})

export const listSources = get('/api/v1/admin/prices/sources', 'read-all', {
  summary: 'The price sources with their states, and price jumps to review.',
  reply: status.reply,
})

export const runSource = post('/api/v1/admin/prices/sources/run', 'operate', {
  summary: 'Queries a price source now.',
  body: z.strictObject({
    asset: Asset,
    source: z.string().min(1).max(60),
  }),
  reply: Done,
})

export const listJumps = get('/api/v1/admin/prices/jumps', 'read-all', {
  summary: 'Unexplained jumps of a close: open ones first, then the latest answers.',
  reply: z.object({
    jumps: z.array(
      Jump.extend({
        asked_at: z.string(),
        answer: z.enum(['real', 'split', 'withdrawn']).nullable(),
        answered_at: moment,
        /** The split suggested by the two prices, such as 10 for ten-for-one; null if none, and for coins. */
        looks_like_split: z.number().nullable(),
      }),
    ),
  }),
})

export const answerJump = post('/api/v1/admin/prices/jumps/answer', 'operate', {
  summary:
    'Answers a jump: real (its prices are accepted), split (earlier prices are converted to the new units), or wrong (asked again if it recurs).',
  body: z.strictObject({
    asset: Asset,
    date: CalendarDay,
    answer: z.enum(['real', 'split', 'wrong']),
    /** For a split: how many units one unit became. */
    ratio: z.number().positive().max(10_000).optional(),
    note: z.string().trim().max(500).default(''),
  }),
  reply: Done,
})

/** Verdicts that the daily ranges would change. */
const RangeEffect = z.object({
  /** Verdicts whose outcome or day differs; `changes` lists only the first ones. */
  changed: z.int(),
  changes: z.array(
    z.object({
      id: z.string(),
      mode: z.enum(JUDGE_MODES),
      /** Such as `PENDING` or `SUCCESS on 05/12/2024`. */
      before: z.string(),
      after: z.string(),
    }),
  ),
  /** Verdicts that stay the same with better evidence. */
  completed: z.int(),
})
export type RangeEffect = z.infer<typeof RangeEffect>

/** Highs and lows of earlier days that would change verdicts, so that an administrator agrees first. */
export const WaitingDays = RangeEffect.extend({
  days: z.int(),
  digest: z.string(),
  /** The sources that agreed; they are read again. */
  agreed_by: z.string().nullable(),
})
export type WaitingDays = z.infer<typeof WaitingDays>

export const listEarlierDays = get('/api/v1/admin/prices/earlier-days', 'read-all', {
  summary: 'Unpublished highs and lows of days whose close alone is on record.',
  reply: z.object({ waiting: z.array(WaitingDays.extend({ asset: Asset })) }),
})

export const publishEarlierDays = post('/api/v1/admin/prices/earlier-days/publish', 'operate', {
  summary:
    'Publishes the listed changes. The sources are queried once more, and their prices enter the record if they change the same verdicts.',
  body: z.strictObject({
    asset: Asset,
    /** Digest of the preview. */
    seen: z.string().max(100),
  }),
  reply: Done,
})

export const SOURCE_CHECKS = ['weekly', 'off'] as const

export const listSourceChecks = get('/api/v1/admin/sources/checks', 'read-all', {
  summary: 'Results of the source checks: how many links were checked, and which are dead.',
  reply: z.object({
    mode: z.enum(SOURCE_CHECKS),
    addresses: z.int(),
    asked: z.int(),
    waiting: z.int(),
    /** Failed once, or more often within a week: not dead yet. */
    failing: z.int(),
    /** Links that refuse us or may not be checked. */
    closed: z.int(),
    last_asked: moment,
    next_ask: moment,
    dead: z.object({
      total: z.int(),
      newest: z.array(
        z.object({
          url: z.string(),
          dead_since: z.string(),
          asked_at: z.string(),
          note: z.string().nullable(),
          archived_url: z.string().nullable(),
          predictions: z.array(z.string()),
        }),
      ),
    }),
  }),
})

const AuditFilter = z.object({
  who: z.string().max(64).default(''),
  action: z.string().max(80).default(''),
  kind: z.string().max(40).default(''),
  id: z.string().max(200).default(''),
  from: CalendarDay.optional(),
  /** The last day, inclusive. */
  to: CalendarDay.optional(),
  q: Search,
})
export type AuditFilter = z.output<typeof AuditFilter>

const AuditRow = z
  .object({
    id: z.int(),
    at: z.string(),
    who: z.string(),
    action: z.string(),
    kind: z.string(),
    subject: z.string().nullable(),
    /** Name of the subject at that time, such as `Tom Lee: BTC $150,000 by 31/12/2026`. */
    about: z.object({ name: z.string(), asset_type: Asset.nullable() }).nullable(),
    before: z.record(z.string(), z.unknown()).nullable(),
    after: z.record(z.string(), z.unknown()).nullable(),
    reason: z.string().nullable(),
  })
  .meta({ id: 'AuditRow' })
export type AuditRow = z.infer<typeof AuditRow>

export const listAudit = get('/api/v1/admin/audit', 'read-all', {
  summary: 'The audit log, newest first, 50 a page.',
  query: AuditFilter.extend({ page: PageNumber }),
  reply: z.object({
    ...paging,
    rows: z.array(AuditRow),
    known: z.object({
      who: z.array(z.string()),
      actions: z.array(z.string()),
      kinds: z.array(z.string()),
    }),
  }),
})

export const exportAudit = get('/api/v1/admin/audit/export', 'read-all', {
  callsAMinute: 30,
  summary: 'The audit log as a file: CSV, or JSON with one object a line.',
  query: AuditFilter.extend({ format: z.enum(['csv', 'jsonl']).default('csv') }),
  reply: z.unknown(),
})

/** `odd`: paid twice, with a wrong amount or for a prediction that was withdrawn, and not settled yet. */
export const PAYMENT_KINDS = ['all', 'overpaid', 'late', 'short', 'odd'] as const
const PaymentId = uuidIn('There is no such payment.')

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
  params: PaymentId,
  reply: AdminPayment,
})

const Changed = Done.extend({ payment: AdminPayment })
const Noted = z.strictObject({ note: z.string().trim().max(1_000).default('') })

export const markPaymentHandled = post('/api/v1/admin/payments/:id/settle', 'operate', {
  summary:
    'Marks an odd payment as settled. Nothing is sent: refunds are made by hand in the wallet.',
  params: PaymentId,
  body: Noted,
  reply: Changed,
})

export const reopenPayment = post('/api/v1/admin/payments/:id/reopen', 'operate', {
  summary: 'Removes that mark.',
  params: PaymentId,
  body: Noted,
  reply: Changed,
})

export const lookAtPayment = post('/api/v1/admin/payments/:id/look', 'operate', {
  callsAMinute: 60,
  summary: 'Checks an invoice with the wallet now.',
  params: PaymentId,
  reply: Changed.extend({ found: z.enum(['paid', 'unpaid', 'unknown']) }),
})
