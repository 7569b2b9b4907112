/** The interpolated quantile; `part` from 0 to 1. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (sorted.length - 1) * part
  const low = sorted[Math.floor(at)]
  const high = sorted[Math.ceil(at)]
  if (low === undefined || high === undefined) throw new Error('Nothing was measured.')
  return low + (high - low) * (at - Math.floor(at))
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}
