import {
  REPORT_STATES,
  type DeclineReason,
  type ReportKind,
  type ReportState,
} from '#domain/report.ts'
import { type Correction } from './corrections-log.ts'
import { readPageNumber } from './paths.ts'

export const REPORTS_PATH = '/reports'

/** A reported error, as anyone may see it. */
export type PublicReport = {
  readonly number: number
  /** ISO. */
  readonly at: string
  readonly kind: ReportKind
  readonly state: ReportState
  readonly prediction: Correction['prediction']
  readonly withdrawn: boolean
  /** The other record of a duplicate. */
  readonly other: Correction['prediction'] | null
  /** Where the source is, such as `example.org`; null without one. */
  readonly sourceHost: string | null
  /** The full address and text of the report: null until it is decided, and if they are withheld. */
  readonly source: string | null
  readonly explanation: string | null
  readonly withheld: boolean
  readonly decided: {
    readonly at: string
    readonly reason: DeclineReason | null
    readonly answer: string | null
  } | null
  /** Resulting corrections, oldest first. */
  readonly corrections: readonly {
    readonly number: number
    readonly at: string
    readonly text: string
  }[]
}

export type ReportsView = {
  readonly state: ReportState | null
  readonly prediction: string | null
  readonly page: number
}

export type ReportsPage = {
  readonly view: ReportsView
  readonly page: number
  readonly total: number
  readonly pages: number
  readonly counts: Readonly<Record<ReportState, number>>
  /** Newest first. */
  readonly rows: readonly PublicReport[]
}

export const REPORTS_A_PAGE = 50

export function reportPath(number: number): string {
  return `${REPORTS_PATH}/${String(number)}`
}

/** The number in the last part of an address; null for anything else. */
export function readReportNumber(text: string): number | null {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null
}

export const REPORTS_ADDRESS = {
  read: (param: (name: string) => string | null): ReportsView => ({
    state: REPORT_STATES.find((state) => state === param('state')) ?? null,
    // No id has a control character, and PostgreSQL refuses one of them.
    prediction: /^\P{Cc}{1,200}$/u.exec(param('prediction') ?? '')?.[0] ?? null,
    page: readPageNumber(param('page')),
  }),
  write: ({ state, prediction, page }: ReportsView) => ({
    state: state ?? undefined,
    prediction: prediction ?? undefined,
    page: page === 1 ? undefined : String(page),
  }),
}
