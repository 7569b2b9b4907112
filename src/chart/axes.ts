import { type AxisRules } from '#domain/asset.ts'
import { addYears, dayOf, partsOf, type Day } from '#domain/day.ts'
import { type Mark } from './marks.ts'
import { clamp, lengthOf, overlaps, union, type ScaleKind, type Span } from './scale.ts'
import { extent, type Series } from './series.ts'
import { type TimeFrame } from './view-state.ts'

/** How many days the home window extends past the last prediction, or past the data when none is drawn. */
const REACH: Readonly<Record<AxisRules['home'], { afterMarks: number; afterData: number }>> = {
  history: { afterMarks: 12 * 30, afterData: 18 * 30 },
  year: { afterMarks: 90, afterData: 180 },
}
/** However late a deadline is, home ends at most this many years from today. */
const MOST_YEARS_AHEAD = 30
/** 70 % of the opening view is past; the other 30 % are two years, so that lines of tops and bottoms end in view. */
const PAST = 0.7
const OPENING_DAYS = 730 / (1 - PAST)

const YEARS_BACK: Readonly<Record<Exclude<TimeFrame, 'ALL'>, number>> = {
  '1Y': 1,
  '2Y': 2,
  '3Y': 3,
  '5Y': 5,
}

export type HomeQuestion = {
  readonly axis: AxisRules
  readonly frame: TimeFrame | null
  readonly series: Series
  /** Last days of the active predictions. */
  readonly ends: readonly number[]
  readonly today: Day
}

/**
 * The span of time that the limits of zooming and panning refer to: zoom 1 shows all of it.
 *
 * A time frame only moves its start and keeps the data, so the price is still there when a visitor pans left.
 *
 * @see public-site.md §9, "BTC axes", "MSTR axes", "Time frames"
 */
export function homeSpan({ axis, frame, series, ends, today }: HomeQuestion): Span {
  const first = series.days[0] ?? null
  const last = series.days.at(-1) ?? today
  const from = homeStart(axis, frame, first, today)
  const { afterMarks, afterData } = REACH[axis.home]
  const lastEnd = ends.reduce((a, b) => Math.max(a, b), -Infinity)
  const { year } = partsOf(today)
  const data = axis.home === 'year' ? dayOf(year, 12, 31) : last + afterData
  const marks = ends.length > 0 ? lastEnd + afterMarks : last + afterData
  // Zoom limits are shares of home: with a deadline in the year 9999 no one could zoom in to a single year.
  const to = Math.max(data, Math.min(marks, addYears(today, MOST_YEARS_AHEAD)))
  return [Math.min(from, to - 30), to]
}

function homeStart(
  axis: AxisRules,
  frame: TimeFrame | null,
  first: number | null,
  today: Day,
): number {
  const { year } = partsOf(today)
  switch (frame) {
    case null:
      if (axis.home === 'year') return dayOf(year, 1, 1)
      return Math.max(dayOf(axis.homeFromYear, 1, 1), first ?? 0)
    case 'ALL':
      return Math.max(dayOf(axis.homeFromYear, 1, 1), first ?? 0)
    case '1Y':
    case '2Y':
    case '3Y':
    case '5Y':
      return Math.max(addYears(today, -YEARS_BACK[frame]), Math.min(first ?? 0, today - 30))
  }
}

/** What a frame shows before the chart is moved: at most 30 % of it is ahead of today. */
export function frameView(question: HomeQuestion, home: Span): Span {
  const { axis, frame, today } = question
  if (frame === null && axis.home === 'year') return home
  const from = frame === null ? Math.max(home[0], today - OPENING_DAYS * PAST) : home[0]
  const past = Math.max(30, today - from)
  return [from, clamp(from + past / PAST, from + 30, Math.max(home[1], from + 30))]
}

/**
 * The prices that the axis covers until it is moved: those of the days in `days` and the levels of the marks that
 * overlap `reach`. Marks beyond `reach` do not count, or one deadline in 2045 would flatten the history.
 *
 * @see public-site.md §9, "BTC axes", "MSTR axes"; decisions.md §3 for the log axis
 */
export function priceDomain(question: {
  readonly axis: AxisRules
  readonly kind: ScaleKind
  readonly series: Series
  readonly marks: readonly Mark[]
  readonly days: Span
  readonly reach: Span
  readonly live: number | null
}): Span {
  const { axis, kind, series, marks, days, reach, live } = question
  const shown = union(days, reach)
  const inReach = marks.filter((mark) => overlaps(mark.days, reach))
  const most = kind === 'log' ? Infinity : outlierAbove(inReach, live ?? series.closes.at(-1))
  let levels: Span | null = null
  let leastPositive = Infinity
  for (const { prices: level } of inReach) {
    // Of a range that goes too high the lower end still counts.
    if (level[0] > most) continue
    const shownLevel: Span = level[1] > most ? [level[0], level[0]] : level
    levels = levels ? union(levels, shownLevel) : shownLevel
    if (level[0] > 0 && level[0] < leastPositive) leastPositive = level[0]
  }
  let prices = extent(series, Math.floor(shown[0]), Math.ceil(shown[1]))
  if (live !== null && live > 0) prices = prices ? union(prices, [live, live]) : [live, live]
  const highestLevel = levels?.[1] ?? -Infinity
  const top = axis.tops.findLast(({ from }) => highestLevel >= from)?.top ?? axis.tops[0]?.top ?? 0
  if (!prices && !levels) return emptyDomain(axis, kind, top)
  const all = prices && levels ? union(prices, levels) : (prices ?? levels ?? [0, 1])
  if (kind === 'log') {
    const least = Math.min(prices?.[0] ?? Infinity, leastPositive)
    const low = (Number.isFinite(least) ? least : 1) / 1.5
    return [low, Math.max(all[1] * 1.5, top, low * 3)]
  }
  const padding = Math.max(axis.leastPadding, lengthOf(all) * 0.15)
  const lowestLevel = levels?.[0] ?? Infinity
  const floor = axis.belowZero && lowestLevel <= 0 ? -Infinity : axis.floor
  const low = Math.max(floor, all[0] - padding)
  return [low, Math.max(all[1] + padding, top, low + padding)]
}

/** With fewer levels than this every one counts, however high. */
const MANY_LEVELS = 8
/** A level of more than this many times the price may be pinned to the edge. */
const FAR_TIMES = 20

/**
 * The level above which a mark is pinned to the upper edge instead of stretching a linear axis: twenty times the last
 * price, unless a quarter of all marks are above that. One $49M among twenty would press the rest, and the price, flat
 * on the bottom.
 *
 * @param last today's price, USD
 */
function outlierAbove(marks: readonly Mark[], last: number | undefined): number {
  const highs = marks.filter(({ sign }) => sign).map(({ prices }) => prices[1])
  if (highs.length < MANY_LEVELS || last === undefined) return Infinity
  const sorted = Float64Array.from(highs).sort()
  return Math.max(FAR_TIMES * last, sorted[Math.floor(sorted.length * 0.75)] ?? Infinity)
}

function emptyDomain(axis: AxisRules, kind: ScaleKind, top: number): Span {
  const high = top > 0 ? top : axis.leastPadding * 100
  return [kind === 'log' ? high / 1_000 : Math.max(0, axis.floor), high]
}
