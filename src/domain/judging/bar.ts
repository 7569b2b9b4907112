import { type Day } from '#domain/day.ts'

/**
 * One day of trading in USD, adjusted for splits. Open, high and low are null where a source gives closes only; such a
 * bar counts its close as high and low, and evidence built on it says `close-only`.
 */
export type Bar = {
  readonly day: Day
  readonly open: number | null
  readonly high: number | null
  readonly low: number | null
  readonly close: number
  /** Who reported it, such as `bitstamp`, or several names joined by ` + `. */
  readonly source: string
}

/** A bar that the sources of one day agree on, with what only one of them printed. */
export type AgreedBar = Bar & {
  /** The highest price of a single venue above `high`, which no second one confirms; null when there is none. */
  readonly loneHigh: number | null
  /** The lowest price of a single venue below `low`, which no second one confirms; null when there is none. */
  readonly loneLow: number | null
  /** The day is not over, or waits for its second source: the bar may prove a touch, never a miss and never a close. */
  readonly moving?: true
  /** Only one of two venues has told of this moving day yet, so that nothing in it proves anything. */
  readonly unconfirmed?: true
}

/** A bar as evidence; one whose day was not over yet has no close, but a price last seen. */
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
 * What the sources of one day agree on: a price counts as traded when two of them saw it (the second highest high, the
 * second lowest low). A day with one source is taken at its word. Closes alone never confirm or refute an intraday
 * price, so they step back where any source has highs and lows.
 *
 * @param bars the bars of one day, at least one; the first full one gives open and close, as far as the others agree
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
  // Sources whose ranges lie apart confirm nothing between them: `low` then stands above `high`, and is left there.
  const settled = (usd: number): number => (low > high ? usd : Math.min(Math.max(usd, low), high))
  return {
    day: first.day,
    open: first.open === null ? null : settled(first.open),
    high,
    low,
    close: settled(first.close),
    source: full.map((bar) => bar.source).join(' + '),
    loneHigh: highest > high ? highest : null,
    loneLow: lowest < low ? lowest : null,
  }
}
