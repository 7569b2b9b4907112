import { type AxisRules, type Asset } from '#domain/asset.ts'
import { addYears, dayOf, partsOf, type Day } from '#domain/day.ts'
import { type Mark, isClaim, spansOf } from './marks.ts'
import { type RangeLayer } from './ranges.ts'
import { clamp, lengthOf, logOf, overlaps, union, type ScaleKind, type Span } from './scale.ts'
import { extent, type Series } from './series.ts'
import { FRAME_YEARS, type TimeFrame } from './view-state.ts'
import { widened, type Bounds, type Viewport } from './viewport.ts'

/** Days that the home window extends past the last prediction, or past the data if none is drawn. */
const REACH: Readonly<Record<AxisRules['home'], { afterMarks: number; afterData: number }>> = {
  history: { afterMarks: 12 * 30, afterData: 18 * 30 },
  year: { afterMarks: 90, afterData: 180 },
}
/** Home ends at most this many years from today, however late a deadline is. */
const MOST_YEARS_AHEAD = 30
/** Share of the past in the opening view. The rest is two years, so that lines of tops and bottoms end in view. */
const PAST = 0.7
const OPENING_DAYS = 730 / (1 - PAST)

export type HomeQuestion = {
  readonly axis: AxisRules
  readonly frame: TimeFrame | null
  readonly series: Series
  readonly spans: readonly Span[]
  readonly today: Day
}

/**
 * The time span at zoom 1, to which zoom and pan limits refer. A time frame changes only its start and keeps the data,
 * so the price is still there when panning left.
 *
 * @see public-site.md §9, "BTC axes", "MSTR axes", "Time frames"
 */
export function homeSpan({ axis, frame, series, spans, today }: HomeQuestion): Span {
  const first = series.days[0] ?? null
  const last = series.days.at(-1) ?? today
  const start = homeStart(axis, frame, first, today)
  // A single year would limit the choice too much, and few views are longer than home.
  const made = spans.reduce((least, [day]) => Math.min(least, day), Infinity)
  const from =
    axis.home === 'year' && frame === null
      ? Math.min(start, Math.max(made - 30, first ?? 0))
      : start
  const { afterMarks, afterData } = REACH[axis.home]
  const lastEnd = spans.reduce((most, [, due]) => Math.max(most, due), -Infinity)
  const { year } = partsOf(today)
  const data = axis.home === 'year' ? dayOf(year, 12, 31) : last + afterData
  const marks = spans.length > 0 ? lastEnd + afterMarks : last + afterData
  // Zoom limits are shares of home: a deadline in the year 9999 would prevent zooming in to a year.
  const to = Math.max(data, Math.min(marks, addYears(today, MOST_YEARS_AHEAD)))
  return [Math.min(from, to - 30), to]
}

function homeStart(axis: AxisRules, frame: TimeFrame | null, first: number | null, today: Day) {
  const years = frame && FRAME_YEARS[frame]
  if (years !== null) return Math.max(addYears(today, -years), Math.min(first ?? 0, today - 30))
  if (frame === null && axis.home === 'year') return dayOf(partsOf(today).year, 1, 1)
  return Math.max(dayOf(axis.homeFromYear, 1, 1), first ?? 0)
}

/**
 * Days from which the initial predictions are chosen. Few calls are made and due within one calendar year, so for
 * one-year homes the previous year is included; the view is then widened for the chosen predictions.
 */
export function openingDays(axis: AxisRules, today: Day): Span {
  const { year } = partsOf(today)
  if (axis.home === 'year') return [dayOf(year - 1, 1, 1), dayOf(year, 12, 31)]
  return [today - OPENING_DAYS * PAST, today + OPENING_DAYS * (1 - PAST)]
}

/** The initial view of a time frame, with at most 30% future. */
export function frameView(question: HomeQuestion, home: Span): Span {
  const { axis, frame, today } = question
  if (frame === null && axis.home === 'year') return home
  const from = frame === null ? Math.max(home[0], today - OPENING_DAYS * PAST) : home[0]
  const past = Math.max(30, today - from)
  return [from, clamp(from + past / PAST, from + 30, Math.max(home[1], from + 30))]
}

type DomainQuestion = {
  readonly axis: AxisRules
  readonly kind: ScaleKind
  readonly series: Series
  readonly ranges?: RangeLayer | null
  readonly marks: readonly Mark[]
  readonly days: Span
  /** Current price, USD, and its day. */
  readonly live: LivePoint | null
}

export type LivePoint = { readonly day: number; readonly usd: number }

/**
 * Prices covered by the axis of the home view: those of its days and the levels of overlapping marks. Marks outside are
 * ignored, as one deadline in 2045 would flatten the history.
 *
 * @see public-site.md §9, "BTC axes", "MSTR axes"; decisions.md §3 for the log axis
 */
