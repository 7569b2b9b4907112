import { ASSETS, type AssetKey } from '#domain/asset.ts'
import { truncate } from '#domain/clean-text.ts'
import { isoDay, partsOf, showDay, type Day, readDayInput } from '#domain/day.ts'
import { type Bar } from './bar.ts'
import { isTradingDay } from './calendar.ts'
import { isJump } from './jump.ts'
import { lastEndedDay } from './series.ts'

/** A skipped row and the reason; `row` counts lines of a CSV file or entries of a JSON file from 1. */
export type BadRow = { readonly row: number; readonly id: string | null; readonly reason: string }

/** The valid and invalid rows of a file; `broken` if the file as a whole is unreadable. */
export type ReadFile<T> =
  | { readonly ok: true; readonly rows: readonly T[]; readonly bad: readonly BadRow[] }
  | { readonly ok: false; readonly broken: string }

type CsvLine = { readonly record: readonly string[]; readonly info: { readonly lines: number } }

/** Options for `csv-parse`, in Node and in browsers. */
export const CSV_OPTIONS = {
  bom: true,
  info: true,
  relax_column_count: true,
  relax_quotes: true,
  skip_empty_lines: true,
  trim: true,
} as const

/** A century of daily prices is about a third of this. */
const MOST_PRICE_BYTES = 8_000_000

/** Why a file is too large for daily prices; null if it is not. */
export function priceSizeFault(bytes: number): string | null {
  if (bytes <= MOST_PRICE_BYTES) return null
  const megabytes = Math.ceil(bytes / 1e6).toLocaleString('en')
  return `the file has ${megabytes} MB, and daily prices of a hundred years have 3; please choose a CSV with one line a day`
}

const PRICES = ['open', 'high', 'low', 'close'] as const
const NAMES = ['date', ...PRICES] as const
type Name = (typeof NAMES)[number]
type Cells = Readonly<Record<Name, string>>

/**
 * Reads daily prices from CSV: columns `date` and `close`, optionally `open`, `high` and `low`, in any order; USD,
 * adjusted for splits. Bars of a day that is not over are rejected: they would decide as if final. So is an
 * unterminated last line whose price is far from the previous one, as it may be truncated.
 *
 * @param given.source recorded with every bar
 * @param given.nowMs milliseconds since 1970
 * @param given.parse throws if the text is not CSV
 */
export function readPriceLines(
  text: string,
  file: {
    readonly asset: AssetKey
    readonly source: string
    readonly nowMs: number
    readonly parse: (text: string) => readonly CsvLine[]
  },
): ReadFile<Bar> {
  const { asset, source, nowMs } = file
  const table = readTable(text, file.parse)
  if (!table.ok) return table
  const lastEnded = lastEndedDay(ASSETS[asset].calendar, nowMs)
  const bars = new Map<Day, Bar>()
  const bad: BadRow[] = [...table.bad]
  for (const { row, cells } of table.rows) {
    const read = readBar(cells, asset, source, lastEnded)
    if (typeof read === 'string') bad.push({ row, id: short(cells.date) || null, reason: read })
    // The last row for a day wins.
    else bars.set(read.day, read)
  }
  const rows = [...bars.values()].toSorted((a, b) => a.day - b.day)
  const cut = /[\r\n]$/.test(text) ? null : cutOffBar(rows, table.rows.at(-1)?.cells.date)
  if (cut) {
    const reason = `the file ends within this line, and ${String(cut.close)} is far from the close before`
    bad.push({ row: table.rows.at(-1)?.row ?? 0, id: isoDay(cut.day), reason })
  }
  return {
    ok: true,
    rows: rows.filter((one) => one !== cut),
    bad: bad.toSorted((a, b) => a.row - b.row),
  }
}

function cutOffBar(rows: readonly Bar[], lastDate: string | undefined): Bar | null {
  const lastDay = dayOfCell(lastDate ?? '')
  const at = rows.findIndex((one) => one.day === lastDay)
  const [before, last] = [rows[at - 1], rows[at]]
  return before && last && isJump(before.close, last.close) ? last : null
}

