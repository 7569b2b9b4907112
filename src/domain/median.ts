/** The middle of some values, or the mean of the middle two; null without any. */
export function median(values: readonly number[]): number | null {
  const sorted = Float64Array.from(values).sort()
  const [low, high] = [
    sorted[Math.ceil(sorted.length / 2) - 1],
    sorted[Math.floor(sorted.length / 2)],
  ]
  return low === undefined || high === undefined ? null : (low + high) / 2
}
