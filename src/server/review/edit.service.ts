import * as contract from '#contracts/review.ts'
import { dateFault } from '#domain/claim/claim-input.ts'
import {
  LONGEST_PUBLIC_TEXT,
  writePublicText,
  type PublicTextKind,
} from '#domain/claim/prediction.ts'
import { cleanText } from '#domain/clean-text.ts'
import { dayOfTime, isoDay, readDay, type DatePrecision, type Day } from '#domain/day.ts'
import { holdsSecretKey } from '#domain/publishing/nostr.ts'
import { mergeChange, namedStart, readOptionalDay } from '#domain/review.ts'
import {
  MESSAGES,
  readSubmission,
  type Submission,
  type SubmissionFields,
} from '#domain/submission.ts'
import { type Admin, writeAudit } from '#server/kit/admin.ts'
import { acquireLock, type Db } from '#server/kit/db.ts'
import { failure, invalid } from '#server/kit/failure.ts'
import { type Kit } from '#server/kit/kit.ts'
import { today, isoNow, momentText } from '#server/kit/time.ts'
import { staleEdit } from '#server/operations/audit-log.service.ts'
import { personById } from '#server/people/people.rows.ts'
import { type PublicRecord } from '#server/record/record.service.ts'
import {
  submitted,
  type StoredSubmission,
  columnsOf,
} from '#server/submissions/submissions.rows.ts'
import * as store from './review.store.ts'
import { type Chosen, UNKNOWN_INFLUENCER } from './submission-person.service.ts'

const NO_DAY = 'Please enter the day the prediction was made.'

type Faults = Readonly<Record<string, string>>

export type Approval = {
  readonly submission: Submission
  /** The first day that counts, if the submission names one. */
  readonly from: Day | null
  readonly by: Day
  readonly madePrecision: DatePrecision
  readonly byPrecision: DatePrecision
  readonly influencer: Chosen
  /** Whether the name given becomes another spelling of the influencer's. */
  readonly remembersName: boolean
  /** The public text; the speaker of a quotation is added once the influencer is known. */
  readonly quote: { readonly kind: PublicTextKind; readonly text: string }
}

export function summaryOf({ quote }: Approval, speaker: string): string {
  return writePublicText({ ...quote, speaker })
}

function fieldsOf(row: StoredSubmission): SubmissionFields {
  // The stored sources are passed separately: an address alone would replace the best one.
  const { source_url: _, ...fields } = submitted(row)
  return {
    ...fields,
    // Without a date, the prediction counts as made on the day of submission.
    prediction_made: row.predictionMade ?? isoDay(dayOfTime(Date.parse(row.createdAt))),
    submitter_email: row.submitterEmail,
  }
}

function readEdit(
  row: StoredSubmission,
  edit: contract.SubmissionEdit,
  today: Day,
): { ok: true; submission: Submission } | { ok: false; faults: Faults } {
  const merged = mergeChange(fieldsOf(row), edit)
  const isUndated = edit.prediction_made !== undefined && !edit.prediction_made?.trim()
  const faults = { ...merged.faults, ...(isUndated ? { prediction_made: NO_DAY } : {}) }
  const read = readSubmission(merged.fields, today, row.sources)
  const all = { ...(read.ok ? {} : faultsOf(read.faults, faults)), ...faults }
  return read.ok && Object.keys(all).length === 0
    ? { ok: true, submission: read.submission }
    : { ok: false, faults: all }
}

function faultsOf(read: Faults, merged: Faults): Faults {
  if (merged['price_prediction'] === undefined) return read
  return Object.fromEntries(
    Object.entries(read).filter(([field]) => !/^price_(?:target|min|max)$/.test(field)),
  )
}

