import { dayFromNumber, dayOf, partsOf, showDay } from '#domain/day.ts'
import { type OpenTarget } from './open-targets.ts'
import { lengthOf, monthStarts, overlaps, roundStep, type Span, shortUsd } from './scale.ts'
import { type Scene } from './scene.ts'

/** Round periods and prices. Cells include their first day and lowest price, but not the upper ends. */
export type TargetGrid = {
  readonly columns: readonly number[]
  readonly rows: readonly number[]
}

export type TargetCell = {
  readonly days: Span
  readonly prices: Span
  readonly calls: number
  readonly votes: number
}

/** Minimum cell size, CSS pixels. */
const LEAST = { width: 15, height: 15 } as const
const DAYS = [1, 7]
const MONTHS = [1, 3, 12, 60, 120]
/** Steps within each power of ten, finest first, with the shortest step as a share of a decade. */
const LADDERS = [
  { least: 0.045, steps: [1, 1.25, 1.5, 1.75, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9] },
  { least: 0.124, steps: [1, 1.5, 2, 3, 5, 7] },
  { least: 0.3, steps: [1, 2, 5] },
  { least: 1, steps: [1] },
] as const
const TABLE_STEPS = LADDERS[1].steps
/** A log axis spanning less than this ratio has even steps. */
const FEW_TIMES = 4

export function targetGrid({
  time,
  price,
  days,
  prices,
  plot,
}: Pick<Scene, 'time' | 'price' | 'days' | 'prices' | 'plot'>): TargetGrid {
  if (plot.width <= 0 || plot.height <= 0) return { columns: [], rows: [] }
  return { columns: columnsOf(days, time.factor), rows: rowsOf(prices, price.kind, plot.height) }
}

/** A grid of years and prices covering these targets, for a table. */
export function wholeGrid(targets: readonly OpenTarget[]): TargetGrid {
  const last = Math.max(...targets.map(({ days }) => days[1]))
  const first = Math.min(...targets.map(({ days }) => days[0]))
  const low = Math.min(...targets.map(({ prices }) => prices[0]))
  const high = Math.max(...targets.map(({ prices }) => prices[1]))
  return targets.length === 0
    ? { columns: [], rows: [] }
    : { columns: monthStarts([first, last], 12), rows: ladderEdges([low, high], TABLE_STEPS) }
}

/** @param pxADay CSS pixels per day */
function columnsOf(days: Span, pxADay: number): number[] {
  const step = DAYS.find((one) => one * pxADay >= LEAST.width)
  if (step !== undefined) {
    const { year, month } = partsOf(dayFromNumber(days[0]))
    return step === 1
      ? upTo(days[1], Math.floor(days[0]), (at) => at + 1)
      : upTo(days[1], dayOf(year, month, 1), weekAfter)
  }
  return monthStarts(days, MONTHS.find((one) => one * 30 * pxADay >= LEAST.width) ?? 120)
}

/** A month is split into four weeks, the last one longer, because calls are made for months. */
function weekAfter(at: number): number {
  const { year, month, date } = partsOf(dayFromNumber(at))
  return date === 22 ? dayOf(year, month + 1, 1) : at + 7
}

function rowsOf(prices: Span, kind: Scene['price']['kind'], height: number): number[] {
  const [low, high] = prices
  if (kind === 'linear' || !(low > 0) || high / low < FEW_TIMES) {
    // On a log axis, rows get smaller upwards.
    const rough =
      kind === 'linear'
        ? (lengthOf(prices) / height) * LEAST.height
        : high * ((high / low) ** (LEAST.height / height) - 1)
    const step = roundStep(rough)
    return upTo(high, Math.floor(low / step), (k) => k + 1, step)
  }
  const decade = height / Math.log10(high / low)
  const { steps } = LADDERS.find(({ least }) => least * decade >= LEAST.height) ?? LADDERS[3]
  return ladderEdges(prices, steps)
}

function ladderEdges([low, high]: Span, steps: readonly number[]): number[] {
  const out: number[] = []
  for (let power = Math.floor(Math.log10(low)); ; power++) {
    for (const step of steps) {
      const edge = Number((step * 10 ** power).toPrecision(12))
      if (edge <= low) out.length = 0
      out.push(edge)
      if (edge > high) return out
    }
  }
}

/** More edges than fit on any screen. */
const MOST_EDGES = 1_000

