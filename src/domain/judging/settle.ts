import { type AssetKey } from '#domain/asset.ts'
import { agree, highOf, isCloseOnly, lowOf, type AgreedBar, type Bar } from './bar.ts'

/**
 * How far a recorded bar may be relied on.
 *
 * - `moving`: its day is not over, and a second source is expected.
 * - `alone`: its day is not over, and no second source is expected: it counts by itself.
 * - `waiting`: its day is over, but its second source has not reported it yet.
 * - `final`: it decides.
 *
 * @see docs/decisions/0004-prices.md
 */
export const BAR_STATES = ['moving', 'alone', 'waiting', 'final'] as const
export type BarState = (typeof BAR_STATES)[number]

export type RecordedBar = Bar & { readonly state: BarState }

/** What one source reports of one day. */
export type SourceOnDay = {
  /** It reports highs and lows; closes alone confirm nothing. */
  readonly isFull: boolean
  /**
   * `over`: its bar was read after the end of the day; `open`: before it. `expected`: there is no bar yet. `absent`: none
   * will come, as the source does not reach back that far, has no bar of this day, or has been failing for long.
   */
  readonly report: 'over' | 'open' | 'expected' | 'absent'
}

/**
 * Whether the bars of a day may decide: two full sources have reported it after its end, or all expected ones have.
 *
 * @param sources every source of the asset
 */
export function settleDay(sources: readonly SourceOnDay[]): 'final' | 'needs-second' | 'alone' {
  const full = sources.filter((source) => source.isFull)
  const over = full.filter((source) => source.report === 'over').length
  const coming = full.filter((source) => source.report !== 'absent').length
  if (over >= 2 || (over === 1 && coming === 1)) return 'final'
  if (coming === 0 && sources.some((source) => source.report === 'over')) return 'final'
  return coming >= 2 ? 'needs-second' : 'alone'
}

/** The state of one source's bar on a day that has settled this far. */
export function barState(day: ReturnType<typeof settleDay>, isOver: boolean): BarState {
  if (isOver) return day === 'final' ? 'final' : 'waiting'
  return day === 'needs-second' ? 'moving' : 'alone'
}

/** How far beyond open, close and the previous close a single source is believed, as a share of them. */
const LONGEST_LONE_WICK: Readonly<Record<AssetKey, number>> = { btc: 0.25, mstr: 0.25, naka: 0.6 }

/**
 * The bar that the sources of one day give together. Final bars decide open and close; what the others saw still counts,
 * so a price that two venues saw counts even if one of them failed before midnight. Before any bar is final, the day has
 * what two of them saw; a price that only one of two saw is kept as `loneHigh` or `loneLow`.
 *
 * @param bars see `agree`
 * @param previous the close of the bar before, or null
 * @param outside names of the sources that are read automatically; a file that a person imported is believed
 */
export function agreeDay(
  asset: AssetKey,
  bars: readonly [RecordedBar, ...RecordedBar[]],
  previous: number | null,
  outside: ReadonlySet<string>,
): AgreedBar {
  const [first, ...rest] = bars.filter((bar) => bar.state === 'final')
  const deciding: typeof bars = first ? [first, ...rest] : bars
  const agreed = agree(deciding)
  const full = deciding.filter((bar) => !isCloseOnly(bar))
  const isOutside = full.every((bar) => bar.state !== 'final' || outside.has(bar.source))
  const believed = full.length === 1 && isOutside ? believe(asset, agreed, previous) : agreed
  if (first) return widen(believed, bars)
  if (full.length >= 2 || bars.some((bar) => bar.state === 'alone')) {
    return { ...believed, moving: true }
  }
  return {
    ...believed,
    moving: true,
    unconfirmed: true,
    loneHigh: believed.loneHigh ?? highOf(believed),
    loneLow: believed.loneLow ?? lowOf(believed),
  }
}

/** A wick of a day's only source that goes too far becomes a lone price, and the bar ends at open and close. */
function believe(asset: AssetKey, agreed: AgreedBar, previous: number | null): AgreedBar {
  const body = [agreed.open ?? agreed.close, agreed.close]
  const known = previous === null ? body : [...body, previous]
  const share = LONGEST_LONE_WICK[asset]
  const [high, low] = [highOf(agreed), lowOf(agreed)]
  const isTooHigh = high > Math.max(...known) * (1 + share)
  const isTooLow = low < Math.min(...known) * (1 - share)
  return {
    ...agreed,
    ...(isTooHigh ? { high: Math.max(...body), loneHigh: high } : {}),
    ...(isTooLow ? { low: Math.min(...body), loneLow: low } : {}),
  }
}

/** Stretches a bar to what two of all sources saw, and records what a single one saw beyond. It never narrows the bar. */
function widen(agreed: AgreedBar, bars: readonly RecordedBar[]): AgreedBar {
  const full = bars.filter((bar) => !isCloseOnly(bar))
  if (full.every((bar) => bar.state === 'final')) return agreed
  const highs = full.map(highOf).toSorted((a, b) => b - a)
  const lows = full.map(lowOf).toSorted((a, b) => a - b)
  const high = Math.max(highOf(agreed), highs[1] ?? -Infinity)
  const low = Math.min(lowOf(agreed), lows[1] ?? Infinity)
  const [highest, lowest] = [highs[0] ?? high, lows[0] ?? low]
  return {
    ...agreed,
    ...(full.length >= 2 ? { high, low } : {}),
    loneHigh: highest > high ? highest : null,
    loneLow: lowest < low ? lowest : null,
  }
}
