import { clamp, lengthOf, logOf, union, type ScaleKind, type Span } from './scale.ts'
import { MOST_USD } from './view-state.ts'

/**
 * Zoom limits and steps: 1 shows the home span, 0.5 twice as much. The closest view is five days.
 *
 * @see public-site.md §9, "Zoom"; decisions.md §7, "Axes"
 */
const ZOOM = { least: 0.5, closestDays: 5, out: 1.1, in: 0.9 } as const

export type Viewport = {
  readonly days: Span
  /** Prices in view if the visitor moved the price axis, USD; null follows the data. */
  readonly prices: Span | null
  /** The days were chosen by the visitor or widened for a prediction; otherwise they are those of the opening view. */
  readonly chosen: boolean
  /** Ids of predictions that the view was already widened for. */
  readonly fitted: ReadonlySet<string>
}

export type Bounds = {
  readonly home: Span
  /** The view restored by a reset. */
  readonly opening: Span
  /** A time frame is selected, so several new predictions do not change the view. */
  readonly framed: boolean
  readonly scale: ScaleKind
  readonly prices: Span
  /** Lower bound when panning, USD. */
  readonly panFloor: number
}

export type Move =
  /** Multiplies the span by `factor`, keeping the day `at` in place. */
  | { readonly type: 'zoom'; readonly factor: number; readonly at: number }
  | { readonly type: 'pan'; readonly days: number }
  /** Multiplies the span by `factor`, moving the day `at` to `part` (0 to 1) of the plot. */
  | { readonly type: 'pinch'; readonly factor: number; readonly at: number; readonly part: number }
  | { readonly type: 'zoom prices'; readonly factor: number }
  | { readonly type: 'pan prices'; readonly part: number }
  | { readonly type: 'follow prices' }
  | { readonly type: 'show'; readonly days: Span }
  | ({ readonly type: 'fit' } & Fitting)
  | { readonly type: 'reset' }

/** A prediction with the days covered by its marks. */
type Fit = { readonly id: string; readonly days: Span }

type Fitting = {
  readonly active: readonly Fit[]
  readonly stays?: boolean
}

/** A viewport for a range of days, such as from an address; predictions in `fitted` do not move it. */
export function openViewport(
  range: Span | null,
  prices: Span | null,
  { home, opening }: Pick<Bounds, 'home' | 'opening'>,
  fitted: Iterable<string> = [],
): Viewport {
  const days = range ? within(range, home) : opening
  return { days, prices, chosen: range !== null, fitted: new Set(fitted) }
}

/** The viewport after a movement, always within its bounds. */
export function move(now: Viewport, step: Move, bounds: Bounds): Viewport {
  switch (step.type) {
    case 'zoom': {
      const part = (step.at - now.days[0]) / lengthOf(now.days)
      return chosen(now, zoomed(now.days, step.factor, step.at, part, bounds.home))
    }
    case 'pinch':
      return chosen(now, zoomed(now.days, step.factor, step.at, step.part, bounds.home))
    case 'pan':
      return chosen(now, nearHome([now.days[0] + step.days, now.days[1] + step.days], bounds.home))
    case 'zoom prices':
      return { ...now, prices: withinPrices(zoomPrices(bounds, step.factor), bounds) }
    case 'pan prices':
      return { ...now, prices: withinPrices(panPrices(bounds, step.part), bounds) }
    case 'follow prices':
      return { ...now, prices: null }
    case 'show':
      return chosen(now, within(step.days, bounds.home))
    case 'fit':
      return fit(now, step, bounds)
    case 'reset':
      return { ...now, days: bounds.opening, prices: null, chosen: false }
  }
}

function chosen(now: Viewport, days: Span): Viewport {
  return { ...now, days, chosen: true }
}

/** Days from the first to the last of a calendar year. */
const A_YEAR = 364

/** Whether a view is short enough for daily highs and lows. */
export function isBelowYear(days: Span): boolean {
  return lengthOf(days) < A_YEAR
}

/** Below this many days in view, links include fractions of days. */
const FEW_DAYS = 730

/**
 * Rounds the viewport to the precision of its address: whole days, or hundredths of a day in short views, and five
 * digits for prices. The change is less than a pixel, so a link reproduces the view.
 */
export function snapped(now: Viewport): Viewport {
  const part = lengthOf(now.days) < FEW_DAYS ? 100 : 1
  const round = (day: number) => Math.round(day * part) / part
  const digits = (usd: number) => Number(usd.toPrecision(5))
  return {
    ...now,
    days: now.chosen ? [round(now.days[0]), round(now.days[1])] : now.days,
    prices: now.prices && [digits(now.prices[0]), digits(now.prices[1])],
  }
}

export function wheelFactor(deltaY: number): number {
  const notch = Math.min(1, Math.abs(deltaY) / 100)
  return (deltaY > 0 ? ZOOM.out : ZOOM.in) ** notch
}

/** Remaining share of a fling's speed after a millisecond. */
const FRICTION = 0.996
/** Slower movements are not visible, px per ms. */
const REST = 0.02

/**
 * One step of a fling, exact for any frame length.
 *
 * @param velocity px per ms
 * @returns distance in pixels, and the new velocity in px per ms, 0 at rest
 */
export function flingStep(velocity: number, ms: number): { px: number; velocity: number } {
  const left = velocity * FRICTION ** ms
  return {
    px: (left - velocity) / Math.log(FRICTION),
    velocity: Math.abs(left) < REST ? 0 : left,
  }
}