/** Edges from the first up to the first beyond `end`, multiplied by `unit`. */
function upTo(end: number, first: number, next: (at: number) => number, unit = 1): number[] {
  const out: number[] = []
  for (let at = first; out.length < MOST_EDGES; at = next(at)) {
    const edge = unit === 1 ? at : Number((at * unit).toPrecision(12))
    out.push(edge)
    if (edge > end) break
  }
  return out
}

/**
 * Non-empty cells with the number of calls. Adjacent periods with the same calls are merged: a call for 2028 is one
 * cell instead of four quarters.
 */
export function countTargets(targets: readonly OpenTarget[], { columns, rows }: TargetGrid) {
  const wide = columns.length - 1
  const high = rows.length - 1
  if (wide <= 0 || high <= 0) return []
  const calls = new Float64Array(wide * high)
  const votes = new Float64Array(wide * high)
  /** Marks cells where a call begins or has just ended. */
  const changes = new Uint8Array(wide * high + 1)
  for (const target of targets) {
    const [left, right] = slotsOf(columns, wholeDays(target))
    const [low, top] = slotsOf(rows, target.prices)
    if (left > right) continue
    for (let row = low; row <= top; row++) {
      const first = row * wide
      changes[first + left] = 1
      changes[first + right + 1] = 1
      for (let i = first + left; i <= first + right; i++) {
        calls[i] = (calls[i] ?? 0) + 1
        votes[i] = (votes[i] ?? 0) + target.votes
      }
    }
  }
  const out: TargetCell[] = []
  for (let i = 0, next = 0; i < calls.length; i = next) {
    const column = i % wide
    for (next = i + 1; next % wide !== 0 && changes[next] === 0;) next++
    const count = calls[i] ?? 0
    if (count === 0) continue
    const row = Math.floor(i / wide)
    out.push({
      days: [columns[column] ?? 0, columns[column + next - i] ?? 0],
      prices: [rows[row] ?? 0, rows[row + 1] ?? 0],
      calls: count,
      votes: votes[i] ?? 0,
    })
  }
  return out
}

function slotsOf(edges: readonly number[], [from, to]: Span): readonly [number, number] {
  const first = edges.findLastIndex((edge) => edge <= from)
  const last = edges.findLastIndex((edge) => (from === to ? edge <= to : edge < to))
  return [Math.max(0, first), Math.min(last, edges.length - 2)]
}

function wholeDays({ days }: OpenTarget): Span {
  return [days[0], days[1] + 1]
}

export function targetsIn(
  targets: readonly OpenTarget[],
  { days, prices }: Pick<TargetCell, 'days' | 'prices'>,
): readonly OpenTarget[] {
  return targets.filter((one) => reaches(wholeDays(one), days) && reaches(one.prices, prices))
}

/** Whether a span or level overlaps a half-open one. */
function reaches([from, to]: Span, [low, high]: Span): boolean {
  return from < high && (from === to ? to >= low : to > low)
}

/** The cell at a day and price; null if it has no calls. */
export function cellAt(cells: readonly TargetCell[], day: number, usd: number): TargetCell | null {
  return cells.find(({ days, prices }) => isWithin(day, days) && isWithin(usd, prices)) ?? null
}

function isWithin(value: number, [from, to]: Span): boolean {
  return value >= from && value < to
}

export function targetsInView(
  targets: readonly OpenTarget[],
  { days, prices }: Pick<Scene, 'days' | 'prices'>,
): readonly OpenTarget[] {
  return targets.filter((one) => overlaps(one.days, days) && overlaps(one.prices, prices))
}

/** `$150k to $200k` */
export function bandText([low, high]: Span): string {
  return `${shortUsd(low)} to ${shortUsd(high)}`
}

/** A round period: `24/11/2026`, `Dec 2026`, `Oct 2026 to Dec 2026`, `2027`, `2025 to 2029`. */
export function periodText([from, to]: Span): string {
  const [first, last] = [dayFromNumber(from), dayFromNumber(to - 1)]
  const precision = precisionOf(from, to)
  const [start, end] = [showDay(first, precision), showDay(last, precision)]
  return start === end ? start : `${start} to ${end}`
}

function precisionOf(from: number, to: number): 'day' | 'month' | 'year' {
  const [first, next] = [partsOf(dayFromNumber(from)), partsOf(dayFromNumber(to))]
  if (first.date !== 1 || next.date !== 1) return 'day'
  return first.month === 1 && next.month === 1 ? 'year' : 'month'
}
