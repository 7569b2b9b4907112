import { type AssetKey } from '#domain/asset.ts'
import { type SaidDirection, type Timing } from '#domain/claim/claim.ts'
import { type Network } from '#domain/money/bolt11.ts'
import { type Contact } from '#domain/money/contact.ts'
import { DATE_PRECISIONS, type DatePrecision } from '#domain/day.ts'
import { INVOICE_STATUSES, type InvoiceStatus, type PaymentPurpose } from '#domain/money/invoice.ts'
import { NOTICE_STATUSES, type NoticeEvent, type NoticeStatus } from '#domain/publishing/notice.ts'
import { type PredictionType } from '#domain/claim/fields.ts'
import { reports } from './reports.ts'
import { SUBMISSION_STATUSES, type OutcomeNote, type SubmissionStatus } from '#domain/submission.ts'
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
import { id, moment, oneOf } from '#server/database/columns.ts'
import { assets, influencers, predictions } from './predictions.ts'

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
 * The words of a submission as they are searched for, without case and accents. It holds a level in parts, as
 * `$150,000` is read, and as 150000.
 */
const SEARCHED = `to_tsvector('simple', regexp_replace(regexp_replace(normalize(lower(${SEARCHED_TEXT}), NFKD), '[\\u0300-\\u036f]', '', 'g'), '[^[:alnum:]]+', ' ', 'g'))`

/**
 * Predictions handed in for review, by visitors who pay, by administrators and from extracted posts. A visitor's row
 * is written here before its invoice, and turns from `unpaid` to `pending` once, when the sats have arrived.
 */
