import { sql } from 'drizzle-orm'
import { bigint, boolean, check, index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { id, moment, oneOf } from '#server/database/columns.ts'
import {
  REPORT_KINDS,
  REPORT_STATES,
  type DeclineReason,
  type ReportKind,
  type ReportState,
} from '#domain/report.ts'
import { predictionEvents, predictions } from './predictions.ts'

/** Errors of the record that visitors reported. A row is never removed: its number stays used. */
export const reports = pgTable(
  'reports',
  {
    number: id(),
    predictionId: text()
      .notNull()
      .references(() => predictions.id),
    kind: text().$type<ReportKind>().notNull(),
    explanation: text().notNull(),
    source: text(),
    /** The same prediction once more, of a double. */
    otherId: text().references(() => predictions.id),
    /** `unpaid` ones wait for their deposit and are shown to nobody. */
    state: text().$type<ReportState | 'unpaid'>().notNull().default('open'),
    reportedAt: moment().notNull(),
    /** The newest event of the record when it came: a correction since then has a higher number. */
    lastEvent: bigint({ mode: 'number' }).notNull(),
    decidedAt: moment(),
    /** As in the audit log. */
    decidedBy: text(),
    declineReason: text().$type<DeclineReason>(),
    /** Public: what an administrator answered. */
    answer: text(),
    /** The words of the report are not shown, nor is its source. */
    withheld: boolean().notNull().default(false),
  },
  (table) => [
    index('reports_of_prediction').on(table.predictionId, table.state),
    index('reports_of_state').on(table.state, table.number),
    index('reports_recent').on(table.reportedAt),
    check('reports_kind', oneOf('kind', REPORT_KINDS)),
    check('reports_state', oneOf('state', ['unpaid', ...REPORT_STATES])),
    check('reports_other', sql`(${table.kind} = 'double') = (${table.otherId} is not null)`),
    check(
      'reports_decided',
      sql`(${table.state} in ('unpaid', 'open')) = (${table.decidedAt} is null)`,
    ),
    check(
      'reports_declined',
      sql`(${table.state} = 'declined') = (${table.declineReason} is not null)`,
    ),
  ],
)

/** The corrections that a report led to, as events of the histories; one correction may answer several reports. */
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