export function homeDomain({ axis, kind, series, marks, days, live }: DomainQuestion): Span {
  const inView = marks.filter((mark) => overlaps(mark.days, days))
  const most = kind === 'log' ? Infinity : outlierAbove(inView, live?.usd ?? series.closes.at(-1))
  const lows = inView.map((mark) => mark.prices[0]).filter((usd) => usd <= most)
  // The lower end of a range whose upper end is too high stays.
  const ends = inView.flatMap((mark) => mark.prices.filter((usd) => usd <= most))
  const levels: Span | null = lows.length > 0 ? [Math.min(...ends), Math.max(...ends)] : null
  const prices = withLive(extent(series, Math.floor(days[0]), Math.ceil(days[1])), live)
  const highestLevel = levels?.[1] ?? -Infinity
  const top = axis.tops.findLast(({ from }) => highestLevel >= from)?.top ?? axis.tops[0]?.top ?? 0
  if (!prices && !levels) return emptyDomain(axis, kind, top)
  const all = prices && levels ? union(prices, levels) : (prices ?? levels ?? [0, 1])
  if (kind === 'log') {
    const least = Math.min(prices?.[0] ?? Infinity, ...lows.filter((usd) => usd > 0))
    const low = (Number.isFinite(least) ? least : 1) / 1.5
    return [low, Math.max(all[1] * 1.5, top, low * 3)]
  }
  const padding = Math.max(axis.leastPadding, lengthOf(all) * 0.15)
  const lowestLevel = levels?.[0] ?? Infinity
  const floor = axis.belowZero && lowestLevel <= 0 ? -Infinity : axis.floor
  const low = Math.max(floor, all[0] - padding)
  return [low, Math.max(all[1] + padding, top, low + padding)]
}

function withLive(prices: Span | null, live: LivePoint | null): Span | null {
  if (live === null || !(live.usd > 0)) return prices
  return prices ? union(prices, [live.usd, live.usd]) : [live.usd, live.usd]
}

/**
 * Levels farther from the price line than these multiples of its height are pinned to the edge: the line keeps a fifth
 * of the height, and four tenths in a view of weeks.
 */
const REACH_OF_LINE = { above: 3, below: 1 } as const
const REACH_IN_WEEKS = { above: 1, below: 0.5 } as const
const WEEKS_DAYS = 60
/** Minimum axis range as a share of the price, or noise would fill the height. */
const LEAST_MOVE = 0.02
const FITTED_PADDING = 0.08

/**
 * Price axis of any other view: the price line with highs and lows, and levels near enough. It depends only on what the
 * view shows, so that links reproduce it.
 *
 * @see decisions.md §7, "Axes"
 */
export function fittedDomain(question: DomainQuestion): Span {
  const { axis, kind, series, ranges, marks, days, live } = question
  const seen = live && live.day >= days[0] && live.day <= days[1] ? live : null
  const ranged = ranges?.extent(days)
  const closes = withLive(extent(series, Math.floor(days[0]), Math.ceil(days[1])), seen)
  const line = ranged && closes ? union(ranged, closes) : closes
  const log = kind === 'log'
  const levels = marks
    .filter((mark) => overlaps(mark.days, days) && (!log || mark.prices[0] > 0))
    .map((mark) => mark.prices)
  if (!line) {
    if (levels.length === 0) return emptyDomain(axis, kind, 0)
    return padded(levels.reduce(union), log, axis)
  }
  const [low, high] = log ? [logOf(line[0]), logOf(line[1])] : line
  const least = log ? LEAST_MOVE : line[1] * LEAST_MOVE
  const spare = Math.max(0, least - (high - low)) / 2
  const move = Math.max(high - low, least)
  const reach = lengthOf(days) < WEEKS_DAYS ? REACH_IN_WEEKS : REACH_OF_LINE
  const [bottom, top] = [low - move * reach.below, high + move * reach.above]
  const near = levels
    .flatMap((level) => (log ? level.map(logOf) : level))
    .filter((at) => at >= bottom && at <= top)
  const all: Span = [Math.min(low - spare, ...near), Math.max(high + spare, ...near)]
  return padded(log ? [Math.exp(all[0]), Math.exp(all[1])] : all, log, axis)
}

function padded([low, high]: Span, log: boolean, axis: AxisRules): Span {
  if (log) {
    const ratio = Math.max(high / low, 1 + LEAST_MOVE) ** FITTED_PADDING
    return [low / ratio, high * ratio]
  }
  const padding = (high - low || Math.abs(high) * LEAST_MOVE || axis.leastPadding) * FITTED_PADDING
  const floor = low > 0 ? 0 : -Infinity
  return [Math.max(floor, low - padding), high + padding]
}

/** On a linear axis, a price line with a smaller share of the height is unreadable. */
const LEAST_SHARE = 0.15

/**
 * The default axis: log if the line would fill less than 15% of a linear axis with all drawn levels. `days` are those
 * of the opening view, so zooming does not change the axis.
 *
 * @see decisions.md §7, "Axes"
 */
