import { and, desc, eq, gte, inArray, like, or, sql, type SQL } from 'drizzle-orm'
import { type AnyPgColumn } from 'drizzle-orm/pg-core'
import { z } from 'zod'
import { sourceOfRow, sourceRow } from '#contracts/prediction-wire.ts'
import { SourceRow } from '#contracts/predictions.ts'
import { type SubmissionRow } from '#contracts/review.ts'
import { areSameSources, type Source } from '#domain/claim/source.ts'
import { auditLog } from '#server/database/schema/admins.ts'
import {
  influencerNames,
  influencers,
  predictionEvents,
  predictions,
  verdicts,
} from '#server/database/schema/predictions.ts'
import { payments, submissions } from '#server/database/schema/submissions.ts'
import { type Db } from '#server/kit/db.ts'
import { sendSignal } from '#server/kit/signals.ts'
import { isoOf } from '#server/kit/time.ts'
import { savePredictions, type NewPrediction } from '#server/predictions/predictions.rows.ts'
import {
  replaceSources,
  sourceRowsOfSubmission,
  sourceUrlOfSubmission,
} from '#server/sources/sources.rows.ts'
import {
  claimColumns,
  addressesOf,
  storedColumns,
  type StoredSubmission,
} from '#server/submissions/submissions.rows.ts'

/** A stored submission, locked until the transaction ends. */
export async function lockStored(tx: Db, id: string): Promise<StoredSubmission | null> {
  const rows = await tx
    .select(storedColumns)
    .from(submissions)
    .where(eq(submissions.id, id))
    .for('update')
  return rows[0] ?? null
}

/** Editable fields by their names in the API and the audit log. */
const CHANGING = {
  status: 'status',
  asset_type: 'asset',
  expert_name: 'expertName',
  twitter_handle: 'twitterHandle',
  nostr_npub: 'nostrNpub',
  prediction_type: 'predictionType',
  price_prediction: 'pricePrediction',
  price_target: 'priceTarget',
  price_min: 'priceMin',
  price_max: 'priceMax',
  timing: 'timing',
  direction: 'direction',
  target_time: 'targetTime',
  prediction_made: 'predictionMade',
  made_precision: 'madePrecision',
  sources: 'sources',
  notes: 'notes',
  submitter_email: 'submitterEmail',
  prediction_outcome: 'predictionOutcome',
  admin_comment: 'adminComment',
  existing_influencer_id: 'existingInfluencerId',
  new_influencer: 'newInfluencer',
  prediction_id: 'predictionId',
  decided_at: 'decidedAt',
  decided_by: 'decidedBy',
} as const

type Changing = Exclude<(typeof CHANGING)[keyof typeof CHANGING], 'sources'>
export type SubmissionPatch = Partial<Pick<typeof submissions.$inferInsert, Changing>> & {
  readonly sources?: readonly Source[]
}
type Values = Record<string, unknown>

export function changedFields(row: StoredSubmission, patch: SubmissionPatch) {
  const changed = Object.entries(CHANGING).filter(
    ([, column]) => patch[column] !== undefined && !isSame(patch[column], row[column]),
  )
  return {
    before: Object.fromEntries(changed.map(([name, column]) => [name, logged(row[column])])),
    after: Object.fromEntries(changed.map(([name, column]) => [name, logged(patch[column])])),
  }
}

type Value = (SubmissionPatch & StoredSubmission)[(typeof CHANGING)[keyof typeof CHANGING]]

function isSame(a: Value | undefined, b: Value): boolean {
  return Array.isArray(a) && Array.isArray(b) ? areSameSources(a, b) : a === b
}

function logged(value: Value | undefined): unknown {
  return Array.isArray(value) ? value.map(sourceRow) : value
}

/** The patch that undoes a change, from the `before` of its audit entry; skips fields that are not stored. */
export function patchBack(before: Values): SubmissionPatch {
  const columnOf = new Map<string, string>(Object.entries(CHANGING))
  return Object.fromEntries(
    Object.entries(before).flatMap(([name, value]) => {
      const column = columnOf.get(name)
      if (column === undefined) return []
      return [
        [column, column === 'sources' ? z.array(SourceRow).parse(value).map(sourceOfRow) : value],
      ]
    }),
  )
}

/** @param only those decided by this administrator, and not before `since` */
export async function decidedLast(
  db: Db,
  ids: readonly string[],
  at: string,
  only?: { readonly since: string; readonly by: string },
): Promise<void> {
  if (ids.length === 0) return
  await db
    .update(submissions)
    .set({ decidedAt: at })
    .where(
      and(
        inArray(submissions.id, [...ids]),
        gte(submissions.decidedAt, only?.since ?? '-infinity'),
        only && eq(submissions.decidedBy, only.by),
      ),
    )
}

export async function patchSubmission(tx: Db, row: StoredSubmission, patch: SubmissionPatch) {
  const { sources, ...columns } = patch
  await tx
    .update(submissions)
    .set({
      ...columns,
      ...(sources && { sourceAddresses: addressesOf(sources) }),
      version: row.version + 1,
    })
    .where(eq(submissions.id, row.id))
  if (sources) await replaceSources(tx, [{ submissionId: row.id, list: sources }])
  await sendSignal(tx, 'receipt', [row.id])
  return submissionRow(tx, row.id)
}

