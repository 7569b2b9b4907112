import { sql } from 'drizzle-orm'
import { bigint, boolean, check, index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import {
  REPORT_KINDS,
  REPORT_STATES,
  type DeclineReason,
  type ReportKind,
  type ReportState,
} from '#domain/report.ts'
import { id, moment, oneOf } from '#server/database/columns.ts'
import { predictionEvents, predictions, predictionKey } from './predictions.ts'

/** Error reports. Rows are never removed, so numbers are not reused. */
export const reports = pgTable(
  'reports',
  {
    number: id(),
    predictionId: predictionKey(),
    kind: text().$type<ReportKind>().notNull(),
    explanation: text().notNull(),
    source: text(),
    /** The other prediction, if a duplicate was reported. */
    otherId: text().references(() => predictions.id),
    state: text().$type<ReportState>().notNull().default('open'),
    reportedAt: moment().notNull(),
    /** The newest event when it arrived: later corrections have a higher id. */
    lastEvent: bigint({ mode: 'number' }).notNull(),
    decidedAt: moment(),
    /** Name as in the audit log. */
    decidedBy: text(),
    declineReason: text().$type<DeclineReason>(),
    answer: text(),
    /** Text and source are withheld. */
    withheld: boolean().notNull().default(false),
  },
  (table) => [
    index('reports_of_prediction').on(table.predictionId, table.state),
    index('reports_of_state').on(table.state, table.number),
    index('reports_recent').on(table.reportedAt),
    check('reports_kind', oneOf('kind', REPORT_KINDS)),
    check('reports_state', oneOf('state', REPORT_STATES)),
    check('reports_other', sql`(${table.kind} = 'double') = (${table.otherId} is not null)`),
    check('reports_decided', sql`(${table.state} = 'open') = (${table.decidedAt} is null)`),
    check(
      'reports_declined',
      sql`(${table.state} = 'declined') = (${table.declineReason} is not null)`,
    ),
  ],
)

/** Correction events that a report led to; one may answer several reports. */
export const reportCorrections = pgTable(
  'report_corrections',
  {
    report: bigint({ mode: 'number' })
      .notNull()
      .references(() => reports.number),
    event: bigint({ mode: 'number' })
      .notNull()
      .references(() => predictionEvents.id),
  },
  (table) => [
    primaryKey({ columns: [table.report, table.event] }),
    index('report_corrections_of_event').on(table.event),
  ],
)
