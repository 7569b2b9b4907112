import { type AssetKey } from '#domain/asset.ts'
import { type Day } from '#domain/day.ts'
import { highOf, lowOf, type Bar, type CorporateAction } from './bar.ts'

/** Closes that differ from the previous one by this share or more need an explanation. */
const LARGEST_CHANGE = 0.4
/** Prices also move for other reasons on the day of a split. */
const SPLIT_TOLERANCE = 0.25

export type Close = Pick<Bar, 'day' | 'close'>

export type Jump = { readonly before: Close; readonly after: Close }

/**
 * Finds the first unexplained jump between consecutive closes.
 *
 * @param before the last stored close before `closes`
 * @param closes oldest first
 * @param real days whose jump an administrator has confirmed
 */
export function findJump(before: Close | null, closes: readonly Close[], real: ReadonlySet<Day>) {
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

/** Up to this many outliers in a row are errors; more are prices in other units. */
const MOST_SLIPS = 5

/**
 * Bars for an administrator to check, each with the close that it contradicts: the recorded one of its day, or else its
 * neighbours'.
 *
 * @param bars oldest first
 * @param record oldest first
 * @param real days whose jump an administrator has confirmed
 */
export function doubtful(bars: readonly Close[], record: readonly Close[], real: ReadonlySet<Day>) {
  const doubted = new Map<Day, Close>()
  const known = new Map(record.map((one) => [one.day, one]))
  const contradicts = (one: Close, other: Close): boolean => {
    const [before, after] = one.day < other.day ? [one, other] : [other, one]
    return isJump(before.close, after.close) && !real.has(after.day)
  }
  // A confirmed jump does not validate any price: the next day must agree.
  const isReal = (bar: Close): boolean => {
    if (!real.has(bar.day)) return false
    const next = record.find(({ day }) => day > bar.day)
    return !next || !contradicts(bar, next)
  }
  const unknown = bars.filter((bar) => {
    const same = known.get(bar.day)
    if (same && isJump(same.close, bar.close) && !isReal(bar)) doubted.set(bar.day, same)
    return !same
  })
  const walk = (days: readonly Close[]): void => {
    let [last, slips]: [Close | null, number] = [null, 0]
    let since: Close[] = []
    for (const one of days) {
      if (known.has(one.day)) {
        for (let bar = since.at(-1); bar && contradicts(bar, one); bar = since.at(-1)) {
          doubted.set(bar.day, one)
          since.pop()
        }
        since = []
      } else if (last && (slips >= MOST_SLIPS || contradicts(last, one))) {
        doubted.set(one.day, last)
        slips += 1
        continue
      } else since.push(one)
      ;[last, slips] = [one, 0]
    }
  }
  const all = [...record, ...unknown].toSorted((a, b) => a.day - b.day)
  // Without a record, the first close that the next one agrees with is trusted.
  const isAnchor = (one: Close, at: number): boolean => {
    const next = all[at + 1]
    return known.size > 0 ? known.has(one.day) : next !== undefined && !contradicts(one, next)
  }
  const first = Math.max(0, all.findIndex(isAnchor))
  walk(all.slice(first))
  walk(all.slice(0, first + 1).toReversed())
  return doubted
}

/** A high or low that exceeds the neighbouring closes by a jump. */
export function farPrice(bar: Bar, before: number | null): number | null {
  const closes = before === null ? [bar.close] : [bar.close, before]
  const [high, low] = [highOf(bar), lowOf(bar)]
  // Sources whose ranges do not overlap confirm nothing.
  if (low > high) return null
  if (high >= Math.max(...closes) * (1 + LARGEST_CHANGE)) return high
  return low <= Math.min(...closes) * (1 - LARGEST_CHANGE) ? low : null
}

/** The known split that explains a jump: earlier prices are still in the old units. */
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

/** Converts prices from before a split to the new units. */
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
