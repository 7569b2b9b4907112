import { gt, and, desc, eq, getTableColumns, inArray, type SQL } from 'drizzle-orm'
import { type Submitted } from '#contracts/submissions.ts'
import { predictionType, columnsOfClaim } from '#domain/claim/fields.ts'
import { areSameSources, sourceUrlOf, type Source } from '#domain/claim/source.ts'
import { onlyTexts } from '#domain/clean-text.ts'
import { endOfPrecision, isoDay, readDay, type Day } from '#domain/day.ts'
import { type Contact } from '#domain/money/contact.ts'
import { type Submission } from '#domain/submission.ts'
import { submissions } from '#server/database/schema/submissions.ts'
import { firstRow, type Db } from '#server/kit/db.ts'
import { sendSignal } from '#server/kit/signals.ts'
import { replaceSources, sourcesOfSubmission } from '#server/sources/sources.rows.ts'

const {
  search: _search,
  sourceAddresses: _sourceAddresses,
  ...columns
} = getTableColumns(submissions)

export const storedColumns = { ...columns, sources: sourcesOfSubmission() }

export type StoredSubmission = Omit<
  typeof submissions.$inferSelect,
  'search' | 'sourceAddresses'
> & { readonly sources: readonly Source[] }

type NewSubmission = Pick<StoredSubmission, 'id' | 'createdAt'> & {
  readonly submission: Submission
}

export async function addUnpaid(db: Db, input: NewSubmission & { readonly receiptHash: string }) {
  const { submission, ...rest } = input
  await insert(db, { ...rest, ...columnsOf(submission), origin: 'visitor', status: 'unpaid' })
}

export async function addAdminSubmission(
  tx: Db,
  input: NewSubmission &
    Pick<StoredSubmission, 'predictionOutcome' | 'existingInfluencerId' | 'newInfluencer'> & {
      readonly origin: 'admin' | 'extraction'
      readonly aiMetadata: object | null
    },
): Promise<void> {
  const { submission, aiMetadata, ...rest } = input
  await insert(tx, {
    ...rest,
    ...columnsOf(submission),
    aiMetadata: onlyTexts(aiMetadata),
    status: 'pending',
  })
}

async function insert(
  db: Db,
  input: typeof submissions.$inferInsert & { readonly sources: readonly Source[] },
): Promise<void> {
  const { sources, ...row } = input
  await db.insert(submissions).values({ ...row, sourceAddresses: addressesOf(sources) })
  await replaceSources(db, [{ submissionId: row.id, list: sources }])
}

/** Addresses of sources as indexed for search. */
export function addressesOf(sources: readonly Source[]): string {
  return sources.map(({ url }) => url).join('\n')
}

/** @param isDateStated false ignores the default day, which changes at midnight */
export function isSameSubmission(
  stored: StoredSubmission,
  submission: Submission,
  isDateStated: boolean,
): boolean {
  const { predictionMade, sources, ...rest } = columnsOf(submission)
  const isSame =
    areSameSources(stored.sources, sources) &&
    Object.entries(rest).every(([name, value]) => stored[name as keyof typeof rest] === value)
  if (!isSame || !isDateStated) return isSame
  // A current month or year counts as today, which changes at midnight, too.
  const endOf = (day: string | null): Day | null => {
    const read = day === null ? null : readDay(day)
    return read === null ? null : endOfPrecision(read, submission.madePrecision)
  }
  return endOf(stored.predictionMade) === endOf(predictionMade)
}

export async function dropUnpaid(db: Db, id: string): Promise<void> {
  await db.delete(submissions).where(and(eq(submissions.id, id), eq(submissions.status, 'unpaid')))
}

function submissionWhere(db: Db, which: SQL) {
  return firstRow(db.select(storedColumns).from(submissions).where(which))
}

export function submissionById(db: Db, id: string) {
  return submissionWhere(db, eq(submissions.id, id))
}

export function submissionByReceipt(db: Db, receiptHash: string) {
  return submissionWhere(db, eq(submissions.receiptHash, receiptHash))
}

/** Locks the submission, so that no payment can bring it into review meanwhile. */
export function lockSubmission(tx: Db, receiptHash: string) {
  const isIt = eq(submissions.receiptHash, receiptHash)
  return firstRow(tx.select(storedColumns).from(submissions).where(isIt).for('update'))
}

