/** A price of this moment at one venue; `at` in milliseconds since 1970. */
export type Tick = { readonly source: string; readonly usd: number; readonly at: number }

/** A price farther than this from the last one needs a second venue. */
const FAR = 0.05
/** The second venue has to report it within this time. */
const CONFIRM_WITHIN_MS = 60_000
/** A price older than this is not compared with. */
const LAST_COUNTS_MS = 600_000

/**
 * Whether a live price may be shown: near the last price, or confirmed by a second venue within a minute. Any other has
 * to last for a minute without another venue contradicting it, and counts only when nothing else is known: the asset
 * has a single live source, or there is no price of the last ten minutes.
 *
 * @param last the last known price: the one shown, else the last close; null when there is none
 * @param others the newest ticks of the other venues
 * @param sole the asset has no other live source
 * @param nearSince since when the same source has reported prices near this one, milliseconds since 1970
 * @see decisions.md §2, "Wicks"; issue 5, "Composite"
 */
export function isCredible(
  tick: Tick,
  last: Tick | null,
  others: readonly Tick[],
  { sole, nearSince }: { sole: boolean; nearSince: number },
): boolean {
  if (last && isNear(tick.usd, last.usd)) return true
  const fresh = others.filter(
    (other) => other.source !== tick.source && Math.abs(tick.at - other.at) <= CONFIRM_WITHIN_MS,
  )
  if (fresh.length > 0) return fresh.some((other) => isNear(tick.usd, other.usd))
  const isAllThereIs = sole || !last || Math.abs(tick.at - last.at) > LAST_COUNTS_MS
  return isAllThereIs && tick.at - nearSince >= CONFIRM_WITHIN_MS
}

export function isNear(a: number, b: number): boolean {
  return Math.abs(a / b - 1) <= FAR
}
