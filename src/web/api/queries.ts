import { type AssetPageData } from '#contracts/page.ts'
import { type AssetKey } from '#domain/asset.ts'
import { isoDay, type Day } from '#domain/day.ts'
import { type Prediction } from '#domain/claim/prediction.ts'
import { predictionsOfRows } from '#contracts/prediction-wire.ts'
import { type Query } from './fetched.ts'
import { pastRecord, type PastRecord } from './past.ts'
import { unpackPrices, type Prices } from './prices.ts'

/**
 * The daily closes of an asset.
 *
 * @param seed what the server put into the page, so that nothing is fetched twice
 */
export function pricesQuery(asset: AssetKey, seed: AssetPageData | null): Query<Prices> {
  return {
    name: `prices ${asset}`,
    fetch: async (signal) => (await import('./lists.ts')).fetchPrices(asset, signal),
    seed: seed && (() => ({ data: unpackPrices(seed.prices), isOld: false })),
  }
}

/** The published predictions of an asset, newest first. */
export function predictionsQuery(
  asset: AssetKey,
  seed: AssetPageData | null,
): Query<readonly Prediction[]> {
  return {
    name: `predictions ${asset}`,
    fetch: async (signal) => (await import('./lists.ts')).fetchPredictions(asset, signal),
    // When the list call has more than came with the page, what came is outdated from the start.
    seed: seed && (() => ({ data: predictionsOfRows(seed.predictions), isOld: seed.more })),
  }
}

/** Days that a slider passed are soon forgotten. */
const PAST_MS = 10_000

/** The record of an asset as of a past day, asked for as a difference to the last earlier day at hand. */
export function pastQuery(
  asset: AssetKey,
  day: Day,
  seed: AssetPageData | null,
): Query<PastRecord> {
  const prefix = `past ${asset} `
  const given = seed?.past?.day === isoDay(day) ? seed.past : null
  return {
    name: `${prefix}${String(day)}`,
    fetch: async (signal, store) => {
      const { fetchPast } = await import('./lists.ts')
      const before = store
        .begunWith<PastRecord>(prefix)
        .filter((known) => known.day < day)
        .reduce<PastRecord | null>((a, b) => (a && a.day > b.day ? a : b), null)
      return fetchPast(asset, day, before, signal)
    },
    seed: given && (() => ({ data: pastRecord(given, null), isOld: false })),
    keptMs: PAST_MS,
  }
}