export function chosenScale(question: Omit<DomainQuestion, 'kind'>): ScaleKind {
  const { series, days } = question
  const line = extent(series, Math.floor(days[0]), Math.ceil(days[1]))
  if (!line || !(line[1] > line[0])) return 'linear'
  const domain = homeDomain({ ...question, kind: 'linear' })
  return lengthOf(line) < lengthOf(domain) * LEAST_SHARE ? 'log' : 'linear'
}

/** Below this number of levels, none is an outlier. */
const MANY_LEVELS = 8
/** Levels above this multiple of the price may be pinned to the edge. */
const FAR_TIMES = 20

/**
 * The level above which marks are pinned to the upper edge instead of stretching a linear axis: twenty times the last
 * price, unless a quarter of all marks are higher. A single $49M among twenty would flatten everything else.
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

export type LimitsQuestion = {
  readonly asset: Pick<Asset, 'axis'>
  readonly series: Series
  readonly marks: readonly Mark[]
  readonly live: { readonly usd: number } | null
  readonly today: Day
  /** Drawn as of a past day: during playback the axis keeps its kind and follows the data. */
  readonly isPast: boolean
  /** Makes deadlines of calls that are not drawn reachable. */
  readonly withTargets: boolean
  readonly scale: ScaleKind | null
}

export function limitsOf(
  question: LimitsQuestion,
  frame: TimeFrame | null,
): Omit<Bounds, 'prices'> {
  const { asset, series, marks, today } = question
  const { axis } = asset
  const home = { axis, frame, series, spans: spansOf(marks).map(({ days }) => days), today }
  const near = homeSpan(home)
  const plain = frameView(home, near)
  const opening = frame === null ? openingView(plain, near, marks, today) : plain
  const farthest = addYears(today, MOST_YEARS_AHEAD)
  const widest: Span = question.withTargets ? [near[0], Math.max(near[1], farthest)] : near
  const live = livePoint(question)
  const own = question.isPast ? 'log' : chosenScale({ axis, series, marks, days: opening, live })
  const scale = question.scale ?? own
  return { home: widest, opening, framed: frame !== null, scale, panFloor: axis.panFloor }
}

/** Opening views of several calls end by this year, however late the deadlines are. */
const OPENS_TO_YEAR = 2035
/** Minimum future in an opening view, days. */
const LEAST_AHEAD = 91

/**
 * A view that contains everything drawn. If all calls are open, or a single person has open calls, it ends after the
 * last deadline and is at least half future; otherwise at most half.
 */
function openingView(plain: Span, home: Span, marks: readonly Mark[], today: Day): Span {
  const claims = marks.filter(isClaim)
  const spans = spansOf(marks)
  const [first] = claims
  const isOne = claims.every(
    ({ prediction: { expert } }) => expert.slug === first?.prediction.expert.slug,
  )
  const isOpen = claims.every(({ outcome }) => outcome === 'pending')
  const isAhead = claims.some(({ outcome, days }) => outcome === 'pending' && days[1] > today)
  if (!first || !isAhead || !(isOne || isOpen)) {
    const days = widened(plain, spans, { home, opening: plain })
    const most = Math.max(2 * today - days[0], today + LEAST_AHEAD)
    return [days[0], clamp(days[1], today + LEAST_AHEAD, most)]
  }
  const [made, due] = spans.map(({ days }) => days).reduce(union)
  const cap =
    spans.length === 1 ? Infinity : Math.max(dayOf(OPENS_TO_YEAR, 12, 31), addYears(today, 5))
  const last = Math.max(Math.min(due, cap, home[1]), today + LEAST_AHEAD)
  // For many people the view starts no earlier than it looks ahead; for one person everything is shown.
  const from = isOne ? made : Math.max(made, 2 * today - last)
  const until = Math.max(last, Math.min(2 * today - from, cap))
  const margin = (until - from) * MARGIN
  return [from - margin, until + margin]
}

/** Margin for signs at both ends, as a share of the view. */
const MARGIN = 0.03

export function pricesInView(
  question: Omit<LimitsQuestion, 'withTargets' | 'scale'> & { readonly ranges: RangeLayer | null },
  { days, chosen, prices }: Pick<Viewport, 'days' | 'chosen' | 'prices'>,
  frame: TimeFrame | null,
  kind: ScaleKind,
): Span {
  if (prices && (kind === 'linear' || prices[0] > 0)) return prices
  const { asset, series, ranges, marks, isPast } = question
  const live = livePoint(question)
  const domain = { axis: asset.axis, kind, series, ranges, marks, days, live }
  return chosen || frame !== null || isPast ? fittedDomain(domain) : homeDomain(domain)
}

function livePoint({ live, today }: Pick<LimitsQuestion, 'live' | 'today'>): LivePoint | null {
  return live && { day: today, usd: live.usd }
}