export const submissions = pgTable(
  'submissions',
  {
    id: uuid().primaryKey(),
    /** SHA-256 of the token in the receipt's address; null where there is no receipt. */
    receiptHash: text().unique(),
    origin: text().$type<'visitor' | 'admin' | 'extraction'>().notNull(),
    status: text().$type<SubmissionStatus>().notNull(),
    asset: text()
      .$type<AssetKey>()
      .notNull()
      .references(() => assets.key),
    expertName: text().notNull(),
    twitterHandle: text(),
    nostrNpub: text(),
    predictionType: text().$type<PredictionType>().notNull(),
    /** The level as screens show it. */
    pricePrediction: text().notNull(),
    priceTarget: doublePrecision(),
    priceMin: doublePrecision(),
    priceMax: doublePrecision(),
    timing: text().$type<Timing>().notNull().default('by'),
    direction: text().$type<SaidDirection>(),
    targetTime: date({ mode: 'string' }).notNull(),
    /** Of a month or a year the last day that may be meant, by the day of the submission. */
    predictionMade: date({ mode: 'string' }),
    madePrecision: text().$type<DatePrecision>().notNull().default('day'),
    /** The addresses of its sources, for the search alone; see `sources`. */
    sourceAddresses: text().notNull().default(''),
    notes: text().notNull().default(''),
    submitterEmail: text(),
    /** What an administrator notes of the outcome; the verdict is stored with the prediction. */
    predictionOutcome: text().$type<OutcomeNote>().notNull().default('pending'),
    adminComment: text(),
    existingInfluencerId: bigint({ mode: 'number' }).references(() => influencers.id),
    /** It is a new influencer, even where one of this name is on record. */
    newInfluencer: boolean().notNull().default(false),
    aiMetadata: jsonb(),
    /** The prediction it became. */
    predictionId: text().references(() => predictions.id),
    /** The sats that count in support of it: of the first payment only. */
    paidSats: integer().notNull().default(0),
    /** The payment that brought it into review; one payment brings one submission. */
    paymentId: uuid().unique(),
    paidAt: moment(),
    decidedAt: moment(),
    decidedBy: text(),
    /** Counts the changes made by administrators: an edit of an older state is refused. */
    version: integer().notNull().default(0),
    /** Where its submitter wants to be notified; null for nowhere. */
    contactKind: text().$type<Contact['kind']>(),
    contactAddress: text(),
    /** When the reader of an e-mail address has agreed to notices; before that none is sent. */
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
    // A page of a list is read off an index: for each order one of a status, and one of all in review.
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

/** By what lists of submissions are ordered. */
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

/** What is left of submissions that were never paid: how many of each day have been removed. */
export const removedUnpaid = pgTable('removed_unpaid', {
  /** Of their submission, in UTC. */
  day: date({ mode: 'string' }).primaryKey(),
  submissions: integer().notNull(),
  invoices: integer().notNull(),
  /** What was asked for, all invoices together. */
  sats: bigint({ mode: 'number' }).notNull(),
})

/**
 * Invoices: every try to pay a submission, and every boost, zap or support of the site. They are deleted with a submission
 * that was never paid, and those without one when they were never paid: see `removeUnpaid`.
 */
export const payments = pgTable(
  'payments',
  {
    /** Ours; it goes into the invoice's memo and, where the wallet has one, its label. */
    id: uuid().primaryKey(),
    purpose: text().$type<PaymentPurpose>().notNull().default('submission'),
    /** Of a payment for a submission. */
    submissionId: uuid().references(() => submissions.id),
    /** Of the deposit of a report. */
    reportNumber: bigint({ mode: 'number' }).references(() => reports.number),
    /** The published prediction that a boost or a zap supports. */
    predictionId: text().references(() => predictions.id),
    /** The sats that went into that prediction's score; null before, and for good where it was withdrawn meanwhile. */
    creditedSats: integer(),
    /** The text whose SHA-256 is in the invoice instead of a memo, as LNURL and zaps want it; a zap's is its request. */
    description: text(),
    /** What the payer wrote, LUD-12. */
    comment: text(),
    /** SHA-256 of the token by which the page asks after it. */
    checkingHash: text().notNull().unique(),
    /** SHA-256 of the Idempotency-Key it was made under. */
    idempotencyHash: text().unique(),
    /** SHA-256 of what was asked under that key. */
    fingerprint: text(),
    status: text().$type<InvoiceStatus>().notNull(),
    sats: integer().notNull(),
    /** The adapter that made it, and that wallet's own name for it. */
    wallet: text().notNull(),
    /** Which wallet of that kind: see `walletPrint`. Null for invoices of before this was kept. */
    walletPrint: text(),
    walletRef: text(),
    network: text().$type<Network>().notNull(),
    bolt11: text(),
    paymentHash: text().unique(),
    /** The proof of payment, where the wallet gives it: kept once it is paid, and compared with the hash. */
    preimage: text(),
    /** By our clock. */
    expiresAt: moment(),
    /** By the clock of the wallet, as the invoice says. */
    walletExpiresAt: moment(),
    /** Until when it is watched while unpaid: beyond the end that the invoice itself names. */
    watchUntil: moment(),
    receivedMsat: bigint({ mode: 'number' }),
    /** When the wallet says it was paid, and when we saw it. */
    settledAt: moment(),
    paidAt: moment(),
    /** When it is checked next; null once nothing can change any more. */
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

/** Questions to e-mail addresses whether they want notices of a submission. */
export const contactConfirmations = pgTable(
  'contact_confirmations',
  {
    id: uuid().primaryKey(),
    submissionId: uuid()
      .notNull()
      .references(() => submissions.id, { onDelete: 'cascade' }),
    /** A keyed hash of the address. */
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

/** Addresses whose readers do not want to be written to, as keyed hashes. */
export const refusedAddresses = pgTable('refused_addresses', {
  addressHash: text().primaryKey(),
  createdAt: moment().notNull(),
})

/** What submitters are notified of, one row for each thing that happened; kept after it was sent. */
export const notices = pgTable(
  'notices',
  {
    id: id(),
    submissionId: uuid()
      .notNull()
      .references(() => submissions.id),
    event: text().$type<NoticeEvent>().notNull(),
    status: text().$type<NoticeStatus>().notNull().default('waiting'),
    attempts: integer().notNull().default(0),
    nextTryAt: moment().notNull(),
    /** Sats that were or may have been paid to deliver it. */
    sats: integer().notNull().default(0),
    lastError: text(),
    createdAt: moment().notNull(),
    sentAt: moment(),
  },
  (table) => [
    uniqueIndex('notices_once').on(table.submissionId, table.event),
    index('notices_to_send')
      .on(table.nextTryAt)
      .where(sql`${table.status} in ('waiting', 'sending')`),
    check('notices_status', oneOf('status', NOTICE_STATUSES)),
  ],
)
