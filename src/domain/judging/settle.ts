import { type AssetKey } from '#domain/asset.ts'
import { day, type Day } from '#domain/day.ts'
import { agree, highOf, isCloseOnly, lowOf, type AgreedBar, type Bar } from './bar.ts'

/**
 * How final a recorded bar is.
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

export type SourceOnDay = {
  readonly isFull: boolean
  /**
   * `over`: its bar was read after the end of the day; `open`: before it. `expected`: no bar yet. `absent`: no bar will
   * come, because the source does not reach back that far, has no bar for this day, or has been failing for long.
   */
  readonly report: 'over' | 'open' | 'expected' | 'absent'
}

/**
 * Whether a day's bars may decide: two full sources have reported it after its end, or all expected ones have.
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

export function barState(day: ReturnType<typeof settleDay>, isOver: boolean): BarState {
  if (isOver) return day === 'final' ? 'final' : 'waiting'
  return day === 'needs-second' ? 'moving' : 'alone'
}

/** How far beyond open, close and the previous close a single source is trusted, as a share of them. */
const LONGEST_LONE_WICK: Readonly<Record<AssetKey, number>> = { btc: 0.25, mstr: 0.25, naka: 0.6 }

/**
 * The combined bar of a day. Final bars decide open and close; highs and lows of others still count, so that a price
 * seen by two venues counts even if one failed before midnight. Before any bar is final, only prices seen by two venues
 * count; a price seen by one of two is stored as `loneHigh` or `loneLow`.
 *
 * @param bars see `agree`
 * @param previous the previous close
 * @param outside names of the sources read automatically; files imported by a person are trusted
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

/** Extends a bar to the range seen by two sources, and records single-source prices beyond it. Never narrows the bar. */
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

/** Closes of a day that differ by more than this share are not from the same market. */
const SAME_DAY = 0.1
/** Prices of one day differed by up to a sixth while Mt. Gox traded. */
const SAME_DAY_THEN = 0.2
const MT_GOX_ENDED = day('2014-03-01')

/**
 * Why a bar with highs and lows may not complete a day with a recorded close.
 *
 * @returns a sentence for administrators; null if it may
 */
export function rangeFault(bar: Bar, close: number): string | null {
  if (isCloseOnly(bar)) return 'It has no high and low.'
  if (bar.close > highOf(bar) || bar.close < lowOf(bar)) {
    return `Its close of ${String(bar.close)} lies outside its own range, ${rangeText(bar)}.`
  }
  const share = bar.day < MT_GOX_ENDED ? SAME_DAY_THEN : SAME_DAY
  const isOff = Math.abs(bar.close / close - 1) > share
  if (isOff || highOf(bar) < close * (1 - share) || lowOf(bar) > close * (1 + share)) {
    return `Its close of ${String(bar.close)} is too far from the close on record, ${String(close)}.`
  }
  return null
}

/**
 * Why the bars of a day may not decide together.
 *
 * @param full bars with highs and lows that passed `rangeFault`
 * @param refused how many venues' bars failed it
 * @returns a sentence for administrators; null if they may
 */
export function disagreement(full: readonly Bar[], refused: number): string | null {
  const [first, ...rest] = full
  if (!first) return null
  if (rest.length === 0) {
    return refused > 0 ? 'Its only other venue sent a price that was rejected.' : null
  }
  const agreed = agree([first, ...rest])
  if (lowOf(agreed) <= highOf(agreed)) return null
  const ranges = full.map((bar) => `${bar.source} ${rangeText(bar)}`)
  return `The ranges do not meet: ${ranges.join(', ')}.`
}

function rangeText(bar: Bar): string {
  return `${String(lowOf(bar))} to ${String(highOf(bar))}`
}

/** Days that had only closes before and have a range now. */
export function newlyRanged(before: readonly Bar[], after: readonly Bar[]): ReadonlySet<Day> {
  const full = new Set(before.filter((bar) => !isCloseOnly(bar)).map((bar) => bar.day))
  const known = new Set(before.map((bar) => bar.day))
  return new Set(
    after
      .filter((bar) => !isCloseOnly(bar) && known.has(bar.day) && !full.has(bar.day))
      .map((bar) => bar.day),
  )
}
