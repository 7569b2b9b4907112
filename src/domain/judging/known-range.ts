import { day, type Day } from '#domain/day.ts'
import { agree, highOf, isCloseOnly, lowOf, type Bar } from './bar.ts'
import { type JudgeMode } from './verdict.ts'

/** Closes of one day at different venues that lie further apart, as a share of one, are not prices of one market. */
const SAME_DAY = 0.1
/** While Mt. Gox traded, prices of one day lay up to a sixth apart. */
const SAME_DAY_THEN = 0.2
const MT_GOX_ENDED = day('2014-03-01')

function toleranceOn(at: Day): number {
  return at < MT_GOX_ENDED ? SAME_DAY_THEN : SAME_DAY
}

/**
 * Why a bar with highs and lows may not complete a day of which the record knows the close.
 *
 * @param close on record
 * @returns a sentence for administrators; null when it may
 */
export function rangeFault(bar: Bar, close: number): string | null {
  if (isCloseOnly(bar)) return 'It has no high and low.'
  if (bar.close > highOf(bar) || bar.close < lowOf(bar)) {
    return `Its close of ${String(bar.close)} lies outside its own range, ${rangeText(bar)}.`
  }
  const share = toleranceOn(bar.day)
  const isOff = Math.abs(bar.close / close - 1) > share
  if (isOff || highOf(bar) < close * (1 - share) || lowOf(bar) > close * (1 + share)) {
    return `Its close of ${String(bar.close)} is too far from the close on record, ${String(close)}.`
  }
  return null
}

/**
 * Why the bars of one day may not decide together.
 *
 * @param full bars with highs and lows, each of which passed `rangeFault`
 * @param refused how many venues gave a bar that did not
 * @returns a sentence for administrators; null when they may
 */
export function disagreement(full: readonly Bar[], refused: number): string | null {
  const [first, ...rest] = full
  if (!first) return null
  if (rest.length === 0) {
    return refused > 0 ? 'Its only other venue gave a price that was refused.' : null
  }
  const agreed = agree([first, ...rest])
  if (lowOf(agreed) <= highOf(agreed)) return null
  const ranges = full.map((bar) => `${bar.source} ${rangeText(bar)}`)
  return `The ranges do not meet: ${ranges.join(', ')}.`
}

function rangeText(bar: Bar): string {
  return `${String(lowOf(bar))} to ${String(highOf(bar))}`
}

/** The days of which closes alone were known, and of which a range is known now. */
export function newlyRanged(before: readonly Bar[], after: readonly Bar[]): ReadonlySet<Day> {
  const full = new Set(before.filter((bar) => !isCloseOnly(bar)).map((bar) => bar.day))
  const known = new Set(before.map((bar) => bar.day))
  return new Set(
    after
      .filter((bar) => !isCloseOnly(bar) && known.has(bar.day) && !full.has(bar.day))
      .map((bar) => bar.day),
  )
}

/** A verdict that changes because the range of a day is known, with both sides as `SUCCESS on 05/12/2024`. */
export type RangeChange = {
  readonly id: string
  readonly mode: JudgeMode
  readonly before: string
  readonly after: string
}
