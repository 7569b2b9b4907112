import { UNDO_MS } from '#contracts/review.ts'
import { cleanText } from '#domain/clean-text.ts'
import { failure, type AppError } from '#server/kit/failure.ts'
import { momentText } from '#server/kit/iso.ts'
import { type Admin } from '#server/kit/ports.ts'
import { type Db } from '#server/kit/db.ts'
import { type StoredSubmission } from '#server/submissions/submissions.rows.ts'
import { auditOf, type AuditRow } from './review.store.ts'
import { commentFault } from './review-edits.ts'

const NO_REASON = 'Please enter a reason: the submitter will read it.'
const DECISIONS = ['submission approved', 'submission rejected'] as const
export type Decision = (typeof DECISIONS)[number]

/** @throws AppError `invalid` */
export function readReason(given: string | null | undefined): string {
  const text = cleanText(given)
  const faults = text === '' ? { admin_comment: NO_REASON } : commentFault(text)
  if (Object.keys(faults).length > 0) throw invalid(faults)
  return text
}

/** A failure with a message for each field. */
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
    `${row.decidedBy ?? 'Someone'} has ${did} this submission already${whenDone}.`,
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
  if (version === null || version === undefined || version === row.version) return
  const since = (await auditOf(tx, row.id, 100)).filter(
    ({ after }) => typeof after?.['version'] === 'number' && after['version'] > version,
  )
  const fields: Record<string, string> = {}
  for (const { username, at, before, after } of since) {
    for (const [field, value] of Object.entries(after ?? {})) {
      if (field === 'version' || !(field in (before ?? {}))) continue
      fields[field] ??=
        `${username} changed it on ${momentText(at)}: ${shown(before?.[field])} → ${shown(value)}`
    }
  }
  const who = [...new Set(since.map(({ username }) => username))].join(' and ') || 'Someone'
  const what = Object.keys(fields)
    .map((field) => field.replaceAll('_', ' '))
    .join(', ')
  throw failure(
    'conflict',
    `${who} has changed this submission meanwhile${what === '' ? '' : ` (${what})`}. Please look at it again before saving.`,
    fields,
  )
}

const LONGEST_SHOWN = 120

function shown(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'empty'
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text
}

/** The decision in force, where nothing has been changed since; null otherwise. */
export async function lastDecision(db: Db, row: StoredSubmission): Promise<AuditRow | null> {
  if (row.status !== 'approved' && row.status !== 'rejected') return null
  const [entry] = await auditOf(db, row.id, 1)
  const isDecision = DECISIONS.some((action) => action === entry?.action)
  return entry && isDecision && entry.after?.['version'] === row.version ? entry : null
}

/** How long a decision can still be taken back by this administrator, milliseconds; below zero: since when no more. */
export function undoLeft(entry: AuditRow, admin: Admin, nowMs: number): number {
  return entry.adminId === admin.id ? Date.parse(entry.at) + UNDO_MS - nowMs : -Infinity
}
