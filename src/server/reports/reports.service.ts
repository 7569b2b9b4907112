import { type z } from 'zod'
import {
  type Correction,
  type PublicReport,
  REPORTS_A_PAGE,
  reportPath,
  type ReportsView,
} from '#contracts/public-logs.ts'
import type * as contract from '#contracts/reports.ts'
import { statementText } from '#domain/claim/prediction.ts'
import { partsOfAddress } from '#domain/claim/source-input.ts'
import { cleanText } from '#domain/clean-text.ts'
import { dayOfTime, showDay } from '#domain/day.ts'
import {
  isSameReport,
  readReport,
  type ReportInput,
  type Report,
  type ReportState,
} from '#domain/report.ts'
import { entryOf, listCorrections } from '#server/corrections/corrections-log.service.ts'
import { type JudgedPrediction } from '#server/judging/judging.service.ts'
import { writeAudit, type AuditEntry, type Admin } from '#server/kit/admin.ts'
import { type Db, acquireLock, PAGE_SIZE, paged, placeIn } from '#server/kit/db.ts'
import { failure, invalid } from '#server/kit/failure.ts'
import { type SiteKit } from '#server/kit/kit.ts'
import { DAY_MS, HOUR_MS, type RateLimit } from '#server/kit/limiter.ts'
import { isoNow, iso, momentText } from '#server/kit/time.ts'
import { recordChanged } from '#server/record/record-state.ts'
import { type PublicRecord } from '#server/record/record.service.ts'
import * as store from './reports.rows.ts'

export type ReportsKit = SiteKit & { readonly record: PublicRecord }

const LOCK = 'proof-of-price reports'
const LIMIT: RateLimit = {
  name: 'reports',
  shares: [
    {
      of: 'prefix',
      most: 10,
      withinMs: HOUR_MS,
      message: 'Many reports have come from your network. Please try again in an hour.',
    },
    {
      of: 'prefix',
      most: 30,
      withinMs: DAY_MS,
      message: 'Many reports have come from your network today. Please try again tomorrow.',
    },
    {
      of: 'all',
      most: 120,
      withinMs: HOUR_MS,
      message: 'Many people are reporting errors at the moment. Please try again in an hour.',
    },
  ],
}

/**
 * Stores a report, or finds the equivalent open one.
 * @throws AppError `invalid`, `not_found`, `conflict` for a withdrawn prediction, `too_many`
 */
export async function takeReport(
  kit: ReportsKit,
  input: ReportInput,
  address: string,
): Promise<z.input<typeof contract.fileReport.reply>> {
  const read = readReport(input)
  if (!read.ok) throw invalid(read.faults)
  const { report } = read
  await checkPredictions(kit, report)
  return kit.db.transaction(async (tx) => {
    await acquireLock(tx, LOCK)
    const same = (await store.openLike(tx, report)).find((one) => isSameReport(one, report))?.number
    if (same !== undefined) {
      const message = `This was reported before: it is report ${String(same)}, which is still open.`
      return { success: true, message, number: same, path: reportPath(same), known: true }
    }
    await kit.limiter.enter(tx, LIMIT, { address })
    const number = await store.addReport(tx, report, isoNow(kit))
    const message = `Thank you. This is report ${String(number)}.`
    return { success: true, message, number, path: reportPath(number), known: false }
  })
}

async function checkPredictions({ record }: ReportsKit, { prediction, other }: Report) {
  const found = await record.find(prediction)
  if (!found) throw failure('not_found', 'There is no such prediction.')
  const { withdrawn: gone } = found
  if (gone) {
    throw failure(
      'conflict',
      `This prediction was withdrawn on ${showDay(dayOfTime(Date.parse(gone.at)))}: it counts in no list or track record any more, and takes no reports.`,
    )
  }
  if (other === null) return
  const second = await record.find(other)
  if (!second || second.withdrawn) {
    throw invalid({ other: 'There is no such prediction on this site.' })
  }
}

type Reading = Pick<ReportsKit, 'db'> & { readonly record: Pick<PublicRecord, 'byIds'> }

