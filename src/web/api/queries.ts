import { QueryClient, queryOptions } from '@tanstack/react-query'
import { type AssetPageData } from '#contracts/page.ts'
import { type AssetKey } from '#domain/asset.ts'
import { type Prediction } from '#domain/prediction.ts'
import { predictionsOfRows } from '#contracts/prediction-wire.ts'
import { pricesOfPoints, unpackPrices, type Prices } from './prices.ts'

/** Prices and verdicts change a few times a day; the page asks again when it is looked at after this. */
const FRESH_MS = 5 * 60_000

export function newQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: { queries: { staleTime: FRESH_MS, retry: 1, retryDelay: 1_000 } },
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
      // The schemas come with the first call: a page that was sent with its data never loads them.
      const [{ call }, { pricesOf }] = await Promise.all([
        import('./call.ts'),
        import('#contracts/prices.ts'),
      ])
      const reply = await call(pricesOf[asset], signal)
      return pricesOfPoints('data' in reply ? reply.data : reply)
    },
    ...(seed && { initialData: () => unpackPrices(seed.prices) }),
  })
}

/** The published predictions of an asset, newest first. */
export function predictionsQuery(asset: AssetKey, seed: AssetPageData | null) {
  return queryOptions({
    queryKey: ['predictions', asset],
    queryFn: async ({ signal }): Promise<readonly Prediction[]> => {
      const [{ call }, { predictionsOf }] = await Promise.all([
        import('./call.ts'),
        import('#contracts/predictions.ts'),
      ])
      const reply = await call(predictionsOf[asset], signal)
      return predictionsOfRows('data' in reply ? reply.data : reply)
    },
    ...(seed && {
      initialData: () => predictionsOfRows(seed.predictions),
      // With more waiting behind the list call, what came with the page counts as old from the start.
      ...(seed.more && { initialDataUpdatedAt: 0 }),
    }),
  })
}
