// First, before any schema is made.
import './without-eval.ts'
import { past } from '#contracts/past.ts'
import { predictionsOfRows } from '#contracts/prediction-wire.ts'
import { predictionsOf } from '#contracts/predictions.ts'
import { pricesOf } from '#contracts/prices.ts'
import { type AssetKey } from '#domain/asset.ts'
import { type Prediction } from '#domain/claim/prediction.ts'
import { isoDay, type Day } from '#domain/day.ts'
import { z } from 'zod'
import { call } from './call.ts'
import { newestHeard } from './heard.ts'
import { pastRecord, type PastRecord } from './past.ts'
import { pricesOfPoints, type Prices } from './prices.ts'

/** An invalid point must not cost the others: points are checked one by one later, here only the list. */
const GivenPoints = z.array(
  z.object({ date: z.unknown(), close: z.unknown(), value: z.unknown() }).partial(),
)
const GivenPrices = z.union([GivenPoints, z.object({ data: GivenPoints })])

/** Fetches the daily closes of an asset. */
export async function fetchPrices(asset: AssetKey, signal: AbortSignal): Promise<Prices> {
  const { method, path } = pricesOf[asset]
  const reply = await call({ method, path, reply: GivenPrices }, { signal })
  return pricesOfPoints('data' in reply ? reply.data : reply)
}

/** Fetches the published predictions of an asset, newest first. */
export async function fetchPredictions(
  asset: AssetKey,
  signal: AbortSignal,
): Promise<readonly Prediction[]> {
  const reply = await call(predictionsOf[asset], { query: { v: newestHeard() }, signal })
  return predictionsOfRows('data' in reply ? reply.data : reply)
}

/**
 * Fetches the record of an asset as of a past day.
 *
 * @param before the record of an earlier day; then only what has changed since is sent
 */
export async function fetchPast(
  asset: AssetKey,
  day: Day,
  before: PastRecord | null,
  signal: AbortSignal,
): Promise<PastRecord> {
  const query = {
    day: isoDay(day),
    ...(before && { since: isoDay(before.day), version: before.version }),
  }
  return pastRecord(await call(past, { params: { asset }, query, signal }), before)
}