const KIND = 'submission'
export const subjectOf = (id: string) => ({ kind: KIND, id })

export type AuditRow = Awaited<ReturnType<typeof auditOf>>[number]

export function auditOf(db: Db, id: string, most: number) {
  return db
    .select({
      id: auditLog.id,
      at: isoOf(auditLog.at),
      adminId: auditLog.adminId,
      username: auditLog.username,
      action: auditLog.action,
      before: sql<Values | null>`${auditLog.before}`,
      after: sql<Values | null>`${auditLog.after}`,
      reason: auditLog.reason,
    })
    .from(auditLog)
    .where(and(eq(auditLog.subjectKind, KIND), eq(auditLog.subjectId, id)))
    .orderBy(desc(auditLog.id))
    .limit(most)
}

export async function addPrediction(
  tx: Db,
  values: NewPrediction & { readonly voteScore: number },
): Promise<string> {
  const { voteScore, ...prediction } = values
  const rows = await tx
    .select({ id: predictions.id })
    .from(predictions)
    .where(or(eq(predictions.id, values.id), like(predictions.id, `${values.id}-%`)))
  const taken = new Set(rows.map((row) => row.id))
  let id = values.id
  for (let n = 2; taken.has(id); n += 1) id = `${values.id}-${String(n)}`
  await savePredictions(tx, [{ ...prediction, id }])
  await tx.update(predictions).set({ voteScore }).where(eq(predictions.id, id))
  return id
}

/** @returns false when the prediction was corrected meanwhile, and therefore stays */
export async function erasePrediction(tx: Db, id: string): Promise<boolean> {
  const [found] = await tx
    .select({ version: predictions.version })
    .from(predictions)
    .where(eq(predictions.id, id))
  if (found?.version !== 0) return false
  await tx.delete(predictionEvents).where(eq(predictionEvents.predictionId, id))
  await tx.delete(verdicts).where(eq(verdicts.predictionId, id))
  await tx.delete(predictions).where(eq(predictions.id, id))
  return true
}

export async function eraseUnused(tx: Db, influencerId: number): Promise<void> {
  const used = sql`exists (select from predictions p where p.influencer_id = ${influencerId})
    or exists (select from submissions s where s.existing_influencer_id = ${influencerId})
    or exists (select from influencers i where i.merged_into = ${influencerId} or (i.id = ${influencerId} and i.version > 0))`
  const [row] = await tx.select({ used: sql<boolean>`${used}` }).from(sql`(select 1) one`)
  if (row?.used !== false) return
  await tx.delete(influencerNames).where(eq(influencerNames.influencerId, influencerId))
  await tx.delete(influencers).where(eq(influencers.id, influencerId))
}

const FIELDS: Readonly<Record<keyof SubmissionRow, SQL | AnyPgColumn>> = {
  id: submissions.id,
  origin: submissions.origin,
  status: submissions.status,
  ...claimColumns,
  nostr_npub: submissions.nostrNpub,
  made_precision: submissions.madePrecision,
  source_url: sourceUrlOfSubmission(),
  sources: sourceRowsOfSubmission(),
  notes: submissions.notes,
  submitter_email: submissions.submitterEmail,
  email: submissions.submitterEmail,
  prediction_outcome: submissions.predictionOutcome,
  admin_comment: submissions.adminComment,
  created_at: isoOf(submissions.createdAt),
  submission_date: isoOf(submissions.createdAt),
  existing_influencer_id: submissions.existingInfluencerId,
  existing_influencer_name: influencers.name,
  new_influencer: submissions.newInfluencer,
  ai_metadata: sql`${submissions.aiMetadata}::text`,
  paid_sats: submissions.paidSats,
  paid_at: isoOf(submissions.paidAt),
  payment_state: sql`case
    when ${submissions.status} = 'unpaid' then 'unpaid'
    when exists (select from payments o where o.submission_id = submissions.id and o.status = 'overpaid') then 'overpaid'
    when ${payments.status} is null then 'none'
    when ${payments.status} = 'paid_late' then 'paid_late'
    else 'paid' end`,
  decided_at: isoOf(submissions.decidedAt),
  decided_by: submissions.decidedBy,
  prediction_id: submissions.predictionId,
  version: submissions.version,
}

// PostgreSQL functions take at most 100 arguments, two per field.
const ROW = sql<SubmissionRow>`json_build_object(${sql.join(
  Object.entries(FIELDS).map(([name, value]) => sql`${sql.raw(`'${name}'`)}, ${value}`),
  sql`, `,
)})`

/** The database builds the JSON of each row: four times as fast as mapping 30 columns for a list of 250. */
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

/** A submission as stored and as administrators see it, read in one query; null when it does not exist. */
export async function storedAndRow(db: Db, id: string) {
  const [found] = await selectRows(db, { stored: storedColumns }).where(eq(submissions.id, id))
  return found ?? null
}

/** @throws Error when it does not exist */
export async function submissionRow(db: Db, id: string): Promise<SubmissionRow> {
  const [found] = await selectRows(db, {}).where(eq(submissions.id, id))
  if (!found) throw new Error('submission disappeared while it was being changed')
  return found.row
}