function readTable(
  text: string,
  parse: (text: string) => readonly CsvLine[],
): ReadFile<{ row: number; cells: Cells }> {
  if (text.trim() === '') return { ok: false, broken: 'the file is empty' }
  if (text.includes('\0')) return { ok: false, broken: 'the file is not text' }
  let lines: readonly CsvLine[]
  try {
    lines = parse(text)
  } catch (error) {
    return {
      ok: false,
      broken: `the file is not valid CSV: ${error instanceof Error ? truncate(error.message, 200) : 'unreadable'}`,
    }
  }
  const head = (lines[0]?.record ?? []).map((name) => name.toLowerCase())
  const wrong = headFault(head)
  if (wrong !== null) return { ok: false, broken: wrong }
  const bad: BadRow[] = []
  const rows: { row: number; cells: Cells }[] = []
  for (const { record, info } of lines.slice(1)) {
    if (record.length === head.length) {
      const cells = NAMES.map((name) => [name, record[head.indexOf(name)] ?? ''])
      rows.push({ row: info.lines, cells: Object.fromEntries(cells) })
    } else {
      const reason = `${String(record.length)} values instead of ${String(head.length)}; the line may be cut off`
      bad.push({ row: info.lines, id: short(record[0] ?? '') || null, reason })
    }
  }
  return { ok: true, rows, bad }
}

function headFault(head: readonly string[]): string | null {
  const twice = NAMES.find((name) => head.indexOf(name) !== head.lastIndexOf(name))
  if (twice !== undefined) return `the first line names the column ${twice} twice`
  if (head.includes('date') && head.includes('close')) return null
  return `the first line must name the columns date and close, with open, high and low where they are known; it is "${head.join().slice(0, 80)}"`
}

function readBar(cells: Cells, asset: AssetKey, source: string, lastEnded: Day): Bar | string {
  const { date } = cells
  const day = dayOfCell(date)
  if (day === null) return `"${short(date)}" is not a date such as 2024-08-08`
  const { calendar, symbol } = ASSETS[asset]
  if (!isTradingDay(calendar, day)) {
    const weekend = { 0: 'Sunday', 6: 'Saturday' }[partsOf(day).weekday]
    return `${symbol} does not trade on ${weekend ?? showDay(day)}`
  }
  if (day > lastEnded) return `${isoDay(day)} is not over yet`
  const read = PRICES.map((name) => readCell(cells[name], name))
  const fault = read.find((one) => typeof one === 'string')
  if (fault !== undefined) return fault
  const [open = null, high = null, low = null, close = null] = read.filter(
    (one) => typeof one !== 'string',
  )
  if (close === null) return 'the close is missing'
  if ((high === null) !== (low === null)) return 'high and low must be given together'
  if (high === null || low === null) return { day, open, high, low, close, source }
  if (low > high) return `the low ${String(low)} is above the high ${String(high)}`
  for (const [name, usd] of [
    ['close', close],
    ['open', open],
  ] as const) {
    if (usd === null) continue
    const isAbove = usd - high > slack(cells[name], cells.high)
    if (isAbove || low - usd > slack(cells[name], cells.low))
      return `the ${name} ${String(usd)} lies outside low and high`
  }
  return {
    day,
    open,
    high: Math.max(high, open ?? high, close),
    low: Math.min(low, open ?? low, close),
    close,
    source,
  }
}

function slack(one: string, other: string): number {
  const usd = Number(one)
  const digits = Math.min(...[one, other].map((text) => text.split('.')[1]?.length ?? 0))
  const unit = Math.min(10 ** -digits, usd / 1_000)
  // Subtracting decimals is inexact, too.
  return Math.max(unit * 1.000_001, usd * 2 ** -23)
}

/** `2024-08-08`, optionally followed by an exchange's midnight. */
function dayOfCell(text: string): Day | null {
  const found = /^(\d{4}-\d\d-\d\d)(?:[T ]00:00(?::00(?:\.0+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/.exec(text)
  return found?.[1] === undefined ? null : readDayInput(found[1])
}

function short(text: string): string {
  return truncate(text, 40)
}

function readCell(text: string, name: string): number | string | null {
  if (text === '') return null
  const usd = Number(text)
  if (!/^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d{1,3})?$/i.test(text) || !Number.isFinite(usd))
    return `the ${name} "${short(text)}" is not a number`
  return usd > 0 ? usd : `the ${name} must be above zero, not ${short(text)}`
}
