import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  customType,
  date,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { type StatedDirection, type Timing } from '#domain/claim/claim.ts'
import { type PredictionType } from '#domain/claim/fields.ts'
import { DATE_PRECISIONS, type DatePrecision } from '#domain/day.ts'
import { type Network } from '#domain/money/bolt11.ts'
import { type Contact } from '#domain/money/contact.ts'
import { INVOICE_STATUSES, type InvoiceStatus, type PaymentPurpose } from '#domain/money/invoice.ts'
import { SUBMISSION_STATUSES, type OutcomeNote, type SubmissionStatus } from '#domain/submission.ts'
import { moment, oneOf } from '#server/database/columns.ts'
import { influencers, predictions, assetKey } from './predictions.ts'
import { reports } from './reports.ts'

const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' })

const SEARCHED_TEXT = [
  'expert_name',
  'twitter_handle',
  'nostr_npub',
  'price_prediction',
  `regexp_replace(price_prediction, '[^0-9-]', '', 'g')`,
  'source_addresses',
  'notes',
  'submitter_email',
]
  .map((text) => `coalesce(${text}, '')`)
  .join(` || ' ' || `)
/**
 * Full-text search of a submission, without case and accents. Levels are indexed in parts, as `$150,000` is
 * tokenized, and as 150000.
 */
const SEARCHED = `to_tsvector('simple', regexp_replace(regexp_replace(normalize(lower(${SEARCHED_TEXT}), NFKD), '[\\u0300-\\u036f]', '', 'g'), '[^[:alnum:]]+', ' ', 'g'))`

/**
 * Submitted predictions, from paying visitors, administrators and extracted posts. A visitor's row is inserted before
 * its invoice, and changes from `unpaid` to `pending` once, when the payment arrives.
 */
export const submissions = pgTable(
  'submissions',
  {
    id: uuid().primaryKey(),
    /** SHA-256 of the receipt token; null without a receipt. */
    receiptHash: text().unique(),
    origin: text().$type<'visitor' | 'admin' | 'extraction'>().notNull(),
    status: text().$type<SubmissionStatus>().notNull(),
    asset: assetKey(),
    expertName: text().notNull(),
    twitterHandle: text(),
    nostrNpub: text(),
    predictionType: text().$type<PredictionType>().notNull(),
    /** Display text of the level. */
    pricePrediction: text().notNull(),
    priceTarget: doublePrecision(),
    priceMin: doublePrecision(),
    priceMax: doublePrecision(),
    timing: text().$type<Timing>().notNull().default('by'),
    direction: text().$type<StatedDirection>(),
    targetTime: date({ mode: 'string' }).notNull(),
    /** For a month or year, its last day, or the day of the submission if that is earlier. */
    predictionMade: date({ mode: 'string' }),
    madePrecision: text().$type<DatePrecision>().notNull().default('day'),
    /** Source addresses, for search only; see `sources`. */
    sourceAddresses: text().notNull().default(''),
    notes: text().notNull().default(''),
    submitterEmail: text(),
    /** An administrator's note on the outcome; the verdict is stored with the prediction. */
    predictionOutcome: text().$type<OutcomeNote>().notNull().default('pending'),
    adminComment: text(),
    existingInfluencerId: bigint({ mode: 'number' }).references(() => influencers.id),
    /** A new influencer, even if the name is already on record. */
    newInfluencer: boolean().notNull().default(false),
    aiMetadata: jsonb(),
    /** The resulting prediction. */
    predictionId: text().references(() => predictions.id),
    /** Sats that count as support: of the first payment only. */
    paidSats: integer().notNull().default(0),
    /** The payment that submitted it; unique. */
    paymentId: uuid().unique(),
    paidAt: moment(),
    decidedAt: moment(),
    decidedBy: text(),
    /** Number of changes by administrators; edits of an older version are refused. */
    version: integer().notNull().default(0),
    /** Where to notify the submitter; null for nowhere. */
    contactKind: text().$type<Contact['kind']>(),
    contactAddress: text(),
    /** When the email address was confirmed; no notice is sent before. */
    contactConfirmedAt: moment(),
    unsubscribedAt: moment(),
    createdAt: moment().notNull(),
    search: tsvector().generatedAlwaysAs(sql.raw(SEARCHED)),
  },
  (table) => [
    index('submissions_in_review').on(table.status, table.createdAt),
    index('submissions_search').using('gin', table.search),
    index('submissions_decided')
      .on(table.decidedAt)
      .where(sql`${table.decidedAt} is not null`),
    // Indexes for pages of lists: per order, one by status and one of all in review.
    ...Object.entries(ordersOf(table)).flatMap(([name, column]) => [
      index(`submissions_status_by_${name}`).on(table.asset, table.status, column, table.id),
      index(`submissions_all_by_${name}`)
        .on(table.asset, column, table.id)
        .where(sql`${table.status} <> 'unpaid'`),
    ]),
    uniqueIndex('submissions_of_prediction').on(table.predictionId),
    check('submissions_status', oneOf('status', SUBMISSION_STATUSES)),
    check('submissions_made_precision', oneOf('made_precision', DATE_PRECISIONS)),
    check(
      'submissions_paid',
      sql`${table.origin} <> 'visitor' or (${table.status} = 'unpaid') = (${table.paymentId} is null)`,
    ),
    check(
      'submissions_contact',
      sql`(${table.contactKind} is null) = (${table.contactAddress} is null)`,
    ),
  ],
)

