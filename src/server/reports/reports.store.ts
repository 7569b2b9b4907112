import { and, asc, count, desc, eq, inArray, ne, or, sql, type SQL } from 'drizzle-orm'
import { type Report, type ReportState } from '#domain/report.ts'
import { predictionEvents } from '#server/database/schema/predictions.ts'
import { reportCorrections, reports } from '#server/database/schema/reports.ts'
import { iso } from '#server/kit/iso.ts'
import { type Db } from '#server/kit/db.ts'

type Row = typeof reports.$inferSelect
type LinkedEvent = { readonly number: number; readonly at: string; readonly text: string }
/** A report with the corrections that it led to, oldest first. */
export type StoredReport = Omit<Row, 'state'> & {
  readonly state: ReportState
  readonly corrections: readonly LinkedEvent[]
}

type Narrowed = { readonly state: ReportState | null; readonly prediction: string | null }

const LAST_EVENT = sql`(select coalesce(max(${predictionEvents.id}), 0) from ${predictionEvents})`

export async function addReport(
  tx: Db,
  { prediction, other, ...rest }: Report,
  from: { readonly at: string; readonly isPaid: boolean },
): Promise<number> {
  const [row] = await tx
    .insert(reports)
    .values({
      ...rest,
      predictionId: prediction,
      otherId: other,
      state: from.isPaid ? 'open' : 'unpaid',
      reportedAt: from.at,
      lastEvent: LAST_EVENT,
    })
    .returning({ number: reports.number })
  if (!row) throw new Error('the report has no number')
  return row.number
}

/** The report of the same words that waits for its deposit, oldest first; null where there is none. */
export async function unpaidLike(
  db: Db,
  { prediction, kind, explanation, source, other }: Report,
): Promise<number | null> {
  const [found] = await db
    .select({ number: reports.number })
    .from(reports)
    .where(
      and(
        eq(reports.predictionId, prediction),
        eq(reports.state, 'unpaid'),
        eq(reports.kind, kind),
        eq(reports.explanation, explanation),
        sql`${reports.source} is not distinct from ${source}::text`,
        sql`${reports.otherId} is not distinct from ${other}::text`,
      ),
    )
    .orderBy(asc(reports.number))
    .limit(1)
  return found?.number ?? null
}

/** Notes that the deposit of one was asked for once more: it waits from now on. @returns false when it waits no longer */
export async function waitAgain(tx: Db, number: number, at: string): Promise<boolean> {
  const rows = await tx
    .update(reports)
    .set({ reportedAt: at, lastEvent: LAST_EVENT })
    .where(and(eq(reports.number, number), eq(reports.state, 'unpaid')))
    .returning({ number: reports.number })
  return rows.length > 0
}

/** Takes back one that still waits for its deposit. */
export async function dropUnpaidReport(tx: Db, number: number): Promise<void> {
  await tx.delete(reports).where(and(eq(reports.number, number), eq(reports.state, 'unpaid')))
}

/** Open reports of a kind about a prediction, or about the other one of a double, oldest first. */
export async function openLike(
  tx: Db,
  { prediction, other, kind }: Pick<Report, 'prediction' | 'other' | 'kind'>,
): Promise<(Pick<Report, 'prediction' | 'kind' | 'source' | 'other'> & { number: number })[]> {
  return tx
    .select({
      number: reports.number,
      prediction: reports.predictionId,
      kind: reports.kind,
      source: reports.source,
      other: reports.otherId,
    })
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

export async function countReports(db: Db, narrowed: Narrowed): Promise<number> {
  const [row] = await db.select({ count: count() }).from(reports).where(whereOf(narrowed))
  return row?.count ?? 0
}

/** @param order by number; `place` is left out for all of them */
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
  const [found] = await withCorrections(db, rows)
  return found ?? null
}

/** Changes a report that is in a state. @returns false when it is in another one */
export async function changeReport(
  tx: Db,
  number: number,
  was: ReportState,
  set: Partial<typeof reports.$inferInsert>,
): Promise<boolean> {
  const rows = await tx
    .update(reports)
    .set(set)
    .where(and(eq(reports.number, number), eq(reports.state, was)))
    .returning({ number: reports.number })
  return rows.length > 0
}

function whereOf({ state, prediction }: Narrowed): SQL | undefined {
  return and(
    state === null ? ne(reports.state, 'unpaid') : eq(reports.state, state),
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
    .select({ report: reportCorrections.report, number: id, at, text })
    .from(reportCorrections)
    .innerJoin(predictionEvents, eq(id, reportCorrections.event))
    .where(inArray(reportCorrections.report, numbers))
    .orderBy(asc(id))
  const byReport = Map.groupBy(found, ({ report }) => report)
  return rows.flatMap(({ state, ...row }) =>
    state === 'unpaid'
      ? []
      : [
          {
            ...row,
            state,
            corrections: (byReport.get(row.number) ?? []).map((one) => ({
              number: one.number,
              at: iso(one.at),
              text: one.text,
            })),
          },
        ],
  )
}