/** @param now Unix time in milliseconds */
export function readApproval(
  row: StoredSubmission,
  body: contract.ApproveBody | contract.DryRunBody,
  now: number,
): { ok: true; approval: Approval } | { ok: false; faults: Faults } {
  const end = readOptionalDay(body.end_date)
  const start = readOptionalDay(body.start_date)
  const deadline = typeof end === 'number' ? { target_time: isoDay(end) } : {}
  const read = readEdit(row, { ...body, ...deadline }, dayOfTime(now))
  const faults: Record<string, string> = {
    ...(typeof start === 'string' ? { start_date: start } : {}),
    ...(typeof end === 'string' ? { end_date: end } : {}),
    ...commentFault(body.admin_comment),
    ...quoteFault(body),
    ...bothFault(body.new_influencer, {
      influencer_id: body.influencer_id,
      ...('existing_influencer_id' in body
        ? { existing_influencer_id: body.existing_influencer_id }
        : {}),
    }),
    ...(read.ok ? {} : read.faults),
  }
  if (typeof end === 'number' && faults['target_time'] !== undefined) {
    faults['end_date'] = faults['target_time']
  }
  if (!read.ok || typeof start === 'string') return { ok: false, faults }
  const { submission } = read
  const from = namedStart(start, submission.made, now)
  const late = dateFault(submission.asset, submission.made, from, submission.by)
  if (late) faults[late.field] = late.message
  if (Object.keys(faults).length > 0) return { ok: false, faults }
  return {
    ok: true,
    approval: {
      submission,
      from,
      by: submission.by,
      madePrecision: submission.madePrecision,
      byPrecision: body.target_precision ?? 'day',
      influencer: chosenIn(body),
      remembersName: body.remember_name === true,
      quote: quoteIn(body),
    },
  }
}

function quoteIn({ quote, quote_kind: kind }: contract.ApproveBody): Approval['quote'] {
  return { kind: kind ?? 'summary', text: cleanText(quote) }
}

function quoteFault(body: contract.ApproveBody): Faults {
  const { kind, text } = quoteIn(body)
  if (holdsSecretKey(text)) return { quote: MESSAGES.secretKey }
  const most = LONGEST_PUBLIC_TEXT[kind]
  return text.length > most ? { quote: `Please use at most ${String(most)} characters.` } : {}
}

function chosenIn({ influencer_id: id, new_influencer: isNew }: contract.ApproveBody): Chosen {
  if (isNew) return 'new'
  return idOf(id) ?? (isNew === false ? 'named' : null)
}

/** The id from a select field; null and empty choose none. */
export function idOf(value: number | string | null | undefined): number | null {
  return value === null || value === undefined || value === '' ? null : Number(value)
}

/** @param field the name of the id field */
function bothFault(
  isNew: boolean | null | undefined,
  ids: Readonly<Record<string, number | string | null | undefined>>,
): Faults {
  const both = 'Please choose either an influencer on record or a new one.'
  const named = Object.entries(ids).filter(([, id]) => isNew && idOf(id) !== null)
  return Object.fromEntries(named.map(([field]) => [field, both]))
}

export function commentFault(comment: string | null | undefined): Faults {
  const text = cleanText(comment)
  if (holdsSecretKey(text)) return { admin_comment: MESSAGES.secretKey }
  return text.length > contract.LONGEST_COMMENT
    ? { admin_comment: `Please use at most ${String(contract.LONGEST_COMMENT)} characters.` }
    : {}
}

export function endsBeforeMade(row: StoredSubmission, body: contract.DryRunBody): boolean {
  const made = readDay((body.prediction_made ?? fieldsOf(row).prediction_made ?? '').trim())
  const by = readDay((body.end_date?.trim() || (body.target_time ?? row.targetTime)).trim())
  return made !== null && by !== null && by <= made
}

