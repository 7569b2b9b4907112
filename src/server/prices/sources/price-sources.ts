import { type HttpLimits } from '#server/kit/http-call.ts'
import { jsonCaller, type CallJson } from '#server/kit/json-call.ts'
import { type PriceSettings } from '#server/kit/settings/prices.ts'
import { type Clock } from '#server/kit/time.ts'
import { type PriceSources } from '#server/prices/ports.ts'
import { tickFeeds, type VenuePatience } from '#server/prices/venues/ticks.ts'
import { bitstamp, coinbase, coingecko, gate, kraken, kucoin } from './coins.ts'
import { alpaca, alphaVantage, tiingo, yahoo } from './stocks.ts'

/** Shown in this order. */
const SOURCES = [
  bitstamp,
  kraken,
  coinbase,
  yahoo,
  alpaca,
  tiingo,
  alphaVantage,
  kucoin,
  gate,
  coingecko,
]

export function priceSources(
  settings: PriceSettings,
  clock: Clock,
  {
    limits,
    patience,
    callJson = jsonCaller(clock, limits),
  }: { limits?: Partial<HttpLimits>; patience?: VenuePatience; callJson?: CallJson } = {},
): PriceSources {
  if (!settings.on) return { daily: [], feeds: [] }
  const daily = SOURCES.flatMap((open) => open({ settings, clock, callJson }) ?? [])
  return { daily, feeds: tickFeeds(settings.urls, patience) }
}
