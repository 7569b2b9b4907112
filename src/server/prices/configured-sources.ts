import { alpacaPrices } from './sources/alpaca.ts'
import { alphaVantagePrices } from './sources/alpha-vantage.ts'
import { bitstampPrices } from './sources/bitstamp.ts'
import { coinbasePrices } from './sources/coinbase.ts'
import { coingeckoPrices } from './sources/coingecko.ts'
import { gatePrices } from './sources/gate.ts'
import { krakenPrices } from './sources/kraken.ts'
import { kucoinPrices } from './sources/kucoin.ts'
import { tiingoPrices } from './sources/tiingo.ts'
import { yahooPrices } from './sources/yahoo.ts'
import { jsonCaller } from '#server/kit/json-call.ts'
import { type HttpLimits } from '#server/kit/http-call.ts'
import { coinbaseTicks } from './venues/coinbase.ts'
import { krakenTicks } from './venues/kraken.ts'
import { type VenuePatience } from './venues/tick-socket.ts'
import { type Clock } from '#server/kit/ports.ts'
import { type DailySource, type TickFeed } from './ports.ts'
import { type PriceSettings } from '#server/kit/settings/prices.ts'

/** The sources that the settings allow. */
export type PriceSources = {
  readonly daily: readonly DailySource[]
  readonly feeds: readonly TickFeed[]
}

/** Puts the adapters together, those in front that are shown first. */
export function priceSources(
  { on, urls, keys }: PriceSettings,
  clock: Clock,
  given: { limits?: Partial<HttpLimits>; patience?: VenuePatience } = {},
): PriceSources {
  if (!on) return { daily: [], feeds: [] }
  const callJson = jsonCaller(clock, given.limits)
  const at = <T>(url: URL | null, make: (url: URL) => T | null): T[] => {
    const made = url && make(url)
    return made ? [made] : []
  }
  const withKey = <T>(key: string | null, make: (key: string) => T): T | null =>
    key === null ? null : make(key)
  const patience = given.patience ? { patience: given.patience } : {}
  return {
    daily: [
      ...at(urls.PRICES_BITSTAMP_URL, (url) => bitstampPrices({ url, callJson })),
      ...at(urls.PRICES_KRAKEN_URL, (url) => krakenPrices({ url, callJson })),
      ...at(urls.PRICES_COINBASE_URL, (url) => coinbasePrices({ url, callJson })),
      ...at(urls.PRICES_YAHOO_URL, (url) => yahooPrices({ url, callJson })),
      ...at(urls.PRICES_ALPACA_URL, (url) =>
        withKey(keys.PRICES_ALPACA_KEY, (key) =>
          withKey(keys.PRICES_ALPACA_SECRET, (secret) =>
            alpacaPrices({ url, key, secret, clock, callJson }),
          ),
        ),
      ),
      ...at(urls.PRICES_TIINGO_URL, (url) =>
        withKey(keys.PRICES_TIINGO_KEY, (key) => tiingoPrices({ url, key, callJson })),
      ),
      ...at(urls.PRICES_ALPHA_VANTAGE_URL, (url) =>
        withKey(keys.PRICES_ALPHA_VANTAGE_KEY, (key) =>
          alphaVantagePrices({ url, key, clock, callJson }),
        ),
      ),
      ...at(urls.PRICES_KUCOIN_URL, (url) => kucoinPrices({ url, callJson })),
      ...at(urls.PRICES_GATE_URL, (url) => gatePrices({ url, callJson })),
      ...at(urls.PRICES_COINGECKO_URL, (url) =>
        coingeckoPrices({ url, key: keys.PRICES_COINGECKO_KEY, callJson }),
      ),
    ],
    feeds: [
      ...at(urls.PRICES_KRAKEN_SOCKET, (url) => krakenTicks({ url, ...patience })),
      ...at(urls.PRICES_COINBASE_SOCKET, (url) => coinbaseTicks({ url, ...patience })),
    ],
  }
}
