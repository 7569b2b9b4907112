import { type PackedPrices } from '#contracts/fields.ts'
import { type AssetKey } from '#domain/asset.ts'
import { isoDay, type Day } from '#domain/day.ts'
import { fetchFresh, noteAnswer } from './reach.ts'

/** Daily closes in USD for the chart: parallel arrays of days since 1970 and closes, oldest first. */
export type Prices = {
  readonly days: Float64Array
  readonly closes: Float64Array
  /** Number of invalid points dropped. */
  readonly skipped: number
}

export const NO_PRICES: Prices = {
  days: new Float64Array(),
  closes: new Float64Array(),
  skipped: 0,
}

/** Drops days without a positive price (public-site.md §3). */
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

/** The last close and its day, days since 1970; null without prices. */
export function lastClose(prices: Prices): { readonly day: number; readonly usd: number } | null {
  const day = prices.days.at(-1)
  const usd = prices.closes.at(-1)
  return day === undefined || usd === undefined ? null : { day, usd }
}

/** Closes of an immutable version, or closes as known on a past day. */
export type WhichCloses = { readonly version: string } | { readonly past: Day }

export function closesPath(asset: AssetKey, which: WhichCloses | null): string {
  const path = `/api/v1/assets/${asset}/closes`
  if (which === null) return path
  return 'past' in which ? `${path}?day=${isoDay(which.past)}` : `${path}?version=${which.version}`
}

export async function fetchCloses(asset: AssetKey, which: WhichCloses | null, signal: AbortSignal) {
  // Lets the browser use preloaded and versioned responses without revalidation.
  const response = await fetchFresh(closesPath(asset, which), {
    signal,
    ...(which !== null && { cache: 'default' }),
  }).catch((cause: unknown) => {
    throw signal.aborted ? cause : new Error('The server cannot be reached.')
  })
  // A schema would be larger than the rest of this file.
  const packed = (await response.json().catch(() => null)) as Partial<PackedPrices> | null
  if (!response.ok || !Array.isArray(packed?.closes) || !Array.isArray(packed.steps)) {
    throw new Error('The server had a problem.')
  }
  noteAnswer(response.headers)
  return unpackPrices(packed as PackedPrices)
}
