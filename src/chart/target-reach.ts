import { type Day } from '#domain/day.ts'
import { type OpenTarget } from './open-targets.ts'
import { union, type Span } from './scale.ts'
import { extent, type Series } from './series.ts'
import { type ViewState } from './view-state.ts'

/** The view in which the layer was switched on, and the way back to it when it is switched off. */
export type BeforeTargets = {
  /** Null once the layer has been brought into view. */
  view: ViewState | null
  back: (now: ViewState) => ViewState
}

const A_YEAR = 365
/** What is shown when the layer is switched on, and no view ends later than thirty years from now: no more years ahead, and the levels and deadlines of most calls. */
const YEARS_AHEAD = { least: 1, most: 10, all: 29 } as const
const MOST_CALLS = 0.9
/** Of fewer calls all are shown. */
const MANY_CALLS = 20
/** Of the time in view so much is past, which shows how far the price has moved. */
const PAST = 0.3
/** Levels of more than so many times the last price flatten the price on a linear axis. */
const HIGH = 4

/**
 * A view with the open targets in it: most of them, or all. One that rests on whole days and five digits, so that the address
 * says what is seen.
 */
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

/** The view with the place that it had before; unless it has been moved since it showed the targets. */
export function viewBefore(now: ViewState, before: ViewState, shown: ViewState): ViewState {
  const isMoved = now.range !== shown.range || now.prices !== shown.prices
  const { frame, scale, range, prices } = isMoved ? now : before
  return { ...now, frame, scale, range, prices }
}

function sorted(values: readonly number[]): readonly number[] {
  return values.toSorted((a, b) => a - b)
}

/** The value that this part of all is not above. */
function at(values: readonly number[], part: number): number {
  return values[Math.round((values.length - 1) * part)] ?? 0
}