async function publicReports(record: Reading['record'], rows: readonly store.StoredReport[]) {
  const predictions = await predictionsOf({ record }, rows)
  return rows.flatMap((row) => publicOf(predictions, row) ?? [])
}

export async function reportsPage({ db, record }: Reading, view: ReportsView) {
  const [total, counts] = await Promise.all([
    store.countReports(db, view),
    store.countReportStates(db),
  ])
  const { place, ...at } = placeIn(total, view.page, REPORTS_A_PAGE)
  const rows = await publicReports(record, await store.listRows(db, view, 'newest', place))
  return { view, ...at, counts, rows }
}

/** A filtered list, newest first, optionally limited. */
export async function listReports(
  { db, record }: Reading,
  view: Omit<ReportsView, 'page'>,
  most: number | null = null,
): Promise<PublicReport[]> {
  const place = most === null ? null : { skip: 0, most }
  return publicReports(record, await store.listRows(db, view, 'newest', place))
}

export async function publicReport({ db, record }: Reading, number: number) {
  const row = await store.reportByNumber(db, number)
  return row && ((await publicReports(record, [row]))[0] ?? null)
}

/** Null for a moment, until a replica has a new prediction. */
function publicOf(predictions: Named, row: store.StoredReport): PublicReport | null {
  const prediction = predictions.get(row.predictionId)
  if (!prediction) return null
  const other = row.otherId === null ? null : predictions.get(row.otherId)
  const isPublic = row.state !== 'open' && !row.withheld
  return {
    number: row.number,
    at: iso(row.reportedAt),
    kind: row.kind,
    state: row.state,
    prediction: entryOf(prediction),
    withdrawn: prediction.withdrawn !== null,
    other: other ? entryOf(other) : null,
    sourceHost: row.source === null || row.withheld ? null : partsOfAddress(row.source).host,
    source: isPublic ? row.source : null,
    explanation: isPublic ? row.explanation : null,
    withheld: row.withheld,
    decided:
      row.decidedAt === null
        ? null
        : { at: iso(row.decidedAt), reason: row.declineReason, answer: row.answer },
    corrections: row.corrections,
  }
}

type Named = ReadonlyMap<string, JudgedPrediction>

async function predictionsOf(
  { record }: Pick<Reading, 'record'>,
  rows: readonly Pick<store.StoredReport, 'predictionId' | 'otherId'>[],
): Promise<Named> {
  const ids = rows.flatMap(({ predictionId, otherId }) => [predictionId, otherId ?? []].flat())
  const found = await record.byIds([...new Set(ids)])
  return new Map(found.map((one) => [one.id, one]))
}

/** A page of reports for administrators. */
export async function reportQueue(
  kit: ReportsKit,
  { state, prediction, page }: z.output<NonNullable<typeof contract.listReports.query>>,
): Promise<z.input<typeof contract.listReports.reply>> {
  const { db } = kit
  const narrowed = { state: state === 'all' ? null : state, prediction: prediction ?? null }
  const place = { skip: (page - 1) * PAGE_SIZE, most: PAGE_SIZE }
  const [total, counts, rows] = await Promise.all([
    store.countReports(db, narrowed),
    store.countReportStates(db),
    store.listRows(db, narrowed, state === 'open' ? 'oldest' : 'newest', place),
  ])
  const named = await predictionsOf(kit, rows)
  return {
    ...paged(total, page),
    counts,
    rows: await Promise.all(rows.map((row) => adminReport(kit, named, row))),
  }
}

async function adminReport(
  kit: ReportsKit,
  named: Named,
  row: store.StoredReport,
): Promise<contract.AdminReport> {
  const { number, kind, state, source, explanation, withheld, decidedAt } = row
  const since = state === 'open' ? await correctedSince(kit, row) : []
  const entry = (id: string): contract.AdminReport['prediction'] => {
    const found = named.get(id)
    return {
      id,
      name: found?.expert.name ?? '',
      statement: found ? statementText(found) : id,
      withdrawn: found?.withdrawn != null,
    }
  }
  return {
    number,
    at: iso(row.reportedAt),
    kind,
    state,
    prediction: entry(row.predictionId),
    other: row.otherId === null ? null : entry(row.otherId),
    source,
    explanation,
    withheld,
    decided:
      decidedAt === null
        ? null
        : {
            at: iso(decidedAt),
            by: row.decidedBy ?? '',
            reason: row.declineReason,
            answer: row.answer,
          },
    corrections: [...row.corrections],
    since: since.map(({ number, at, what, why }) => ({
      number,
      at,
      text: why === null ? what : `${what} Reason: ${why}`,
    })),
  }
}

