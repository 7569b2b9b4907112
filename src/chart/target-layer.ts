import { type Asset } from '#domain/asset.ts'
import { dayFromNumber, type Day } from '#domain/day.ts'
import { fanFrom, type FanDay, type FanStart, LONGEST_DAYS } from '#domain/scoring/call-odds.ts'
import { motionAt, priceHistory } from '#domain/scoring/price-history.ts'
import { type OpenTarget } from './open-targets.ts'
import { type Span, union } from './scale.ts'
import { type Scene } from './scene.ts'
import { extent, tenths, type Series } from './series.ts'
import { countTargets, targetGrid, type TargetCell } from './target-grid.ts'
import { type Theme } from './theme.ts'
import { type TargetWeight, type ViewState } from './view-state.ts'

export type LayerPath = {
  /** SVG path data, CSS pixels. */
  readonly d: string
  readonly kind: 'fill' | 'stroke'
  readonly colour: string
  readonly opacity: number
  readonly dash: readonly number[]
}

/** The colour scale: weakest and strongest cell in view; null without cells. */
export type TargetShades = { readonly least: number; readonly most: number } | null

/** Number of colour strengths. */
const SHADES = 6
/** Up to this number of calls the strongest colour is not used, so that a single call does not get it. */
const FEW_CALLS = 4
/** Gap between cells and corner radius, CSS pixels. */
const CELL = { gap: 1, corner: 2.5 } as const
/** Points per line of the fan. */
const FAN_STEPS = 64
const LONG_DAYS = 180

/** The last close and the motion of luck from there; null with too little history. */
export function fanAhead(asset: Asset, series: Series): FanStart | null {
  const day = series.days.at(-1) as Day | undefined
  const usd = series.closes.at(-1)
  if (day === undefined || usd === undefined) return null
  const bars = Array.from(series.days, (one, i) => ({
    day: one as Day,
    close: series.closes[i] ?? NaN,
    ...CLOSE_ONLY,
  }))
  const history = priceHistory(asset.key, bars, day)
  const motion = motionAt({ [asset.key]: history }, history, history.series.bars.length - 1)
  return motion && { day, usd, motion }
}

const CLOSE_ONLY = { open: null, high: null, low: null, source: '', loneHigh: null, loneLow: null }

function weightOf({ calls, votes }: TargetCell, by: TargetWeight): number {
  return by === 'count' ? calls : votes
}

export function targetShades(cells: readonly TargetCell[], by: TargetWeight): TargetShades {
  const weights = cells.map((cell) => weightOf(cell, by)).filter((weight) => weight > 0)
  if (weights.length === 0) return null
  return { least: Math.min(...weights), most: Math.max(...weights) }
}

/** Colour strength of a weight, 0 to 1. */
export function strengthOf(weight: number, most: number, by: TargetWeight): number {
  const full = by === 'count' ? Math.max(most, FEW_CALLS) : most
  return Math.ceil(SHADES * (weight / full) ** 0.75 - 1e-9) / SHADES
}

export function opacityOf(strength: number): number {
  return 0.07 + 0.5 * strength
}

export function targetPaths(
  scene: Scene,
  targets: readonly OpenTarget[],
  by: TargetWeight,
  fan: FanStart | null,
  { calendar }: Asset,
  theme: Theme,
): LayerPath[] {
  const cells = countTargets(targets, targetGrid(scene))
  const most = targetShades(cells, by)?.most ?? 0
  const byStrength = new Map<number, string>()
  for (const cell of cells) {
    const weight = weightOf(cell, by)
    if (weight === 0) continue
    const strength = strengthOf(weight, most, by)
    byStrength.set(
      strength,
      (byStrength.get(strength) ?? '') + cellPath(cell, scene, fan?.day ?? -Infinity),
    )
  }
  const shades = [...byStrength].map(([strength, d]): LayerPath => ({
    d,
    kind: 'fill',
    colour: theme.pending,
    opacity: opacityOf(strength),
    dash: [],
  }))
  if (!fan || fan.day >= scene.days[1]) return shades
  const ahead = fanFrom(
    calendar,
    fan,
    fanDays(fan.day, Math.min(scene.days[1], fan.day + LONGEST_DAYS)),
  )
  const line = (band: 'half' | 'most', dash: readonly number[]): LayerPath => ({
    d: [0, 1].map((edge) => fanPath(ahead, band, edge, scene)).join(''),
    kind: 'stroke',
    colour: theme.ink2,
    opacity: 0.9,
    dash,
  })
  return [...shades, line('half', []), line('most', [5, 4])]
}

