/** The share of false ones among those said to beat luck. */
const FALSE_DISCOVERIES = 0.1

/**
 * Which of several tests remain when no more than this share of them may be there by chance.
 *
 * @param ps null for what was not tested
 * @see Benjamini and Hochberg, "Controlling the false discovery rate" (1995)
 */
export function trueDiscoveries(
  ps: readonly (number | null)[],
  share = FALSE_DISCOVERIES,
): boolean[] {
  const rising = ps.filter((p) => p !== null).toSorted((a, b) => a - b)
  const limit = rising.findLast((p, i) => p <= (share * (i + 1)) / rising.length) ?? -1
  return ps.map((p) => p !== null && p <= limit)
}
