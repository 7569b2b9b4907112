import { type BoardRow } from '#contracts/board.ts'
import * as columns from '#contracts/data-columns.ts'
import { type Correction, reportPath, type PublicReport } from '#contracts/public-logs.ts'
import { type TodayItem } from '#contracts/today.ts'
import { type YearsReply } from '#contracts/year.ts'
import { levelsOf, timingOf } from '#domain/claim/claim.ts'
import { expertName, statementText } from '#domain/claim/prediction.ts'
import { dayFromNumber, isoDay, type Day } from '#domain/day.ts'
import { highOf, lowOf } from '#domain/judging/bar.ts'
import { type JudgeMode } from '#domain/judging/verdict.ts'
import { historyYears, type FullRow } from '#domain/listing/history-view.ts'
import { type StatedCall } from '#domain/scoring/stated-calls.ts'
import { expertPath, predictionPath } from '#domain/site.ts'

export type CallOf = {
  readonly row: FullRow
  readonly mode: JudgeMode
  readonly isDrawn: boolean
  /** As of a past day: omits later additions to the record. */
  readonly isPast: boolean
}

export const callTable = tableOf<columns.CallColumn, CallOf>(columns.CALL_COLUMNS, {
  id: ({ row }) => row.prediction.id,
  url: ({ row }, origin) => origin + predictionPath(row.prediction.id),
  asset: ({ row }) => row.prediction.asset,
  person: ({ row }) => expertName(row.prediction),
  person_id: ({ row }) => row.prediction.expert.slug,
  statement: ({ row }) => statementText(row.prediction),
  kind: ({ row }) => row.prediction.statedClaim.type,
  timing: ({ row }) => timingOf(row.prediction.statedClaim),
  direction: ({ row }) => row.prediction.statedClaim.direction ?? null,
  level_low: ({ row }) => levelsOf(row.prediction.statedClaim).min,
  level_high: ({ row }) => levelsOf(row.prediction.statedClaim).max,
  split_factor: ({ row }) => row.prediction.splitFactor,
  made: ({ row }) => isoDay(row.prediction.made),
  made_known_to: ({ row }) => row.prediction.madePrecision,
  price_when_made: ({ row }) => row.priceThen,
  counts_from: (of) => isoDay(verdictOf(of).window.from),
  deadline: ({ row }) => isoDay(row.prediction.by),
  deadline_known_to: ({ row }) => row.prediction.byPrecision,
  deadline_assumed: ({ row }) => row.prediction.deadlineAssumed,
  judged_by: ({ mode }) => mode,
  outcome: ({ row }) => row.outcome,
  reason: (of) => verdictOf(of).reason,
  decided: (of) => dayCell(verdictOf(of).day),
  deciding_low: (of) => barCell(of, lowOf),
  deciding_high: (of) => barCell(of, highOf),
  deciding_close: (of) => barCell(of, ({ close }) => close),
  nearest_price: (of) => verdictOf(of).nearest?.usd ?? null,
  nearest_on: (of) => dayCell(verdictOf(of).nearest?.day ?? null),
  error: ({ row }) => row.error,
  error_so_far: ({ row }) => (row.error === null ? null : row.isSoFar),
  luck: ({ row }) => row.luck,
  repeats: ({ row, isPast }) => (isPast ? null : (row.prediction.repeats ?? null)),
  public_text: ({ row, isPast }) => (isPast ? null : row.prediction.summary),
  source: ({ row, isPast }) => (isPast ? null : (row.prediction.sources[0]?.url ?? null)),
  recorded: ({ row, isPast }) => (isPast ? null : row.prediction.createdAt),
  on_chart: ({ isDrawn }) => isDrawn,
})

function verdictOf({ row, mode }: CallOf) {
  return row.prediction.verdicts[mode]
}

function barCell(
  of: CallOf,
  price: (bar: NonNullable<ReturnType<typeof verdictOf>['bar']>) => number,
): columns.DataCell {
  const { bar, day } = verdictOf(of)
  return bar && day !== null ? price(bar) : null
}

export const personTable = tableOf<columns.PersonColumn, BoardRow>(columns.PERSON_COLUMNS, {
  person: (row) => row.name,
  person_id: (row) => row.slug,
  url: (row, origin) => origin + expertPath(row.slug),
  decided_calls: (row) => row.time_is_up.n,
  hits: (row) => row.time_is_up.hits,
  hit_rate_low: (row) => row.time_is_up.low,
  hit_rate_high: (row) => row.time_is_up.high,
  compared_calls: (row) => row.decided.calls,
  compared_hits: (row) => row.decided.hits,
  luck_expects: (row) => row.decided.expected,
  replayed: (row) => row.replayed,
  band: (row) => row.band,
  skill: (row) => row.skill?.odds ?? null,
  boldness: (row) => row.boldness,
  open_calls: (row) => row.open.calls,
  last_call: (row) => row.last_call,
})

export type StatedCallRow = { readonly call: StatedCall; readonly standsOut: boolean }

export const statedCallsTable = tableOf<columns.StatementColumn, StatedCallRow>(
  columns.SAID_COLUMNS,
  {
    id: ({ call }) => call.id,
    url: ({ call }, origin) => origin + predictionPath(call.id),
    person: ({ call }) => call.name,
    person_id: ({ call }) => call.slug,
    made: ({ call }) => isoDay(call.made),
    price_when_made: ({ call }) => call.from,
    deadline: ({ call }) => isoDay(call.due),
    level: ({ call }) => call.level,
    outcome: ({ call }) => call.outcome,
    error: ({ call }) => call.error,
    stands_out: ({ standsOut }) => standsOut,
  },
)