/** @param from earlier times are not painted, as no open call is due there */
function cellPath({ days, prices }: TargetCell, { time, price, plot }: Scene, from: number) {
  const x = time.toPx(Math.max(days[0], Math.min(from, days[1]))) + CELL.gap / 2
  const width = Math.max(1, time.toPx(days[1]) - x - CELL.gap / 2)
  // The lowest row of a linear axis may start at zero, which is far below the plot on a log axis.
  const top = Math.max(price.toPx(prices[1]), plot.y - plot.height) + CELL.gap / 2
  const bottom = Math.min(price.toPx(prices[0]), plot.y + 2 * plot.height) - CELL.gap / 2
  const height = Math.max(1, bottom - top)
  const r = Math.min(CELL.corner, width / 2, height / 2)
  const [w, h, round] = [tenths(width - 2 * r), tenths(height - 2 * r), tenths(r)]
  const corner = (dx: string, dy: string) => `a${round},${round} 0 0 1 ${dx},${dy}`
  const back = `-${round}`
  return `M${tenths(x + r)},${tenths(top)}h${w}${corner(round, round)}v${h}${corner(back, round)}h-${w}${corner(back, back)}v-${h}${corner(round, back)}z`
}

/**
 * Days from one to another, denser at the beginning, where the fan opens fastest. Long views use whole weeks, which
 * have equal numbers of sessions; with days the lines would have steps.
 */
function fanDays(from: Day, to: number): Day[] {
  const step = to - from > LONG_DAYS ? 7 : 1
  const count = Math.ceil((to - from) / step)
  const days = Array.from({ length: FAN_STEPS + 1 }, (_, i) =>
    dayFromNumber(from + step * Math.round(count * (i / FAN_STEPS) ** 2)),
  )
  return [...new Set(days)]
}

function fanPath(
  ahead: readonly FanDay[],
  band: 'half' | 'most',
  edge: number,
  { time, price, plot }: Scene,
): string {
  const points = ahead.map((one) => {
    const y = price.toPx(one[band][edge] ?? 0)
    // Avoids exponents in SVG paths.
    return `${tenths(time.toPx(one.day))},${tenths(Math.max(-plot.height, Math.min(y, 3 * plot.height)))}`
  })
  return `M${points.join('L')}`
}

export function layerMarkup(paths: readonly LayerPath[]): string {
  return paths
    .map(({ d, kind, colour, opacity, dash }) => {
      const dashes = dash.length === 0 ? '' : ` stroke-dasharray="${dash.join(' ')}"`
      const strength = String(Math.round(opacity * 100) / 100)
      return kind === 'fill'
        ? `<path d="${d}" fill="${colour}" fill-opacity="${strength}"/>`
        : `<path d="${d}" fill="none" stroke="${colour}" stroke-opacity="${strength}"${dashes}/>`
    })
    .join('')
}

const A_YEAR = 365
/** Years ahead shown by the layer: minimum, default maximum, and maximum for all, which ends within thirty years. */
const YEARS_AHEAD = { least: 1, most: 10, all: 29 } as const
const MOST_CALLS = 0.9
/** With fewer calls, all are shown. */
const MANY_CALLS = 20
/** Fraction of the view in the past, which shows how far the price has moved. */
const PAST = 0.3
/** Multiples of the last price above which levels flatten the price on a linear axis. */
const HIGH = 4

/** A view of most open targets, or all, rounded to whole days and five digits like its address. */
export function viewOfTargets(
  view: ViewState,
  targets: readonly OpenTarget[],
  series: Series,
  today: Day,
  isAll: boolean,
): ViewState {
  if (targets.length === 0) return view
  const part = isAll || targets.length < MANY_CALLS ? 1 : MOST_CALLS
  const dues = sorted(targets.map(({ days }) => days[1]))
  const years = isAll ? YEARS_AHEAD.all : YEARS_AHEAD.most
  const ahead = Math.min(
    Math.max(YEARS_AHEAD.least * A_YEAR, at(dues, part) - today),
    years * A_YEAR,
  )
  const past = Math.round((ahead * PAST) / (1 - PAST))
  const oldest = part === 1 ? Math.min(...targets.map(({ days }) => days[0])) : today
  const days: Span = [Math.min(today - past, oldest - 7), today + Math.ceil(ahead * 1.04)]
  const lows = sorted(targets.map(({ prices }) => prices[0]))
  const highs = sorted(targets.map(({ prices }) => prices[1]))
  const levels: Span = [at(lows, 1 - part), at(highs, part)]
  const line = extent(series, days[0], days[1])
  const [low, high] = line ? union(levels, line) : levels
  const scale = high > HIGH * (series.closes.at(-1) ?? high) ? 'log' : view.scale
  const room = scale === 'log' ? [low / 1.2, high * 1.2] : [low * 0.9, high + (high - low) * 0.08]
  const [bottom = low, top = high] = room.map((usd) => Number(usd.toPrecision(5)))
  return { ...view, frame: null, scale, range: days, prices: [bottom, top] }
}

/** Restores the view from before the targets were shown, unless it was moved since. */
export function viewBefore(now: ViewState, before: ViewState, displayed: ViewState): ViewState {
  const isMoved = now.range !== displayed.range || now.prices !== displayed.prices
  const { frame, scale, range, prices } = isMoved ? now : before
  return { ...now, frame, scale, range, prices }
}

function sorted(values: readonly number[]): readonly number[] {
  return values.toSorted((a, b) => a - b)
}

/** Quantile of the values. */
function at(values: readonly number[], part: number): number {
  return values[Math.round((values.length - 1) * part)] ?? 0
}