async function correctedSince(
  { db, record }: ReportsKit,
  { predictionId, otherId, lastEvent }: store.StoredReport,
): Promise<readonly Correction[]> {
  const predictions = [predictionId, otherId ?? []].flat()
  const all = { asset: null, kind: null, person: null, predictions }
  return (await listCorrections(db, record, all)).filter(({ number }) => number > lastEvent)
}

export async function decline(
  kit: ReportsKit,
  admin: Admin,
  number: number,
  decision: z.output<NonNullable<typeof contract.declineReport.body>>,
) {
  const answer = cleanText(decision.answer)
  if (answer === '') {
    throw invalid({
      answer: 'Please say why in a sentence: it is shown on the page of the report.',
    })
  }
  const { reason, withheld = (await find(kit.db, number)).withheld } = decision
  await change(kit, admin, number, {
    was: 'open',
    action: 'report declined',
    before: { state: 'open' },
    after: { state: 'declined', reason, withheld },
    reason: answer,
    set: {
      state: 'declined',
      declineReason: reason,
      answer,
      withheld,
      decidedAt: isoNow(kit),
      decidedBy: admin.username,
    },
  })
}

export function reopen(kit: ReportsKit, admin: Admin, number: number) {
  return change(kit, admin, number, {
    was: 'declined',
    action: 'report opened again',
    before: { state: 'declined' },
    after: { state: 'open' },
    set: { state: 'open', declineReason: null, answer: null, decidedAt: null, decidedBy: null },
  })
}

export async function withhold(kit: ReportsKit, admin: Admin, number: number, withheld: boolean) {
  const found = await find(kit.db, number)
  await change(kit, admin, number, {
    was: found.state,
    action: withheld ? 'report text withheld' : 'report text shown',
    before: { withheld: found.withheld },
    after: { withheld },
    set: { withheld },
  })
}

/** Accepts a report by a correction made after it. */
export async function acceptByCorrection(
  kit: ReportsKit,
  admin: Admin,
  number: number,
  correction: number,
) {
  const since = await correctedSince(kit, await find(kit.db, number))
  const made = since.find((one) => one.number === correction)
  if (!made) {
    throw failure(
      'invalid',
      `Correction ${String(correction)} is not about this prediction, or was made before the report arrived.`,
    )
  }
  const { id: predictionId } = made.prediction
  await kit.db.transaction(async (tx) => {
    await acquireLock(tx)
    const acceptance = { numbers: [number], predictionId, at: isoNow(kit), admin }
    await store.acceptBy(tx, acceptance, [correction])
    // The list of corrections shows the report.
    await recordChanged(tx)
  })
}

async function find(on: Db, number: number): Promise<store.StoredReport> {
  const found = await store.reportByNumber(on, number)
  if (!found) throw failure('not_found', 'There is no report with this number.')
  return found
}

type Written = Pick<AuditEntry, 'action' | 'before' | 'after' | 'reason'> & {
  readonly was: ReportState
  readonly set: Parameters<typeof store.changeReport>[3]
}

/** Changes a report and adds its audit entry. @throws AppError `conflict` if it was changed concurrently */
function change(kit: ReportsKit, admin: Admin, number: number, { was, set, ...entry }: Written) {
  return kit.db.transaction(async (tx) => {
    if (!(await store.changeReport(tx, number, was, set))) {
      const { state, decidedAt, decidedBy } = await find(tx, number)
      const by = decidedBy ?? 'an administrator'
      const now =
        decidedAt === null ? 'is open' : `was ${state} by ${by} on ${momentText(decidedAt)}`
      throw failure('conflict', `Report ${String(number)} ${now}.`)
    }
    const subject = { kind: 'report', id: number }
    await writeAudit(tx, { at: isoNow(kit), admin, subject, ...entry })
  })
}
