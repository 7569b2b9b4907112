import { type AssetKey } from '#domain/asset.ts'
import { type Day, day } from '#domain/day.ts'

/**
 * One day of trading in USD, adjusted for splits. Open, high and low are null if the source has closes only; the close
 * then counts as high and low, and evidence says so.
 */
export type Bar = {
  readonly day: Day
  readonly open: number | null
  readonly high: number | null
  readonly low: number | null
  readonly close: number
  /** Such as `bitstamp`; several names are joined by ` + `. */
  readonly source: string
}

export type AgreedBar = Bar & {
  /** Highest price above `high` reported by a single venue and not confirmed by another. */
  readonly loneHigh: number | null
  /** Lowest price below `low` reported by a single venue and not confirmed by another. */
  readonly loneLow: number | null
  /** The day is not over, or its second source is missing: the bar can prove a touch, but no miss or close. */
  readonly moving?: true
  readonly unconfirmed?: true
}

/** A bar as evidence; until its day is over, `close` is the last price. */
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
 * Combines the bars of a day's sources: a price counts if two of them saw it (second highest high, second lowest low).
 * A single source is trusted. Closes alone neither confirm nor refute intraday prices, so they are ignored if any
 * source has highs and lows. With three or more, open and close are medians.
 *
 * @param bars of one day, at least one; of two full bars, the first gives open and close if the other agrees
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
  // Sources whose ranges do not overlap confirm nothing: `low` then stays above `high`.
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

/** A split: from this day on, one old unit equals `ratio` new units. */
export type CorporateAction = {
  readonly asset: AssetKey
  readonly day: Day
  readonly ratio: number
}

export const CORPORATE_ACTIONS: readonly CorporateAction[] = [
  { asset: 'mstr', day: day('2024-08-08'), ratio: 10 },
]

/**
 * Today's units per unit of a day: 10 for a level stated before a ten-for-one split. On the day of the split, levels
 * and prices are already in the new units.
 */
export function splitFactor(
  asset: AssetKey,
  made: Day,
  actions: readonly CorporateAction[] = CORPORATE_ACTIONS,
): number {
  return actions
    .filter((action) => action.asset === asset && action.day > made)
    .reduce((factor, action) => factor * action.ratio, 1)
}