export function ordersOf<Column>(table: {
  createdAt: Column
  targetTime: Column
  expertName: Column
  paidSats: Column
}) {
  return {
    submitted: table.createdAt,
    target: table.targetTime,
    expert: sql`lower(${table.expertName})`,
    paid: table.paidSats,
  }
}

/** Daily counts of removed unpaid submissions. */
export const removedUnpaid = pgTable('removed_unpaid', {
  /** Day of submission, UTC. */
  day: date({ mode: 'string' }).primaryKey(),
  submissions: integer().notNull(),
  invoices: integer().notNull(),
  /** Total of their invoices. */
  sats: bigint({ mode: 'number' }).notNull(),
})

/**
 * Invoices: each attempt to pay a submission, boost, zap or support of the site. Deleted with an unpaid
 * submission, or when unpaid themselves: see `removeUnpaid`.
 */
export const payments = pgTable(
  'payments',
  {
    /** Our id; part of the invoice's memo and, if supported, its label. */
    id: uuid().primaryKey(),
    purpose: text().$type<PaymentPurpose>().notNull().default('submission'),
    /** The paid submission. */
    submissionId: uuid().references(() => submissions.id),
    /** The report of a deposit, which earlier versions asked for. */
    reportNumber: bigint({ mode: 'number' }).references(() => reports.number),
    /** The boosted or zapped prediction. */
    predictionId: text().references(() => predictions.id),
    /** Sats added to that prediction's score; null before, and if it was withdrawn meanwhile. */
    creditedSats: integer(),
    /** Text whose SHA-256 is in the invoice in place of a memo (LNURL); for a zap its request. */
    description: text(),
    /** The payer's comment, LUD-12. */
    comment: text(),
    /** SHA-256 of the checking token. */
    checkingHash: text().notNull().unique(),
    /** SHA-256 of its Idempotency-Key. */
    idempotencyHash: text().unique(),
    /** SHA-256 of that request. */
    fingerprint: text(),
    status: text().$type<InvoiceStatus>().notNull(),
    sats: integer().notNull(),
    /** The adapter, and the wallet's reference. */
    wallet: text().notNull(),
    /** Identifies the wallet: see `walletPrint`. Null for older invoices. */
    walletPrint: text(),
    walletRef: text(),
    network: text().$type<Network>().notNull(),
    bolt11: text(),
    paymentHash: text().unique(),
    /** Proof of payment if the wallet provides it; stored once paid and verified against the hash. */
    preimage: text(),
    /** By our clock. */
    expiresAt: moment(),
    /** By the wallet's clock, from the invoice. */
    walletExpiresAt: moment(),
    /** Checked until then while unpaid, beyond the invoice's own expiry. */
    watchUntil: moment(),
    receivedMsat: bigint({ mode: 'number' }),
    /** When the wallet says it was paid, and when we noticed. */
    settledAt: moment(),
    paidAt: moment(),
    /** Time of the next check; null once final. */
    nextLookAt: moment(),
    lastLookAt: moment(),
    /** Why the last check failed, as a sentence. */
    lastError: text(),
    createdAt: moment().notNull(),
  },
  (table) => [
    index('payments_of_submission').on(table.submissionId),
    index('payments_of_prediction').on(table.predictionId),
    index('payments_of_report').on(table.reportNumber),
    index('payments_created').on(table.createdAt),
    index('payments_to_look_at')
      .on(table.nextLookAt)
      .where(sql`${table.nextLookAt} is not null`),
    check('payments_status', oneOf('status', INVOICE_STATUSES)),
    check('payments_sats', sql`${table.sats} > 0`),
    check(
      'payments_purpose',
      sql`(${table.purpose} = 'submission') = (${table.submissionId} is not null) and (${table.purpose} = 'report') = (${table.reportNumber} is not null) and (${table.purpose} <> 'boost' or ${table.predictionId} is not null)`,
    ),
    check(
      'payments_invoice',
      sql`${table.status} in ('creating', 'failed') or (${table.bolt11} is not null and ${table.paymentHash} is not null and ${table.expiresAt} is not null)`,
    ),
  ],
)

/** Confirmations of email addresses for notices. */
export const contactConfirmations = pgTable(
  'contact_confirmations',
  {
    id: uuid().primaryKey(),
    submissionId: uuid()
      .notNull()
      .references(() => submissions.id, { onDelete: 'cascade' }),
    addressHash: text().notNull(),
    /** SHA-256 of the token in the link. */
    tokenHash: text().notNull().unique(),
    createdAt: moment().notNull(),
    expiresAt: moment().notNull(),
    confirmedAt: moment(),
  },
  (table) => [
    index('contact_confirmations_of_submission').on(table.submissionId, table.createdAt),
    index('contact_confirmations_of_address').on(table.addressHash, table.createdAt),
  ],
)

/** Addresses that refused mail, as keyed hashes. */
export const refusedAddresses = pgTable('refused_addresses', {
  addressHash: text().primaryKey(),
  createdAt: moment().notNull(),
})

/** Odd payments that an administrator settled outside the site, such as by a refund. */
export const paymentSettlements = pgTable('payment_settlements', {
  paymentId: uuid()
    .primaryKey()
    .references(() => payments.id),
  at: moment().notNull(),
  username: text().notNull(),
  note: text().notNull(),
})
