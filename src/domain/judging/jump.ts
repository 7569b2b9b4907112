import { type AssetKey } from '#domain/asset.ts'
import { type Bar } from './bar.ts'
import { type CorporateAction } from './corporate-action.ts'
import { type Day } from '#domain/day.ts'

/** A close that differs from the one before by this share or more needs an explanation. */
const LARGEST_CHANGE = 0.4
/** On the day of a split the price also moves for other reasons. */
const SPLIT_TOLERANCE = 0.25

/** A close and its day. */
export type Close = Pick<Bar, 'day' | 'close'>

/** The first close that jumps, and the one before it. */
export type Jump = { readonly before: Close; readonly after: Close }

/**
 * Finds the first jump of consecutive closes that nothing explains.
 *
 * @param before the last stored close before the first of `closes`; null when there is none
 * @param closes oldest first
 * @param real days whose jump an administrator has confirmed
 */
export function findJump(
  before: Close | null,
  closes: readonly Close[],
  real: ReadonlySet<Day>,
): Jump | null {
  let last = before
  for (const close of closes) {
    if (last && isJump(last.close, close.close) && !real.has(close.day)) {
      return { before: last, after: close }
    }
    last = close
  }
  return null
}

export function isJump(before: number, after: number): boolean {
  return Math.abs(after / before - 1) >= LARGEST_CHANGE
}

/** The known split that explains a jump: prices before it are still in the old units. */
export function splitOfJump(
  asset: AssetKey,
  { before, after }: Jump,
  actions: readonly CorporateAction[],
): CorporateAction | null {
  return (
    actions.find(
      (action) =>
        action.asset === asset &&
        action.day > before.day &&
        action.day <= after.day &&
        Math.abs((after.close * action.ratio) / before.close - 1) <= SPLIT_TOLERANCE,
    ) ?? null
  )
}

/** Prices from before a split, in the units after it. */
export function rescale<T extends Omit<Bar, 'source'>>(bar: T, ratio: number): T {
  const scaled = (usd: number | null): number | null => usd && Number((usd / ratio).toPrecision(12))
  return {
    ...bar,
    open: scaled(bar.open),
    high: scaled(bar.high),
    low: scaled(bar.low),
    close: Number((bar.close / ratio).toPrecision(12)),
  }
}
