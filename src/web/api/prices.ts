import { type PackedPrices } from '#contracts/page.ts'
import { type PricePoint } from '#contracts/prices.ts'
import { readDay } from '#domain/day.ts'

/** Daily closes in USD as the chart takes them: days since 1970 and their closes side by side, oldest first. */
export type Prices = {
  readonly days: Float64Array
  readonly closes: Float64Array
}

export const NO_PRICES: Prices = { days: new Float64Array(), closes: new Float64Array() }

export function unpackPrices(packed: PackedPrices): Prices {
  const closes = Float64Array.from(packed.closes)
  const days = new Float64Array(closes.length)
  let day = packed.first
  for (let i = 0; i < days.length; i += 1) {
    if (i > 0) day += packed.steps[i - 1] ?? 1
    days[i] = day
  }
  return { days, closes }
}

/** Points without a real date or a positive price are dropped (public-site.md §3). */
export function pricesOfPoints(points: readonly PricePoint[]): Prices {
  const kept = points.flatMap(({ date, close }) => {
    const day = readDay(date)
    return day === null || close <= 0 ? [] : [{ day, close }]
  })
  return {
    days: Float64Array.from(kept, (point) => point.day),
    closes: Float64Array.from(kept, (point) => point.close),
  }
}

/** The last close and its day; null without prices. */
export function lastClose(prices: Prices): { readonly day: number; readonly usd: number } | null {
  const day = prices.days.at(-1)
  const usd = prices.closes.at(-1)
  return day === undefined || usd === undefined ? null : { day, usd }
}
