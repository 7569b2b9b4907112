// First, before any schema is made.
import './without-eval.ts'
import { predictionsOfRows } from '#contracts/prediction-wire.ts'
import { predictionsOf } from '#contracts/predictions.ts'
import { pricesOf } from '#contracts/prices.ts'
import { type AssetKey } from '#domain/asset.ts'
import { type Prediction } from '#domain/prediction.ts'
import { call } from './call.ts'
import { pricesOfPoints, type Prices } from './prices.ts'

/** Fetches the daily closes of an asset. */
export async function fetchPrices(asset: AssetKey, signal: AbortSignal): Promise<Prices> {
  const reply = await call(pricesOf[asset], { signal })
  return pricesOfPoints('data' in reply ? reply.data : reply)
}

/** Fetches the published predictions of an asset, newest first. */
export async function fetchPredictions(
  asset: AssetKey,
  signal: AbortSignal,
): Promise<readonly Prediction[]> {
  const reply = await call(predictionsOf[asset], { signal })
  return predictionsOfRows('data' in reply ? reply.data : reply)
}
