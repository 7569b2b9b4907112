import { findAsset, type AssetKey } from '#domain/asset.ts'
import { type JudgeMode, type Outcome } from '#domain/judging/verdict.ts'
import {
  REPORT_STATES,
  type DeclineReason,
  type ReportKind,
  type ReportState,
} from '#domain/report.ts'
import { readPageNumber } from './paths.ts'

export const CORRECTIONS_PATH = '/corrections'

/** Kinds of changes to a published prediction, as in its history. */
export const CORRECTION_KINDS = [
  'edited',
  'changed',
  'overridden',
  'withdrawn',
  'restored',
  'frozen',
  'thawed',
] as const
export type CorrectionKind = (typeof CORRECTION_KINDS)[number]

export const CORRECTION_NAMES: Readonly<Record<CorrectionKind, string>> = {
  edited: 'Entry corrected',
  changed: 'Verdict changed',
  overridden: 'Verdict set by hand',
  withdrawn: 'Withdrawn',
  restored: 'Restored',
  frozen: 'Frozen',
  thawed: 'Unfrozen',
}

export type Correction = {
  readonly number: number
  /** ISO. */
  readonly at: string
  readonly kind: CorrectionKind
  readonly prediction: {
    readonly id: string
    readonly asset: AssetKey
    readonly statement: string
    readonly person: { readonly name: string; readonly slug: string }
  }
  readonly what: string
  readonly why: string | null
  readonly verdict: {
    readonly mode: JudgeMode
    readonly before: Outcome | null
    readonly after: Outcome
  } | null
  /** The numbers of the public reports that led to it, lowest first; none for errors we found ourselves. */
  readonly reports: readonly number[]
}

export type CorrectionsView = {
  readonly asset: AssetKey | null
  readonly kind: CorrectionKind | null
  readonly person: string | null
  readonly page: number
}

type LogPage<View, Row> = {
  readonly view: View
  readonly page: number
  readonly total: number
  readonly pages: number
  /** Newest first. */
  readonly rows: readonly Row[]
}

export type CorrectionsPage = LogPage<CorrectionsView, Correction> & {
  /** The name of the person whose view it is; null without one, or if not on record. */
  readonly name: string | null
}

export const CORRECTIONS_A_PAGE = 50

export const CORRECTIONS_ADDRESS = {
  read: (param: (name: string) => string | null): CorrectionsView => ({
    asset: findAsset(param('asset') ?? '')?.key ?? null,
    kind: CORRECTION_KINDS.find((kind) => kind === param('kind')) ?? null,
    person: param('person')?.slice(0, 100) || null,
    page: readPageNumber(param('page')),
  }),
  write: ({ asset, kind, person, page }: CorrectionsView) => ({
    asset: asset ?? undefined,
    kind: kind ?? undefined,
    person: person ?? undefined,
    page: page === 1 ? undefined : String(page),
  }),
}

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

export type ReportsPage = LogPage<ReportsView, PublicReport> & {
  readonly counts: Readonly<Record<ReportState, number>>
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
    // Ids contain no control characters, of which PostgreSQL rejects NUL.
    prediction: /^\P{Cc}{1,200}$/u.exec(param('prediction') ?? '')?.[0] ?? null,
    page: readPageNumber(param('page')),
  }),
  write: ({ state, prediction, page }: ReportsView) => ({
    state: state ?? undefined,
    prediction: prediction ?? undefined,
    page: page === 1 ? undefined : String(page),
  }),
}