export const todayTable = tableOf<columns.TodayColumn, TodayItem>(columns.TODAY_COLUMNS, {
  section: ({ kind }) => kind,
  at: ({ at }) => at,
  id: ({ id }) => id,
  url: ({ id }, origin) => origin + predictionPath(id),
  asset: ({ asset }) => asset,
  person: ({ name }) => name,
  person_id: ({ slug }) => slug,
  statement: ({ text }) => text,
  outcome: ({ outcome }) => outcome,
  note: ({ note }) => note,
  detail: ({ detail }) => detail,
  daily_moves: ({ moves }) => moves,
})

export const correctionTable = tableOf<columns.CorrectionColumn, Correction>(
  columns.CORRECTION_COLUMNS,
  {
    number: ({ number }) => number,
    at: ({ at }) => at,
    kind: ({ kind }) => kind,
    id: ({ prediction }) => prediction.id,
    url: ({ prediction }, origin) => origin + predictionPath(prediction.id),
    asset: ({ prediction }) => prediction.asset,
    person: ({ prediction }) => prediction.person.name,
    person_id: ({ prediction }) => prediction.person.slug,
    statement: ({ prediction }) => prediction.statement,
    what: ({ what }) => what,
    why: ({ why }) => why,
    judged_by: ({ verdict }) => verdict && verdict.mode,
    outcome_before: ({ verdict }) => verdict && verdict.before,
    outcome_after: ({ verdict }) => verdict && verdict.after,
    report: ({ reports: [first] }) => first ?? null,
  },
)

export const reportTable = tableOf<columns.ReportColumn, PublicReport>(columns.REPORT_COLUMNS, {
  number: ({ number }) => number,
  url: ({ number }, origin) => origin + reportPath(number),
  at: ({ at }) => at,
  kind: ({ kind }) => kind,
  state: ({ state }) => state,
  id: ({ prediction }) => prediction.id,
  prediction_url: ({ prediction }, origin) => origin + predictionPath(prediction.id),
  asset: ({ prediction }) => prediction.asset,
  person: ({ prediction }) => prediction.person.name,
  person_id: ({ prediction }) => prediction.person.slug,
  statement: ({ prediction }) => prediction.statement,
  other: ({ other }) => other && other.id,
  source: ({ source, sourceHost }) => source ?? sourceHost,
  explanation: ({ explanation }) => explanation,
  decided_at: ({ decided }) => decided && decided.at,
  reason: ({ decided }) => decided && decided.reason,
  answer: ({ decided }) => decided && decided.answer,
  corrections: ({ corrections }) => corrections.map(({ number }) => number).join(' '),
})

export function yearTable(calls: readonly CallOf[]): DataTable {
  const rows = historyYears(calls.map(({ row }) => row)).map(
    ({ year, calls: all, decided, hits, error }) => [year, all, decided, hits, error],
  )
  return { columns: columns.YEAR_COLUMNS, rows }
}

export function dueTable({ assets }: YearsReply): DataTable {
  const rows = assets.flatMap(({ asset, years }) =>
    years.map(({ year, due, n, hits, expected, replayed, open }) => [
      asset,
      year,
      due,
      n,
      hits,
      expected,
      replayed,
      open,
    ]),
  )
  return { columns: columns.DUE_COLUMNS, rows }
}

function tableOf<Name extends string, Of>(
  columns: readonly (columns.DataColumn & { readonly name: Name })[],
  cells: Readonly<Record<Name, (of: Of, origin: string) => columns.DataCell>>,
) {
  return (all: readonly Of[], origin: string): DataTable => ({
    columns,
    rows: all.map((of) => columns.map(({ name }) => cells[name](of, origin))),
  })
}

function dayCell(day: Day | number | null): columns.DataCell {
  return day === null ? null : isoDay(dayFromNumber(day))
}

export type DataTable = {
  readonly columns: readonly columns.DataColumn[]
  readonly rows: readonly (readonly columns.DataCell[])[]
}

export const FORMULA_NOTE =
  'In CSV, texts that a spreadsheet would run as a formula start with an apostrophe.'

/** Prefixes of spreadsheet formulas. */
const FORMULA = /^[=+\-@＝＋－＠\t\r]/

/** Marks UTF-8 for spreadsheets. */
export const BYTE_ORDER_MARK = '\uFEFF'

/** CSV (RFC 4180): comma, CRLF, quotes where needed, UTF-8 with a byte order mark; an apostrophe disarms formulas. */
export function csvOf({ columns, rows }: DataTable): string {
  return BYTE_ORDER_MARK + [columns.map(({ name }) => name), ...rows].map(csvLine).join('')
}

/** A line of a CSV file, including its line break. */
export function csvLine(cells: readonly columns.DataCell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(cell: columns.DataCell): string {
  if (cell === null) return ''
  if (typeof cell !== 'string') return String(cell)
  const safe = FORMULA.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export function objectsOf({ columns, rows }: DataTable) {
  return rows.map((cells) =>
    Object.fromEntries(columns.map(({ name }, i) => [name, cells[i] ?? null])),
  )
}

export function pretty(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
