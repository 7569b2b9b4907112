import { type PackedPrices } from '#contracts/packed-prices.ts'
import { readDay } from '#domain/day.ts'

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

export function unpackPrices(packed: PackedPrices): Prices {
  const closes = Float64Array.from(packed.closes)
  const days = new Float64Array(closes.length)
  let day = packed.first
  for (let i = 0; i < days.length; i += 1) {
    if (i > 0) day += packed.steps[i - 1] ?? 1
    days[i] = day
  }
  return { days, closes, skipped: 0 }
}

/** A point of a price list as the page takes it from any source (public-site.md §3 and §7). */
export type GivenPoint = {
  readonly date?: unknown
  readonly close?: unknown
  readonly value?: unknown
}

/** Points without a real date or a positive price are dropped (public-site.md §3). */
export function pricesOfPoints(points: readonly GivenPoint[]): Prices {
  const kept = points.flatMap(({ date, close, value }) => {
    const day = readDay(typeof date === 'string' ? date : '')
    const usd = numberOf(close ?? value)
    return day === null || !(usd > 0) ? [] : [{ day, usd }]
  })
  return {
    days: Float64Array.from(kept, (point) => point.day),
    closes: Float64Array.from(kept, (point) => point.usd),
    skipped: points.length - kept.length,
  }
}

/** Values may arrive as strings. @returns NaN for what is no finite number */
function numberOf(given: unknown): number {
  const usd = typeof given === 'string' && given.trim() !== '' ? Number(given) : given
  return typeof usd === 'number' && Number.isFinite(usd) ? usd : NaN
}

/** The last close and its day; null without prices. */
export function lastClose(prices: Prices): { readonly day: number; readonly usd: number } | null {
  const day = prices.days.at(-1)
  const usd = prices.closes.at(-1)
  return day === undefined || usd === undefined ? null : { day, usd }
}