/** @param unsubscribedAt when the submitter gave up notices; null with a contact */
export async function setContact(
  db: Db,
  id: string,
  contact: Contact | null,
  unsubscribedAt: string | null = null,
): Promise<void> {
  const { kind = null, address = null } = contact ?? {}
  await db
    .update(submissions)
    .set({
      contactKind: kind,
      contactAddress: address,
      contactConfirmedAt: null,
      unsubscribedAt,
    })
    .where(eq(submissions.id, id))
  await sendSignal(db, 'receipt', [id])
}

export const claimColumns = {
  asset_type: submissions.asset,
  expert_name: submissions.expertName,
  twitter_handle: submissions.twitterHandle,
  prediction_type: submissions.predictionType,
  price_prediction: submissions.pricePrediction,
  price_target: submissions.priceTarget,
  price_min: submissions.priceMin,
  price_max: submissions.priceMax,
  timing: submissions.timing,
  direction: submissions.direction,
  target_time: submissions.targetTime,
  prediction_made: submissions.predictionMade,
}
/** Fields of a submission by their API names. */
export const statementColumns = {
  id: submissions.id,
  receiptHash: submissions.receiptHash,
  status: submissions.status,
  ...claimColumns,
  created_at: submissions.createdAt,
}
export type SubmittedStatement = Pick<Submitted, keyof Submitted & keyof typeof statementColumns> &
  Pick<StoredSubmission, 'id' | 'receiptHash' | 'status'> & {
    readonly created_at: string
    readonly sources?: readonly Source[]
  }

/** Exceeded only when the queue is flooded. */
const MOST_ALIKE = 200

/** Possible duplicates: submissions in review, and those of these receipts. */
export async function submissionsLike(
  db: Db,
  like: Pick<Submission, 'asset' | 'claim' | 'by'>,
  receiptHashes: readonly string[],
): Promise<SubmittedStatement[]> {
  const isAlike = and(
    eq(submissions.asset, like.asset),
    eq(submissions.targetTime, isoDay(like.by)),
    eq(submissions.predictionType, predictionType(like.claim.type)),
  )
  const select = () => db.select(statementColumns).from(submissions)
  const [own, waiting] = await Promise.all([
    receiptHashes.length === 0
      ? []
      : select().where(and(inArray(submissions.receiptHash, [...receiptHashes]), isAlike)),
    select()
      .where(and(eq(submissions.status, 'pending'), isAlike))
      .orderBy(desc(submissions.createdAt))
      .limit(MOST_ALIKE),
  ])
  return [...new Map([...own, ...waiting].map((row) => [row.id, row])).values()]
}

export function submitted(row: StoredSubmission): Submitted {
  return {
    asset_type: row.asset,
    expert_name: row.expertName,
    twitter_handle: row.twitterHandle,
    nostr_npub: row.nostrNpub,
    prediction_type: row.predictionType,
    price_prediction: row.pricePrediction,
    price_target: row.priceTarget,
    price_min: row.priceMin,
    price_max: row.priceMax,
    timing: row.timing,
    direction: row.direction,
    target_time: row.targetTime,
    prediction_made: row.predictionMade,
    made_precision: row.madePrecision,
    source_url: sourceUrlOf(row.sources),
    notes: row.notes,
  }
}

export function columnsOf(submission: Submission) {
  return {
    asset: submission.asset,
    expertName: submission.expertName,
    twitterHandle: submission.twitterHandle,
    nostrNpub: submission.nostrNpub,
    predictionType: predictionType(submission.claim.type),
    pricePrediction: submission.pricePrediction,
    ...columnsOfClaim(submission.claim),
    targetTime: isoDay(submission.by),
    predictionMade: isoDay(submission.made),
    madePrecision: submission.madePrecision,
    sources: submission.sources,
    notes: submission.notes,
    submitterEmail: submission.submitterEmail,
  }
}

/** Predictions whose approval can still be undone, which must not be referenced yet. */
export async function approvedSince(db: Db, since: string): Promise<ReadonlySet<string>> {
  const rows = await db
    .select({ id: submissions.predictionId })
    .from(submissions)
    .where(gt(submissions.decidedAt, since))
  return new Set(rows.flatMap(({ id }) => id ?? []))
}
