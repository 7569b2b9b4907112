import { isoNow } from '#server/kit/now.ts'
import { failure, type AppError } from '#server/kit/failure.ts'
import { type Admin } from '#server/kit/ports.ts'
import { writeAudit } from '#server/kit/audit.ts'
import { takeTurn, type Db } from '#server/kit/db.ts'
import {
  changedFields,
  lockStored,
  patchSubmission,
  subjectOf,
  submissionRow,
  type SubmissionPatch,
  auditOf,
  type AuditRow,
} from './review.store.ts'
import { NO_SUBMISSION, type SubmissionRow, UNDO_MS } from '#contracts/review.ts'
import { type StoredSubmission } from '#server/submissions/submissions.rows.ts'
import { type Kit } from '#server/kit/kit.ts'
import { type PublicRecord } from '#server/record/record.service.ts'
import { momentText } from '#server/kit/iso.ts'
import { staleEdit } from '#server/operations/audit-log.service.ts'

export const EDITED = 'submission edited'

/** What editing and deciding needs. */
export type ChangeKit = Pick<Kit, 'db' | 'clock'>
export type ReviewKit = ChangeKit & { readonly record: PublicRecord }

/** Changes a submission in one transaction, together with its entry in the audit log; no one else changes it meanwhile. @throws AppError */
export async function changeSubmission<T>(
  { db }: ChangeKit,
  id: string,
  work: (tx: Db, row: StoredSubmission) => Promise<T>,
  publishes = false,
): Promise<T> {
  return db.transaction(async (tx) => {
    // Before the row is locked: judging waits for its turn without holding a row.
    if (publishes) await takeTurn(tx)
    const row = await lockStored(tx, id)
    if (!row) throw failure('not_found', NO_SUBMISSION)
    return work(tx, row)
  })
}

export async function saveChange(
  kit: ChangeKit,
  tx: Db,
  admin: Admin,
  row: StoredSubmission,
  given: {
    action: string
    patch: SubmissionPatch
    reason?: string | null
    note?: Record<string, unknown>
  },
): Promise<SubmissionRow> {
  const { before, after } = changedFields(row, given.patch)
  const isSame = Object.keys(after).length === 0
  if (isSame && given.action === EDITED) return submissionRow(tx, row.id)
  const saved = await patchSubmission(tx, row, given.patch)
  await writeAudit(tx, {
    at: isoNow(kit),
    admin,
    action: given.action,
    subject: subjectOf(row.id),
    before: { ...before, version: row.version },
    after: { ...after, ...given.note, version: saved.version },
    reason: given.reason ?? null,
  })
  return saved
}

const DECISIONS = ['submission approved', 'submission rejected'] as const
export type Decision = (typeof DECISIONS)[number]

export function invalid(faults: Readonly<Record<string, string>>): AppError {
  return failure('invalid', Object.values(faults)[0] ?? 'Please check the form.', faults)
}

/** @throws AppError `conflict`, naming who was first */
export function refuseDecided(row: StoredSubmission): void {
  refuseUnpaid(row)
  if (row.status === 'pending') return
  const did = row.status === 'approved' ? 'approved' : 'rejected'
  const whenDone = row.decidedAt === null ? '' : ` on ${momentText(row.decidedAt)}`
  throw failure(
    'conflict',
    `${row.decidedBy ?? 'Someone'} already ${did} this submission${whenDone}.`,
  )
}

/** @throws AppError `conflict` */
export function refuseUnpaid(row: StoredSubmission): void {
  if (row.status !== 'unpaid') return
  throw failure('conflict', 'This submission has not been paid yet, so it is not in review.')
}

/** @throws AppError `conflict` */
export function refusePublished(row: StoredSubmission): void {
  if (row.status !== 'approved') return
  throw failure(
    'conflict',
    'This submission has been published. Please edit or withdraw the prediction instead.',
  )
}

/** @throws AppError `conflict`, with what has been changed since by its field */
export async function refuseStale(
  tx: Db,
  row: StoredSubmission,
  version: number | null | undefined,
): Promise<void> {
  if (version == null || version === row.version) return
  throw await staleEdit(tx, { ...subjectOf(row.id), version })
}

/** The decision in force, where nothing has been changed since; null otherwise. */
export async function lastDecision(db: Db, row: StoredSubmission): Promise<AuditRow | null> {
  if (row.status !== 'approved' && row.status !== 'rejected') return null
  const [entry] = await auditOf(db, row.id, 1)
  const isDecision = DECISIONS.some((action) => action === entry?.action)
  return entry && isDecision && entry.after?.['version'] === row.version ? entry : null
}

/** How long a decision can still be taken back by this administrator, milliseconds; below zero: since when no more. */
export function undoLeft(
  { decidedAt }: StoredSubmission,
  entry: AuditRow,
  admin: Admin,
  nowMs: number,
): number {
  const isTheirs = entry.adminId === admin.id && decidedAt !== null
  return isTheirs ? Date.parse(decidedAt) + UNDO_MS - nowMs : -Infinity
}
