import { person } from '#server/people/people.rows.ts'
import { type SubmissionRow } from '#contracts/review.ts'
import { sourceOfRow, sourceRow } from '#contracts/prediction-wire.ts'
import { SourceRow } from '#contracts/source.ts'
import { areSameSources, type Source } from '#domain/claim/source.ts'
import { type AssetKey } from '#domain/asset.ts'
import { type Day, isoDay } from '#domain/day.ts'
import { and, asc, desc, eq, like, ne, or, sql, type SQL } from 'drizzle-orm'
import { iso, isoOrNull } from '#server/kit/iso.ts'
import { type Db } from '#server/kit/db.ts'
import { sendSignal } from '#server/kit/signals.ts'
import { savePredictions, type NewPrediction } from '#server/predictions/predictions.rows.ts'
import { auditLog } from '#server/database/schema/admins.ts'
import { notices, submissions } from '#server/database/schema/submissions.ts'
import {
  influencerNames,
  influencers,
  predictionEvents,
  predictions,
  verdicts,
} from '#server/database/schema/predictions.ts'
import {
  addressesOf,
  storedColumns,
  type StoredSubmission,
} from '#server/submissions/submissions.rows.ts'
import { replaceSources } from '#server/sources/sources.rows.ts'
import { z } from 'zod'
import { submissionRow } from './submission-rows.store.ts'

/** A stored submission for who goes on to write: until the transaction ends, no one else changes it. */
export async function lockStored(tx: Db, id: string): Promise<StoredSubmission | null> {
  const rows = await tx
    .select(storedColumns)
    .from(submissions)
    .where(eq(submissions.id, id))
    .for('update')
  return rows[0] ?? null
}

/** What an edit or a decision may change, by the names that calls and the audit log use. */
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

/** The fields in which a change differs from what is stored, before and after, by their names in the audit log. */
export function changedFields(
  row: StoredSubmission,
  patch: SubmissionPatch,
): { readonly before: Values; readonly after: Values } {
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

/** Sources are written to the audit log in the shape of calls. */
function logged(value: Value | undefined): unknown {
  return Array.isArray(value) ? value.map(sourceRow) : value
}

/** The patch that undoes a change, from the `before` of its audit entry; fields that are not stored are left out. */
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

/** Writes a change and counts it. */
export async function patchSubmission(
  tx: Db,
  row: StoredSubmission,
  patch: SubmissionPatch,
): Promise<SubmissionRow> {
  const { sources, ...columns } = patch
  await tx
    .update(submissions)
    .set({
      ...columns,
      ...(sources && { sourceAddresses: addressesOf(sources) }),
      version: row.version + 1,
    })
    .where(eq(submissions.id, row.id))
  if (sources) await replaceSources(tx, [{ submissionId: row.id, given: sources }])
  await sendSignal(tx, 'receipt', [row.id])
  return submissionRow(tx, row.id)
}

const KIND = 'submission'
export const subjectOf = (id: string) => ({ kind: KIND, id })

export type AuditRow = {
  readonly id: number
  readonly at: string
  readonly adminId: number | null
  readonly username: string
  readonly action: string
  readonly before: Values | null
  readonly after: Values | null
  readonly reason: string | null
}

/** What was done to a submission, newest first. */
export async function auditOf(db: Db, id: string, most: number): Promise<AuditRow[]> {
  const rows = await db
    .select({
      id: auditLog.id,
      at: auditLog.at,
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
  return rows.map((row) => ({ ...row, at: iso(row.at) }))
}

export async function noticesOf(db: Db, id: string) {
  const rows = await db
    .select()
    .from(notices)
    .where(eq(notices.submissionId, id))
    .orderBy(asc(notices.id))
  return rows.map((row) => ({
    event: row.event,
    status: row.status,
    attempts: row.attempts,
    created_at: iso(row.createdAt),
    sent_at: isoOrNull(row.sentAt),
    last_error: row.lastError,
  }))
}

/** Waiting submissions that one is compared with, of the same deadline and of others. */
const MOST_COMPARED = 500

/**
 * Submissions of the asset that wait for a decision: those with this deadline, and the newest with any other, as a page is
 * read in several ways soon after each other. Each is read off an index, however many wait.
 */
export async function waitingOfAsset(
  db: Db,
  given: { readonly asset: AssetKey; readonly by: Day; readonly except: string },
): Promise<StoredSubmission[]> {
  const waits = and(
    eq(submissions.asset, given.asset),
    eq(submissions.status, 'pending'),
    ne(submissions.id, given.except),
  )
  const newest = (isWanted: SQL | undefined) =>
    db
      .select(storedColumns)
      .from(submissions)
      .where(isWanted)
      .orderBy(desc(submissions.createdAt))
      .limit(MOST_COMPARED)
  const [alike, others] = await Promise.all([
    newest(and(waits, eq(submissions.targetTime, isoDay(given.by)))),
    newest(and(waits, ne(submissions.targetTime, isoDay(given.by)))),
  ])
  return [...alike, ...others]
}

// Of one table alone, columns are named without it: inside a query of another they would mean that one's.
/** All influencers with all names and handles, by name. */
export async function peopleWithNames(db: Db) {
  const rows = await db
    .select({
      id: influencers.id,
      name: influencers.name,
      handle: person.handle,
      aliases: sql<
        string[]
      >`coalesce((select array_agg(n.text order by n.kind, n.text) from influencer_names n where n.influencer_id = influencers.id and n.kind <> 'npub' and not n.main), '{}')`,
    })
    .from(influencers)
    .where(sql`${influencers.mergedInto} is null`)
    .orderBy(sql`lower(${influencers.name})`, asc(influencers.id))
  return rows
}

export async function addPrediction(
  tx: Db,
  given: NewPrediction & { readonly voteScore: number },
): Promise<string> {
  const { voteScore, ...prediction } = given
  const rows = await tx
    .select({ id: predictions.id })
    .from(predictions)
    .where(or(eq(predictions.id, given.id), like(predictions.id, `${given.id}-%`)))
  const taken = new Set(rows.map((row) => row.id))
  let id = given.id
  for (let n = 2; taken.has(id); n += 1) id = `${given.id}-${String(n)}`
  await savePredictions(tx, [{ ...prediction, id }])
  await tx.update(predictions).set({ voteScore }).where(eq(predictions.id, id))
  return id
}

/**
 * Takes a prediction that was published moments ago back with all that came with it.
 *
 * @returns false when it was corrected meanwhile: what they said in public stays
 */
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

/** Deletes an influencer that was made for a prediction that is gone, unless anything else refers to them by now. */
export async function eraseUnused(tx: Db, influencerId: number): Promise<void> {
  const used = sql`exists (select from predictions p where p.influencer_id = ${influencerId})
    or exists (select from submissions s where s.existing_influencer_id = ${influencerId})
    or exists (select from influencers i where i.merged_into = ${influencerId} or (i.id = ${influencerId} and i.version > 0))`
  const [row] = await tx.select({ used: sql<boolean>`${used}` }).from(sql`(select 1) one`)
  if (row?.used !== false) return
  await tx.delete(influencerNames).where(eq(influencerNames.influencerId, influencerId))
  await tx.delete(influencers).where(eq(influencers.id, influencerId))
}

/** Whether a notice of this decision has been written already. */
export async function hasNoticeOf(
  tx: Db,
  id: string,
  event: 'approved' | 'rejected',
): Promise<boolean> {
  const rows = await tx
    .select({ id: notices.id })
    .from(notices)
    .where(and(eq(notices.submissionId, id), eq(notices.event, event)))
    .limit(1)
  return rows.length > 0
}
