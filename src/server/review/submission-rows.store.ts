import { type SubmissionRow } from '#contracts/review.ts'
import { eq, sql, type SQL } from 'drizzle-orm'
import { type AnyPgColumn } from 'drizzle-orm/pg-core'
import { type Db } from '#server/kit/db.ts'
import { influencers } from '#server/database/schema/predictions.ts'
import { payments, submissions } from '#server/database/schema/submissions.ts'
import { sourceRowsOfSubmission, sourceUrlOfSubmission } from '#server/sources/sources.rows.ts'
import { storedColumns, type StoredSubmission } from '#server/submissions/submissions.rows.ts'

/** A moment as calls send it. */
const iso = (column: AnyPgColumn): SQL =>
  sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

const FIELDS: Readonly<Record<keyof SubmissionRow, SQL | AnyPgColumn>> = {
  id: submissions.id,
  origin: submissions.origin,
  status: submissions.status,
  asset_type: submissions.asset,
  expert_name: submissions.expertName,
  twitter_handle: submissions.twitterHandle,
  nostr_npub: submissions.nostrNpub,
  prediction_type: submissions.predictionType,
  price_prediction: submissions.pricePrediction,
  price_target: submissions.priceTarget,
  price_min: submissions.priceMin,
  price_max: submissions.priceMax,
  timing: submissions.timing,
  direction: submissions.direction,
  target_time: submissions.targetTime,
  prediction_made: submissions.predictionMade,
  made_precision: submissions.madePrecision,
  source_url: sourceUrlOfSubmission(),
  sources: sourceRowsOfSubmission(),
  notes: submissions.notes,
  submitter_email: submissions.submitterEmail,
  email: submissions.submitterEmail,
  prediction_outcome: submissions.predictionOutcome,
  admin_comment: submissions.adminComment,
  created_at: iso(submissions.createdAt),
  submission_date: iso(submissions.createdAt),
  existing_influencer_id: submissions.existingInfluencerId,
  existing_influencer_name: influencers.name,
  new_influencer: submissions.newInfluencer,
  ai_metadata: sql`${submissions.aiMetadata}::text`,
  paid_sats: submissions.paidSats,
  paid_at: iso(submissions.paidAt),
  payment_state: sql`case
    when ${submissions.status} = 'unpaid' then 'unpaid'
    when exists (select from payments o where o.submission_id = submissions.id and o.status = 'overpaid') then 'overpaid'
    when ${payments.status} is null then 'none'
    when ${payments.status} = 'paid_late' then 'paid_late'
    else 'paid' end`,
  decided_at: iso(submissions.decidedAt),
  decided_by: submissions.decidedBy,
  prediction_id: submissions.predictionId,
  version: submissions.version,
}

// PostgreSQL passes at most 100 arguments to a function, two for each field.
const ROW = sql<SubmissionRow>`json_build_object(${sql.join(
  Object.entries(FIELDS).map(([name, value]) => sql`${sql.raw(`'${name}'`)}, ${value}`),
  sql`, `,
)})`

/**
 * Submissions as administrators see them; the caller bounds and orders them. The database writes each row as JSON: for a
 * list of 250 that takes this process a quarter of the time that reading 30 columns of each takes.
 */
export function selectRows<
  More extends Readonly<Record<string, SQL<string> | typeof storedColumns>>,
>(db: Db, more: More) {
  return db
    .select({ row: ROW, ...more })
    .from(submissions)
    .leftJoin(influencers, eq(influencers.id, submissions.existingInfluencerId))
    .leftJoin(payments, eq(payments.id, submissions.paymentId))
    .$dynamic()
}

/** A submission as it is stored and as administrators see it, both of one moment; null when there is none. */
export async function storedAndRow(
  db: Db,
  id: string,
): Promise<{ stored: StoredSubmission; row: SubmissionRow } | null> {
  const [found] = await selectRows(db, { stored: storedColumns }).where(eq(submissions.id, id))
  return found ?? null
}

/** @throws Error when there is no such submission */
export async function submissionRow(db: Db, id: string): Promise<SubmissionRow> {
  const [found] = await selectRows(db, {}).where(eq(submissions.id, id))
  if (!found) throw new Error('a submission is gone while it is being changed')
  return found.row
}
