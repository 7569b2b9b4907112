/** A price of this moment at one venue; `at` in milliseconds since 1970. */
export type Tick = { readonly source: string; readonly usd: number; readonly at: number }

/** A tick farther than this from the last price needs a second venue. */
const FAR = 0.05
/** The second venue has to tell of it within this time. */
const CONFIRM_WITHIN_MS = 60_000
/** A price older than this is no measure of what comes next. */
const LAST_COUNTS_MS = 600_000

/**
 * Whether a tick may be shown. One that is more than 5 % off needs a second venue near it within a minute; where the
 * asset has a single live source, it has to stand for a minute there.
 *
 * @param last the price shown so far
 * @param others the newest ticks of the other venues
 * @param sole the asset has no other live source
 * @param standsSince since when the same source has been telling prices near this one, milliseconds since 1970
 * @see decisions.md §2, "Wicks"; issue 5, "Composite"
 */
export function isCredible(
  tick: Tick,
  last: Tick | null,
  others: readonly Tick[],
  { sole, standsSince }: { sole: boolean; standsSince: number },
): boolean {
  if (!last || tick.at - last.at > LAST_COUNTS_MS || isNear(tick.usd, last.usd)) return true
  if (sole) return tick.at - standsSince >= CONFIRM_WITHIN_MS
  return others.some(
    (other) =>
      other.source !== tick.source &&
      Math.abs(tick.at - other.at) <= CONFIRM_WITHIN_MS &&
      isNear(tick.usd, other.usd),
  )
}

export function isNear(a: number, b: number): boolean {
  return Math.abs(a / b - 1) <= FAR
}
