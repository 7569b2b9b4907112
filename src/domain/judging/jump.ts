import { type AssetKey } from '#domain/asset.ts'
import { type Bar } from './bar.ts'
import { type CorporateAction } from './corporate-action.ts'
import { type Day } from '#domain/day.ts'

/** A close that differs from the one before by this share or more is not believed without an explanation. */
const LARGEST_CHANGE = 0.4
/** The price moves on its own, too, on the day of a split. */
const SPLIT_TOLERANCE = 0.25

/** A close and its day. */
export type Close = Pick<Bar, 'day' | 'close'>

/** The first close that jumps, and from where. */
export type Jump = { readonly before: Close; readonly after: Close }

/**
 * Finds the first jump of consecutive closes that nothing explains.
 *
 * @param before the last close on record before the first of `closes`; null for none
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

/** The known split that explains a jump: prices before it are still in the units of then. */
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

/** Prices of before a split in the units of after it. */
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