/** @throws AppError `invalid` with a message per field, `conflict` naming another administrator's changes */
export async function edit(
  kit: ChangeKit,
  admin: Admin,
  id: string,
  body: contract.SubmissionEdit,
): Promise<contract.SubmissionRow> {
  return changeSubmission(kit, id, async (tx, row) => {
    await refuseStale(tx, row, body.version)
    refuseUnpaid(row)
    const { version: _, prediction_outcome: outcome, admin_comment: comment, ...edited } = body
    const patch: store.SubmissionPatch = {
      ...(outcome ? { predictionOutcome: outcome } : {}),
      ...(comment === undefined ? {} : { adminComment: cleanText(comment) || null }),
    }
    const fields: contract.SubmissionEdit = Object.fromEntries(
      Object.entries(edited).filter(([, value]) => value !== undefined),
    )
    const faults: Record<string, string> = { ...commentFault(comment) }
    if (Object.keys(fields).length > 0) {
      refusePublished(row)
      const read = readEdit(row, fields, today(kit))
      if (read.ok) Object.assign(patch, columnsOf(read.submission))
      else Object.assign(faults, read.faults)
      if (fields.existing_influencer_id !== undefined) {
        const chosen = idOf(fields.existing_influencer_id)
        const person = chosen === null ? null : await personById(tx, chosen)
        if (chosen !== null && !person) faults['existing_influencer_id'] = UNKNOWN_INFLUENCER
        patch.existingInfluencerId = person?.id ?? null
        if (person) patch.newInfluencer = false
      }
      if (typeof fields.new_influencer === 'boolean') {
        patch.newInfluencer = fields.new_influencer
        if (fields.new_influencer) patch.existingInfluencerId = null
      }
      Object.assign(
        faults,
        bothFault(fields.new_influencer, { existing_influencer_id: fields.existing_influencer_id }),
      )
    }
    if (Object.keys(faults).length > 0) throw invalid(faults)
    // Only submitted fields: defaults for unset ones would count as edits.
    if (fields.prediction_made === undefined) delete patch.predictionMade
    return saveChange(kit, tx, admin, row, { action: EDITED, patch })
  })
}

const EDITED = 'submission edited'

export type ChangeKit = Pick<Kit, 'db' | 'clock'>
export type ReviewKit = ChangeKit & { readonly record: PublicRecord }

/** Changes a locked submission and adds the audit entry in one transaction. @throws AppError */
export async function changeSubmission<T>(
  { db }: ChangeKit,
  id: string,
  work: (tx: Db, row: StoredSubmission) => Promise<T>,
  publishes = false,
): Promise<T> {
  return db.transaction(async (tx) => {
    // Before the row lock, so that judging never waits while this holds a row.
    if (publishes) await acquireLock(tx)
    const row = await store.lockStored(tx, id)
    if (!row) throw failure('not_found', contract.NO_SUBMISSION)
    return work(tx, row)
  })
}

export async function saveChange(
  kit: ChangeKit,
  tx: Db,
  admin: Admin,
  row: StoredSubmission,
  change: {
    action: string
    patch: store.SubmissionPatch
    reason?: string | null
    note?: Record<string, unknown>
  },
): Promise<contract.SubmissionRow> {
  const { before, after } = store.changedFields(row, change.patch)
  const isSame = Object.keys(after).length === 0
  if (isSame && change.action === EDITED) return store.submissionRow(tx, row.id)
  const saved = await store.patchSubmission(tx, row, change.patch)
  await writeAudit(tx, {
    at: isoNow(kit),
    admin,
    action: change.action,
    subject: store.subjectOf(row.id),
    before: { ...before, version: row.version },
    after: { ...after, ...change.note, version: saved.version },
    reason: change.reason ?? null,
  })
  return saved
}

const DECISIONS = ['submission approved', 'submission rejected'] as const
export type Decision = (typeof DECISIONS)[number]

/** @throws AppError `conflict`, naming who decided first */
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

/** @throws AppError `conflict` with the fields changed since */
export async function refuseStale(
  tx: Db,
  row: StoredSubmission,
  version: number | null | undefined,
): Promise<void> {
  if (version == null || version === row.version) return
  throw await staleEdit(tx, { ...store.subjectOf(row.id), version })
}

/** The decision in force if nothing changed since; null otherwise. */
export async function lastDecision(db: Db, row: StoredSubmission): Promise<store.AuditRow | null> {
  if (row.status !== 'approved' && row.status !== 'rejected') return null
  const [entry] = await store.auditOf(db, row.id, 1)
  const isDecision = DECISIONS.some((action) => action === entry?.action)
  return entry && isDecision && entry.after?.['version'] === row.version ? entry : null
}

/** Milliseconds left in which this administrator can undo the decision; negative once it has passed. */
export function undoLeft(
  { decidedAt }: StoredSubmission,
  entry: store.AuditRow,
  admin: Admin,
  nowMs: number,
): number {
  const isTheirs = entry.adminId === admin.id && decidedAt !== null
  return isTheirs ? Date.parse(decidedAt) + contract.UNDO_MS - nowMs : -Infinity
}
