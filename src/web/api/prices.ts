import { type PackedPrices } from '#contracts/fields.ts'

/** Daily closes in USD as the chart takes them: days since 1970 and their closes side by side, oldest first. */
export type Prices = {
  readonly days: Float64Array
  readonly closes: Float64Array
  /** How many points were given that cannot be drawn. */
  readonly skipped: number
}

export const NO_PRICES: Prices = {
  days: new Float64Array(),
  closes: new Float64Array(),
  skipped: 0,
}

/** Days without a price above zero are dropped (public-site.md §3). */
export function unpackPrices(packed: PackedPrices): Prices {
  const days: number[] = []
  const closes: number[] = []
  let day = packed.first
  for (const [i, usd] of packed.closes.entries()) {
    if (i > 0) day += packed.steps[i - 1] ?? 1
    if (!(usd > 0)) continue
    days.push(day)
    closes.push(usd)
  }
  return {
    days: Float64Array.from(days),
    closes: Float64Array.from(closes),
    skipped: packed.closes.length - closes.length,
  }
}

/** The last close and its day; null without prices. */
export function lastClose(prices: Prices): { readonly day: number; readonly usd: number } | null {
  const day = prices.days.at(-1)
  const usd = prices.closes.at(-1)
  return day === undefined || usd === undefined ? null : { day, usd }
}
