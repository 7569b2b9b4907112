/**
 * A price as an axis label: `$12k`, `$1.5M`, `$0.06`.
 *
 * @param extra decimals beyond the usual ones, for labels that would be equal without them
 * @see public-site.md §9, "Formatting"
 */
export function axisUsd(usd: number, extra = 0): string {
  const size = Math.abs(usd)
  const sign = usd < 0 ? '-$' : '$'
  if (size >= 999_950_000) return `${sign}${trimmed(size / 1e9, 1 + extra)}B`
  if (size >= 999_500) return `${sign}${trimmed(size / 1e6, (size < 1e7 ? 1 : 0) + extra)}M`
  if (size >= 1_000) return `${sign}${trimmed(size / 1e3, extra)}k`
  if (size >= 1) return `${sign}${trimmed(size, extra)}`
  return size === 0 ? '$0' : `${sign}${size.toFixed(2 + extra)}`
}

/** Axis labels that differ from one another wherever the prices do: $1,000 and $1,050 become `$1k` and `$1.05k`. */
export function axisLabels(prices: readonly number[]): string[] {
  for (let extra = 0; extra < 8; extra++) {
    const labels = prices.map((usd) => axisUsd(usd, extra))
    if (new Set(labels).size === labels.length) return labels
  }
  return prices.map(String)
}

/** A price beside a mark: as short as an axis label, but never more than a thousandth off: `$12.5k`, not `$13k`. */
export function shortUsd(usd: number): string {
  for (let extra = 0; extra < 4; extra++) {
    const label = axisUsd(usd, extra)
    if (Math.abs(valueOf(label) - usd) <= Math.abs(usd) / 1_000) return label
  }
  return axisUsd(usd, 4)
}

const UNITS: Readonly<Record<string, number>> = { k: 1e3, M: 1e6, B: 1e9 }

function valueOf(label: string): number {
  return Number(label.replace(/[$kMB]/g, '')) * (UNITS[label.charAt(label.length - 1)] ?? 1)
}

function trimmed(value: number, decimals: number): string {
  const text = value.toFixed(decimals)
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text
}