/** Moves the view, without zooming, so that `day` is in its inner part. */
export function reveal(days: Span, day: number): Span {
  const margin = lengthOf(days) * 0.1
  const shift =
    day < days[0] + margin
      ? day - days[0] - margin
      : day > days[1] - margin
        ? day - days[1] + margin
        : 0
  return shift === 0 ? days : [days[0] + shift, days[1] + shift]
}

function zoomed(days: Span, factor: number, at: number, part: number, home: Span): Span {
  const newLength = lengthOf(days) * (factor > 0 && Number.isFinite(factor) ? factor : 1)
  const length = clamp(newLength, ZOOM.closestDays, lengthOf(home) / ZOOM.least)
  // Rounding may exceed a limit slightly; correcting that would move the view again with every link.
  if (factor === 1 && Math.abs(length - newLength) <= ROUNDING) return nearHome(days, home)
  return nearHome([at - part * length, at + (1 - part) * length], home)
}

/** Maximum effect of rounding the ends of a view, days. */
const ROUNDING = 1

/** Older prices lie before home, but nothing lies after it. */
function nearHome(days: Span, home: Span): Span {
  const middle = (days[0] + days[1]) / 2
  const shift = clamp(middle, home[0] - lengthOf(home) / 2, home[1]) - middle
  return Math.abs(shift) <= ROUNDING / 2 ? days : [days[0] + shift, days[1] + shift]
}

/** Clamps the days to the limits of zoom and panning. */
function within(days: Span, home: Span): Span {
  return zoomed(days, 1, (days[0] + days[1]) / 2, 0.5, home)
}

/**
 * Widens the view once for each newly active prediction. A single one is shown fully; several at once leave the opening
 * view and time frames unchanged.
 *
 * @see public-site.md §4, "Chart viewport"; decisions.md §7, "Axes"
 */
function fit(now: Viewport, { active, stays }: Fitting, bounds: Bounds): Viewport {
  const fitted = new Set(active.map(({ id }) => id))
  if (stays) return { ...now, fitted }
  // Without active predictions the view returns home, and fits a prediction again if it returns.
  if (active.length === 0) {
    if (now.fitted.size === 0) return now
    return { days: bounds.opening, prices: null, chosen: false, fitted }
  }
  const fresh = active.filter(({ id }) => !now.fitted.has(id))
  const areMany = fresh.length > 1 && (bounds.framed || !now.chosen)
  if (fresh.length === 0 || areMany) return { ...now, fitted }
  const days = widened(now.days, fresh, bounds)
  return days === now.days ? { ...now, fitted } : { days, prices: null, chosen: true, fitted }
}

/**
 * The days widened for predictions: one is shown fully; for several, the future gets at most its share of the opening
 * view, since one far deadline would squeeze ten years of prices. Returns the same object if all is in view.
 */
export function widened(
  now: Span,
  fresh: readonly Fit[],
  { home, opening }: Pick<Bounds, 'home' | 'opening'>,
): Span {
  if (fresh.length === 0) return now
  const merged = fresh.map(({ days }) => days).reduce(union)
  const end = fresh.length === 1 ? merged[1] : Math.min(merged[1], Math.max(now[1], opening[1]))
  if (merged[0] >= now[0] && end <= now[1]) return now
  const padding = Math.min(lengthOf(union(now, merged)), lengthOf(home)) * 0.03
  const start = merged[0] < now[0] ? merged[0] - padding : now[0]
  // Deadlines beyond home stay outside, to leave room for the others.
  const last = Math.max(home[1], now[1])
  const until = Math.min(end > now[1] ? end + padding : now[1], last)
  const next = within([start, until], home)
  // Limits may move the view, but not before the start it was widened for, nor away from its end, where today is.
  const late = Math.max(0, start - next[0], until - next[1])
  return late === 0 ? next : [next[0] + late, next[1] + late]
}

/** Keeps the axis if it would exceed the range of addresses. */
function withinPrices(requested: Span, { prices }: Bounds): Span {
  return requested.every((usd) => Math.abs(usd) < MOST_USD) ? requested : prices
}

function zoomPrices({ prices, scale, panFloor }: Bounds, factor: number): Span {
  if (scale === 'log') {
    const [low, high] = [logOf(prices[0]), logOf(prices[1])]
    const half = clamp(((high - low) / 2) * factor, 0.01, 20)
    const middle = (low + high) / 2
    return [Math.exp(middle - half), Math.exp(middle + half)]
  }
  const middle = (prices[0] + prices[1]) / 2
  const least = Math.max(Math.abs(middle) * 1e-4, 1e-9)
  const half = clamp((lengthOf(prices) / 2) * factor, least, MOST_USD)
  return lifted([middle - half, middle + half], panFloor)
}

function panPrices({ prices, scale, panFloor }: Bounds, part: number): Span {
  if (scale === 'log') {
    const shift = (logOf(prices[1]) - logOf(prices[0])) * part
    return [Math.exp(logOf(prices[0]) + shift), Math.exp(logOf(prices[1]) + shift)]
  }
  const shift = Math.max(lengthOf(prices) * part, Math.min(0, panFloor - prices[0]))
  return lifted([prices[0] + shift, prices[1] + shift], panFloor)
}

function lifted(prices: Span, floor: number): Span {
  return prices[0] >= floor ? prices : [Math.min(floor, prices[1] - 1e-9), prices[1]]
}
