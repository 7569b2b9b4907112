/** A price of this moment at one venue; `at` in milliseconds since 1970. */
export type Tick = { readonly source: string; readonly usd: number; readonly at: number }

/** A tick farther than this from the last price needs a second venue. */
const FAR = 0.05
/** The second venue has to tell of it within this time. */
const CONFIRM_WITHIN_MS = 60_000
/** A price older than this is no measure of what comes next. */
const LAST_COUNTS_MS = 600_000

/**
 * Whether a tick may be shown: near the last price, or confirmed by a second venue within a minute. One that is neither
 * has to stand for a minute while no other venue contradicts it, and then only where nothing else can be known: the
 * asset has a single live source, or there is no last price of the last ten minutes.
 *
 * @param last the last price known: the one shown, else the last close; null for none
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
  if (last && isNear(tick.usd, last.usd)) return true
  const fresh = others.filter(
    (other) => other.source !== tick.source && Math.abs(tick.at - other.at) <= CONFIRM_WITHIN_MS,
  )
  if (fresh.length > 0) return fresh.some((other) => isNear(tick.usd, other.usd))
  const isAllThereIs = sole || !last || Math.abs(tick.at - last.at) > LAST_COUNTS_MS
  return isAllThereIs && tick.at - standsSince >= CONFIRM_WITHIN_MS
}

export function isNear(a: number, b: number): boolean {
  return Math.abs(a / b - 1) <= FAR
}
