import { type PackedPrices } from '#contracts/fields.ts'
import { type AssetKey } from '#domain/asset.ts'
import { isoDay, type Day } from '#domain/day.ts'
import { fetchFresh, noteAnswer } from './reach.ts'

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

/** Which closes: those of a version never change, those of a past day are of what was known then. */
export type WhichCloses = { readonly version: string } | { readonly past: Day }

export function closesPath(asset: AssetKey, which: WhichCloses | null): string {
  const path = `/api/v1/assets/${asset}/closes`
  if (which === null) return path
  return 'past' in which ? `${path}?day=${isoDay(which.past)}` : `${path}?version=${which.version}`
}

export async function fetchCloses(
  asset: AssetKey,
  which: WhichCloses | null,
  signal: AbortSignal,
): Promise<Prices> {
  // Preloaded and versioned responses are used without revalidation.
  const response = await fetchFresh(closesPath(asset, which), {
    signal,
    ...(which !== null && { cache: 'default' }),
  }).catch((cause: unknown) => {
    throw signal.aborted ? cause : new Error('The server cannot be reached.')
  })
  // A schema would weigh more than all else here.
  const packed = (await response.json().catch(() => null)) as Partial<PackedPrices> | null
  if (!response.ok || !Array.isArray(packed?.closes) || !Array.isArray(packed.steps)) {
    throw new Error('The server had a problem.')
  }
  noteAnswer(response.headers)
  return unpackPrices(packed as PackedPrices)
}
