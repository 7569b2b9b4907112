import { type DataCell, type DataColumn } from '#contracts/data-columns.ts'

/** Rows under described columns; each row has a cell for each column, in their order. */
export type DataTable = {
  readonly columns: readonly DataColumn[]
  readonly rows: readonly (readonly DataCell[])[]
}

export const FORMULA_NOTE =
  'In CSV, an apostrophe stands before a text that a spreadsheet would take for a formula.'

/** What begins so is a formula to a spreadsheet. */
const FORMULA = /^[=+\-@＝＋－＠\t\r]/

/** What spreadsheets know UTF-8 by. */
export const BYTE_ORDER_MARK = '\uFEFF'

/**
 * A table as CSV (RFC 4180) for people: comma, CRLF, quotes where they are needed, UTF-8 with a byte order mark, a line of
 * names first. A text that a spreadsheet would take for a formula has an apostrophe before it.
 */
export function csvOf({ columns, rows }: DataTable): string {
  return BYTE_ORDER_MARK + [columns.map(({ name }) => name), ...rows].map(csvLine).join('')
}

/** One line of a CSV file, with its end. */
export function csvLine(cells: readonly DataCell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(cell: DataCell): string {
  if (cell === null) return ''
  if (typeof cell !== 'string') return String(cell)
  const safe = FORMULA.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** The rows as objects, by the names of the columns. */
export function objectsOf({ columns, rows }: DataTable): Readonly<Record<string, DataCell>>[] {
  return rows.map((cells) =>
    Object.fromEntries(columns.map(({ name }, i) => [name, cells[i] ?? null])),
  )
}

/** A JSON file that people read, too. */
export function pretty(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
