import { QueryClient, queryOptions } from '@tanstack/react-query'
import { type AssetPageData } from '#contracts/page.ts'
import { type AssetKey } from '#domain/asset.ts'
import { isoDay, type Day } from '#domain/day.ts'
import { type Prediction } from '#domain/claim/prediction.ts'
import { predictionsOfRows } from '#contracts/prediction-wire.ts'
import { pastRecord, type PastRecord } from './past.ts'
import { unpackPrices, type Prices } from './prices.ts'

/** Prices and verdicts change a few times a day; the page asks again when it is opened after this. */
const FRESH_MS = 5 * 60_000

export function newQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // Also when the browser believes it is offline: it may be wrong, or the worker has a copy.
      queries: { staleTime: FRESH_MS, retry: 1, retryDelay: 1_000, networkMode: 'always' },
    },
  })
}

/**
 * The daily closes of an asset.
 *
 * @param seed what the server put into the page, so that nothing is fetched twice
 */
export function pricesQuery(asset: AssetKey, seed: AssetPageData | null) {
  return queryOptions({
    queryKey: ['prices', asset],
    queryFn: async ({ signal }): Promise<Prices> => {
      const { fetchPrices } = await import('./lists.ts')
      return fetchPrices(asset, signal)
    },
    ...(seed && { initialData: () => unpackPrices(seed.prices) }),
  })
}

/** The published predictions of an asset, newest first. */
export function predictionsQuery(asset: AssetKey, seed: AssetPageData | null) {
  return queryOptions({
    queryKey: ['predictions', asset],
    queryFn: async ({ signal }): Promise<readonly Prediction[]> => {
      const { fetchPredictions } = await import('./lists.ts')
      return fetchPredictions(asset, signal)
    },
    ...(seed && {
      initialData: () => predictionsOfRows(seed.predictions),
      // When the list call has more than came with the page, what came is outdated from the start.
      ...(seed.more && { initialDataUpdatedAt: 0 }),
    }),
  })
}

/** Days that a slider passed are soon forgotten. */
const PAST_MS = 10_000

/** The record of an asset as of a past day, asked for as a difference to the last earlier day at hand. */
export function pastQuery(asset: AssetKey, day: Day, seed: AssetPageData | null) {
  const given = seed?.past?.day === isoDay(day) ? seed.past : null
  return queryOptions({
    queryKey: ['past', asset, day],
    queryFn: async ({ signal, client }): Promise<PastRecord> => {
      const { fetchPast } = await import('./lists.ts')
      const known = client.getQueriesData<PastRecord>({ queryKey: ['past', asset] })
      const before = known
        .flatMap(([, record]) => (record && record.day < day ? [record] : []))
        .reduce<PastRecord | null>((a, b) => (a && a.day > b.day ? a : b), null)
      return fetchPast(asset, day, before, signal)
    },
    gcTime: PAST_MS,
    ...(given && { initialData: () => pastRecord(given, null) }),
  })
}
