import * as contract from '#contracts/public-logs.ts'
import { partsOfAddress } from '#domain/claim/source-input.ts'
import { entryOf } from '#server/corrections/corrections-log.service.ts'
import { type JudgedPrediction } from '#server/judging/judging.service.ts'
import { placeIn } from '#server/kit/db.ts'
import { type SiteKit } from '#server/kit/kit.ts'
import { iso } from '#server/kit/time.ts'
import { type PublicRecord } from '#server/record/record.service.ts'
import {
  countReportStates,
  countReports,
  listRows,
  reportByNumber,
  type StoredReport,
} from './reports.rows.ts'

export type ReportsKit = SiteKit & { readonly record: PublicRecord }

type Reading = Pick<ReportsKit, 'db'> & { readonly record: Pick<PublicRecord, 'byIds'> }

async function publicReports(record: Reading['record'], rows: readonly StoredReport[]) {
  const predictions = await predictionsOf({ record }, rows)
  return rows.flatMap((row) => publicOf(predictions, row) ?? [])
}

export async function reportsPage({ db, record }: Reading, view: contract.ReportsView) {
  const [total, counts] = await Promise.all([countReports(db, view), countReportStates(db)])
  const { place, ...at } = placeIn(total, view.page, contract.REPORTS_A_PAGE)
  const rows = await publicReports(record, await listRows(db, view, 'newest', place))
  return { view, ...at, counts, rows }
}

/** A filtered list, newest first, optionally limited. */
export async function listReports(
  { db, record }: Reading,
  view: Omit<contract.ReportsView, 'page'>,
  most: number | null = null,
): Promise<contract.PublicReport[]> {
  const place = most === null ? null : { skip: 0, most }
  return publicReports(record, await listRows(db, view, 'newest', place))
}

export async function publicReport({ db, record }: Reading, number: number) {
  const row = await reportByNumber(db, number)
  return row && ((await publicReports(record, [row]))[0] ?? null)
}

/** Null for a moment, until a replica has a new prediction. */
function publicOf(predictions: Named, row: StoredReport): contract.PublicReport | null {
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

export async function predictionsOf(
  { record }: Pick<Reading, 'record'>,
  rows: readonly Pick<StoredReport, 'predictionId' | 'otherId'>[],
): Promise<Named> {
  const ids = rows.flatMap(({ predictionId, otherId }) => [predictionId, otherId ?? []].flat())
  const found = await record.byIds([...new Set(ids)])
  return new Map(found.map((one) => [one.id, one]))
}
