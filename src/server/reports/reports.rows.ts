import { and, asc, count, eq, gt, inArray, or, sql, type SQL } from 'drizzle-orm'
import { type ReportState } from '#domain/report.ts'
import { predictionEvents } from '#server/database/schema/predictions.ts'
import { reportCorrections, reports } from '#server/database/schema/reports.ts'
import { writeAudit } from '#server/kit/audit.ts'
import { type Db } from '#server/kit/db.ts'
import { failure } from '#server/kit/failure.ts'
import { type Admin } from '#server/kit/ports.ts'

/** What a correction needs to accept reports. */
export type Accepting = {
  /** The numbers of the reports. */
  readonly numbers: readonly number[]
  readonly predictionId: string
  /** ISO. */
  readonly at: string
  readonly admin: Admin
}

/** The newest event of a prediction; what is added after it in the same turn belongs to the correction. */
export async function lastEventOf(tx: Db, predictionId: string): Promise<number> {
  const rows = await tx
    .select({ id: predictionEvents.id })
    .from(predictionEvents)
    .where(eq(predictionEvents.predictionId, predictionId))
  return rows.reduce((last, { id }) => Math.max(last, id), 0)
}

/**
 * Accepts reports by the correction that the same transaction has just made: its events are those of the prediction after
 * `after`.
 *
 * @throws AppError where one of them is not open, or not about this prediction, or nothing public has changed
 */
export async function acceptByChange(tx: Db, given: Accepting, after: number): Promise<void> {
  if (given.numbers.length === 0) return
  const { id, predictionId } = predictionEvents
  const made = await eventsWhere(tx, and(eq(predictionId, given.predictionId), gt(id, after)))
  if (made.length === 0) {
    throw failure('invalid', 'A report is accepted by a change that is public.')
  }
  await acceptBy(tx, given, made)
}

/** Accepts reports by these events. Call it in the turn of those who write the record. */
export async function acceptBy(
  tx: Db,
  { numbers, predictionId, at, admin }: Accepting,
  events: readonly number[],
): Promise<void> {
  const wanted = [...new Set(numbers)].toSorted((a, b) => a - b)
  const changed = await tx
    .update(reports)
    .set({ state: 'accepted', decidedAt: at, decidedBy: admin.username })
    .where(
      and(
        inArray(reports.number, wanted),
        eq(reports.state, 'open'),
        or(eq(reports.predictionId, predictionId), eq(reports.otherId, predictionId)),
      ),
    )
    .returning({ number: reports.number })
  const missing = wanted.find((number) => !changed.some((one) => one.number === number))
  if (missing !== undefined) {
    throw failure(
      'conflict',
      `Report ${String(missing)} is not open any more, or not about this prediction. Please load the page again.`,
    )
  }
  await tx
    .insert(reportCorrections)
    .values(wanted.flatMap((report) => events.map((event) => ({ report, event }))))
  for (const number of wanted) {
    await writeAudit(tx, {
      at,
      admin,
      action: 'report accepted',
      subject: { kind: 'report', id: number },
      before: { state: 'open' },
      after: { state: 'accepted', corrections: events },
    })
  }
}

/** The reports that led to each event, by their numbers. @param events null for all */
export async function reportsOfEvents(
  db: Db,
  events: readonly number[] | null = null,
): Promise<ReadonlyMap<number, readonly number[]>> {
  const { event, report } = reportCorrections
  const rows = await db
    .select({ event, report })
    .from(reportCorrections)
    .where(events === null ? undefined : inArray(event, [...events]))
    .orderBy(asc(report))
  const byEvent = Map.groupBy(rows, (row) => row.event)
  return new Map([...byEvent].map(([number, of]) => [number, of.map((row) => row.report)]))
}

/** Whether a report still waits for its deposit. Its row decides between two payments of it that arrive at once. */
export async function lockUnpaidReport(tx: Db, number: number): Promise<boolean> {
  const [report] = await tx
    .select({ state: reports.state })
    .from(reports)
    .where(eq(reports.number, number))
    .for('update')
  return report?.state === 'unpaid'
}

/** Opens a report whose deposit has arrived. Call it where `lockUnpaidReport` says that it waits for one. */
export async function openPaidReport(tx: Db, number: number, at: string): Promise<void> {
  await tx.update(reports).set({ state: 'open', reportedAt: at }).where(eq(reports.number, number))
}

/** Removes reports whose deposit was never paid, once their invoices are gone. @param before those from before this moment */
export async function removeUnpaidReports(db: Db, before: string): Promise<void> {
  await db.execute(sql`delete from ${reports} where ${reports.state} = 'unpaid'
    and ${reports.reportedAt} < ${before}::timestamptz
    and not exists (select from payments p where p.report_number = ${reports.number})`)
}

/** How many reports there are of each state. */
export async function countReportStates(db: Db): Promise<Record<ReportState, number>> {
  const rows = await db
    .select({ state: reports.state, count: count() })
    .from(reports)
    .groupBy(reports.state)
  const of = (state: ReportState) => rows.find((row) => row.state === state)?.count ?? 0
  return { open: of('open'), accepted: of('accepted'), declined: of('declined') }
}

async function eventsWhere(db: Db, where: SQL | undefined): Promise<number[]> {
  const rows = await db.select({ id: predictionEvents.id }).from(predictionEvents).where(where)
  return rows.map(({ id }) => id)
}
