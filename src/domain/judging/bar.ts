import { type Day, day } from '#domain/day.ts'
import { type AssetKey } from '#domain/asset.ts'

/**
 * One day of trading in USD, adjusted for splits. Open, high and low are null when a source gives closes only; the close
 * of such a bar counts as its high and low, and evidence based on it says so.
 */
export type Bar = {
  readonly day: Day
  readonly open: number | null
  readonly high: number | null
  readonly low: number | null
  readonly close: number
  /** The source, such as `bitstamp`, or several names joined by ` + `. */
  readonly source: string
}

export type AgreedBar = Bar & {
  /** The highest price above `high` that a single venue reported and no second one confirms; null when there is none. */
  readonly loneHigh: number | null
  /** The lowest price below `low` that a single venue reported and no second one confirms; null when there is none. */
  readonly loneLow: number | null
  /** The day is not over, or still waits for its second source: the bar can prove a touch, but never a miss or a close. */
  readonly moving?: true
  readonly unconfirmed?: true
}

/** A bar as evidence; while its day is not over, `close` is the last price seen. */
export type SeenBar = Bar & { readonly moving?: true }

export function highOf(bar: Bar): number {
  return bar.high ?? bar.close
}

export function lowOf(bar: Bar): number {
  return bar.low ?? bar.close
}

export function isCloseOnly(bar: Bar): boolean {
  return bar.high === null || bar.low === null
}

/**
 * The bar on which a day's sources agree: a price counts if two of them saw it (second highest high, second lowest
 * low). A single source is believed. Closes alone neither confirm nor refute an intraday price, so they are ignored
 * if any source has highs and lows. With three or more, open and close are medians.
 *
 * @param bars the bars of one day, at least one; of two full ones the first gives open and close, if the other agrees
 * @see decisions.md §2, "Wicks"
 */
export function agree(bars: readonly [Bar, ...Bar[]]): AgreedBar {
  const full = bars.filter((bar) => !isCloseOnly(bar))
  const first = full[0]
  if (!first) return { ...bars[0], loneHigh: null, loneLow: null }
  if (full.length === 1) return { ...first, loneHigh: null, loneLow: null }
  const highs = full.map(highOf).toSorted((a, b) => b - a)
  const lows = full.map(lowOf).toSorted((a, b) => a - b)
  const [highest, high] = [highs[0] ?? 0, highs[1] ?? 0]
  const [lowest, low] = [lows[0] ?? 0, lows[1] ?? 0]
  // Sources whose ranges do not overlap confirm nothing: `low` is then above `high`, and stays so.
  const open = middle(full.flatMap((bar) => bar.open ?? [])) ?? first.open
  const settled = (usd: number): number => (low > high ? usd : Math.min(Math.max(usd, low), high))
  return {
    day: first.day,
    open: open === null ? null : settled(open),
    high,
    low,
    close: settled(middle(full.map((bar) => bar.close)) ?? first.close),
    source: full.map((bar) => bar.source).join(' + '),
    loneHigh: highest > high ? highest : null,
    loneLow: lowest < low ? lowest : null,
  }
}

function middle(values: readonly number[]): number | null {
  if (values.length < 3) return null
  return values.toSorted((a, b) => a - b)[(values.length - 1) >> 1] ?? null
}

/** A split: from this day on, one old unit counts as `ratio` new units. */
export type CorporateAction = {
  readonly asset: AssetKey
  readonly day: Day
  readonly ratio: number
}

export const CORPORATE_ACTIONS: readonly CorporateAction[] = [
  { asset: 'mstr', day: day('2024-08-08'), ratio: 10 },
]

/**
 * How many of today's units one unit of that day has become: 10 for a level said before a ten-for-one split. A level
 * said on the day of the split counts in the new units, as that day's prices do.
 */
export function splitFactor(
  asset: AssetKey,
  said: Day,
  actions: readonly CorporateAction[] = CORPORATE_ACTIONS,
): number {
  return actions
    .filter((action) => action.asset === asset && action.day > said)
    .reduce((factor, action) => factor * action.ratio, 1)
}
