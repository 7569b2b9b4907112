import { and, asc, count, desc, eq, inArray, max, or, sql, type SQL, gt } from 'drizzle-orm'
import { type Report, type ReportState } from '#domain/report.ts'
import { predictionEvents } from '#server/database/schema/predictions.ts'
import { reportCorrections, reports } from '#server/database/schema/reports.ts'
import { writeAudit, type Admin } from '#server/kit/admin.ts'
import { type Db, firstRow, hasEffect } from '#server/kit/db.ts'
import { failure } from '#server/kit/failure.ts'
import { isoOf } from '#server/kit/time.ts'

type Row = typeof reports.$inferSelect
type LinkedEvent = { readonly number: number; readonly at: string; readonly text: string }
/** A report with the corrections it led to, oldest first. */
export type StoredReport = Row & {
  readonly corrections: readonly LinkedEvent[]
}

type Narrowed = { readonly state: ReportState | null; readonly prediction: string | null }

export async function addReport(tx: Db, { prediction, other, ...rest }: Report, at: string) {
  const lastEvent = sql`(select coalesce(max(${predictionEvents.id}), 0) from ${predictionEvents})`
  const [row] = await tx
    .insert(reports)
    .values({ ...rest, predictionId: prediction, otherId: other, reportedAt: at, lastEvent })
    .returning({ number: reports.number })
  if (!row) throw new Error('inserted report has no number')
  return row.number
}

/** Open reports of a kind about a prediction, or about the other one of a duplicate, oldest first. */
export async function openLike(
  tx: Db,
  { prediction, other, kind }: Pick<Report, 'prediction' | 'other' | 'kind'>,
): Promise<(Pick<Report, 'prediction' | 'kind' | 'source' | 'other'> & { number: number })[]> {
  const { number, predictionId, otherId, source } = reports
  return tx
    .select({ number, prediction: predictionId, kind: reports.kind, source, other: otherId })
    .from(reports)
    .where(
      and(
        inArray(reports.predictionId, other === null ? [prediction] : [prediction, other]),
        eq(reports.kind, kind),
        eq(reports.state, 'open'),
      ),
    )
    .orderBy(asc(reports.number))
}

export function countReports(db: Db, narrowed: Narrowed) {
  return db.$count(reports, whereOf(narrowed))
}

/** @param order by number; without `place`, all rows */
export async function listRows(
  db: Db,
  narrowed: Narrowed,
  order: 'newest' | 'oldest',
  place: { readonly skip: number; readonly most: number } | null,
): Promise<StoredReport[]> {
  const query = db
    .select()
    .from(reports)
    .where(whereOf(narrowed))
    .orderBy((order === 'newest' ? desc : asc)(reports.number))
    .$dynamic()
  return withCorrections(db, await (place ? query.limit(place.most).offset(place.skip) : query))
}

export async function reportByNumber(db: Db, number: number): Promise<StoredReport | null> {
  const rows = await db.select().from(reports).where(eq(reports.number, number))
  return firstRow(withCorrections(db, rows))
}

/** Changes a report if it is in this state. @returns false otherwise */
export function changeReport(
  tx: Db,
  number: number,
  was: ReportState,
  set: Partial<typeof reports.$inferInsert>,
): Promise<boolean> {
  const isIt = and(eq(reports.number, number), eq(reports.state, was))
  return hasEffect(tx.update(reports).set(set).where(isIt))
}

function whereOf({ state, prediction }: Narrowed): SQL | undefined {
  return and(
    state === null ? undefined : eq(reports.state, state),
    prediction === null
      ? undefined
      : or(eq(reports.predictionId, prediction), eq(reports.otherId, prediction)),
  )
}

async function withCorrections(db: Db, rows: readonly Row[]): Promise<StoredReport[]> {
  if (rows.length === 0) return []
  const numbers = rows.map(({ number }) => number)
  const { id, at, text } = predictionEvents
  const found = await db
    .select({ report: reportCorrections.report, event: { number: id, at: isoOf(at), text } })
    .from(reportCorrections)
    .innerJoin(predictionEvents, eq(id, reportCorrections.event))
    .where(inArray(reportCorrections.report, numbers))
    .orderBy(asc(id))
  const byReport = Map.groupBy(found, ({ report }) => report)
  return rows.map((row) => ({
    ...row,
    corrections: (byReport.get(row.number) ?? []).map(({ event }) => event),
  }))
}

type Accepting = {
  readonly numbers: readonly number[]
  readonly predictionId: string
  /** ISO moment. */
  readonly at: string
  readonly admin: Admin
}

/** The newest event of a prediction; events added later in the same transaction belong to the correction. */
export async function lastEventOf(tx: Db, predictionId: string): Promise<number> {
  const last = { id: max(predictionEvents.id) }
  const isOf = eq(predictionEvents.predictionId, predictionId)
  const [newest] = await tx.select(last).from(predictionEvents).where(isOf)
  return newest?.id ?? 0
}

/**
 * Accepts reports by the correction just made in this transaction: the events of the prediction after `after`.
 * @throws AppError if a report is not open or not about this prediction, or nothing public changed
 */
export async function acceptByChange(tx: Db, acceptance: Accepting, after: number): Promise<void> {
  if (acceptance.numbers.length === 0) return
  const { id, predictionId } = predictionEvents
  const isMade = and(eq(predictionId, acceptance.predictionId), gt(id, after))
  const made = await tx.select({ id }).from(predictionEvents).where(isMade)
  if (made.length === 0) {
    throw failure('invalid', 'Only a public change can accept a report.')
  }
  const events = made.map((one) => one.id)
  await acceptBy(tx, acceptance, events)
}

/** Accepts reports by these events. Requires the writers' lock. */
export async function acceptBy(
  tx: Db,
  { numbers, predictionId, at, admin }: Accepting,
  events: readonly number[],
): Promise<void> {
  const sorted = [...new Set(numbers)].toSorted((a, b) => a - b)
  const changed = await tx
    .update(reports)
    .set({ state: 'accepted', decidedAt: at, decidedBy: admin.username })
    .where(
      and(
        inArray(reports.number, sorted),
        eq(reports.state, 'open'),
        or(eq(reports.predictionId, predictionId), eq(reports.otherId, predictionId)),
      ),
    )
    .returning({ number: reports.number })
  const missing = sorted.find((number) => !changed.some((one) => one.number === number))
  if (missing !== undefined) {
    throw failure(
      'conflict',
      `Report ${String(missing)} is not open any more, or not about this prediction. Please load the page again.`,
    )
  }
  await tx
    .insert(reportCorrections)
    .values(sorted.flatMap((report) => events.map((event) => ({ report, event }))))
  for (const number of sorted) {
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

/** Numbers of the reports that led to each event. @param events null for all */
export async function reportsOfEvents(db: Db, events: readonly number[] | null = null) {
  const { event, report } = reportCorrections
  const rows = await db
    .select({ event, report })
    .from(reportCorrections)
    .where(events === null ? undefined : inArray(event, [...events]))
    .orderBy(asc(report))
  const byEvent = Map.groupBy(rows, (row) => row.event)
  return new Map([...byEvent].map(([number, of]) => [number, of.map((row) => row.report)]))
}

export async function countReportStates(db: Db): Promise<Record<ReportState, number>> {
  const rows = await db
    .select({ state: reports.state, count: count() })
    .from(reports)
    .groupBy(reports.state)
  const of = (state: ReportState) => rows.find((row) => row.state === state)?.count ?? 0
  return { open: of('open'), accepted: of('accepted'), declined: of('declined') }
}
