import { type z } from 'zod'
import { type Correction, reportPath } from '#contracts/public-logs.ts'
import {
  type fileReport,
  type AdminReport,
  type declineReport,
  type listReports,
} from '#contracts/reports.ts'
import { statementText } from '#domain/claim/prediction.ts'
import { cleanText } from '#domain/clean-text.ts'
import { dayOfTime, showDay } from '#domain/day.ts'
import {
  isSameReport,
  readReport,
  type ReportInput,
  type Report,
  type ReportState,
} from '#domain/report.ts'
import { listCorrections } from '#server/corrections/corrections-log.service.ts'
import { type JudgedPrediction } from '#server/judging/judging.service.ts'
import { writeAudit, type AuditEntry, type Admin } from '#server/kit/admin.ts'
import { type Db, acquireLock, PAGE_SIZE, paged } from '#server/kit/db.ts'
import { failure, invalid } from '#server/kit/failure.ts'
import { DAY_MS, HOUR_MS, type RateLimit } from '#server/kit/limiter.ts'
import { isoNow, iso, momentText } from '#server/kit/time.ts'
import { recordChanged } from '#server/record/record-state.ts'
import { type ReportsKit, predictionsOf } from './read-reports.service.ts'
import * as store from './reports.rows.ts'

type Filed = z.input<typeof fileReport.reply>

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
): Promise<Filed> {
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

type Listed = z.output<NonNullable<typeof listReports.query>>
type Declined = z.output<NonNullable<typeof declineReport.body>>
type Entry = AdminReport['prediction']

export async function reportsPage(
  kit: ReportsKit,
  { state: stateFilter, prediction: about, page }: Listed,
): Promise<z.input<typeof listReports.reply>> {
  const { db } = kit
  const narrowed = { state: stateFilter === 'all' ? null : stateFilter, prediction: about ?? null }
  const place = { skip: (page - 1) * PAGE_SIZE, most: PAGE_SIZE }
  const [total, counts, rows] = await Promise.all([
    store.countReports(db, narrowed),
    store.countReportStates(db),
    store.listRows(db, narrowed, stateFilter === 'open' ? 'oldest' : 'newest', place),
  ])
  return {
    ...paged(total, page),
    counts,
    rows: await Promise.all(rows.map((row) => adminReport(kit, row))),
  }
}

async function adminReport(kit: ReportsKit, row: store.StoredReport): Promise<AdminReport> {
  const { number, kind, state, source, explanation, withheld, decidedAt } = row
  const [named, since] = await Promise.all([
    predictionsOf(kit, [row]),
    state === 'open' ? correctedSince(kit, row) : [],
  ])
  const entry = (id: string): Entry => entryOf(id, named.get(id))
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

function entryOf(id: string, found: JudgedPrediction | undefined): Entry {
  return {
    id,
    asset_type: found?.asset ?? 'btc',
    statement: found ? statementText(found) : id,
    name: found?.expert.name ?? '',
    slug: found?.expert.slug ?? '',
    withdrawn: found?.withdrawn != null,
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

export async function decline(kit: ReportsKit, admin: Admin, number: number, decision: Declined) {
  const answer = cleanText(decision.answer)
  if (answer === '') {
    throw invalid({
      answer: 'Please say why in a sentence: it is shown on the page of the report.',
    })
  }
  const { reason, withheld = (await find(kit.db, number)).withheld } = decision
  return change(kit, admin, number, {
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

export function reopen(kit: ReportsKit, admin: Admin, number: number): Promise<AdminReport> {
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
  return change(kit, admin, number, {
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
): Promise<AdminReport> {
  const { db } = kit
  const found = await find(db, number)
  const since = await correctedSince(kit, found)
  const made = since.find((one) => one.number === correction)
  if (!made) {
    throw failure(
      'invalid',
      `Correction ${String(correction)} is not about this prediction, or was made before the report arrived.`,
    )
  }
  await db.transaction(async (tx) => {
    await acquireLock(tx)
    const acceptance = {
      numbers: [number],
      predictionId: made.prediction.id,
      at: isoNow(kit),
      admin,
    }
    await store.acceptBy(tx, acceptance, [correction])
    // The list of corrections shows the report.
    await recordChanged(tx)
  })
  return adminReport(kit, await find(db, number))
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
async function change(
  kit: ReportsKit,
  admin: Admin,
  number: number,
  { was, set, ...entry }: Written,
): Promise<AdminReport> {
  const { db } = kit
  const changed = await db.transaction(async (tx) => {
    if (!(await store.changeReport(tx, number, was, set))) {
      const { state, decidedAt, decidedBy } = await find(tx, number)
      const by = decidedBy ?? 'an administrator'
      const now =
        decidedAt === null ? 'is open' : `was ${state} by ${by} on ${momentText(decidedAt)}`
      throw failure('conflict', `Report ${String(number)} ${now}.`)
    }
    const subject = { kind: 'report', id: number }
    await writeAudit(tx, { at: isoNow(kit), admin, subject, ...entry })
    return find(tx, number)
  })
  return adminReport(kit, changed)
}
