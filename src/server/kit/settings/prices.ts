import { z } from 'zod'
import { helpOf, secret, sourceAddress } from './fields.ts'

const Key = secret(500).nullable().default(null)

/** Default address of each source, by setting. */
export const PRICE_URLS = {
  PRICES_BITSTAMP_URL: sourceAddress('https://www.bitstamp.net'),
  PRICES_KRAKEN_URL: sourceAddress('https://api.kraken.com'),
  PRICES_KRAKEN_SOCKET: sourceAddress('wss://ws.kraken.com/v2'),
  PRICES_COINBASE_URL: sourceAddress('https://api.exchange.coinbase.com'),
  PRICES_COINBASE_SOCKET: sourceAddress('wss://ws-feed.exchange.coinbase.com'),
  PRICES_YAHOO_URL: sourceAddress('https://query2.finance.yahoo.com'),
  PRICES_ALPACA_URL: sourceAddress('https://data.alpaca.markets'),
  PRICES_TIINGO_URL: sourceAddress('https://api.tiingo.com'),
  PRICES_ALPHA_VANTAGE_URL: sourceAddress('https://www.alphavantage.co'),
  PRICES_COINGECKO_URL: sourceAddress('https://api.coingecko.com'),
  PRICES_KUCOIN_URL: sourceAddress('https://api.kucoin.com'),
  PRICES_GATE_URL: sourceAddress('https://api.gateio.ws'),
}
const KEYS = {
  PRICES_ALPACA_KEY: Key,
  PRICES_ALPACA_SECRET: Key,
  PRICES_TIINGO_KEY: Key,
  PRICES_ALPHA_VANTAGE_KEY: Key,
  PRICES_COINGECKO_KEY: Key,
}

/** Addresses of price sources, null to disable one. */
export type PriceSettings = {
  /** False disables all sources; prices then come from files and imports. */
  readonly on: boolean
  readonly urls: Readonly<Record<keyof typeof PRICE_URLS, URL | null>>
  /** Secrets; never log them. Null: the source is disabled, or used without a key if possible. */
  readonly keys: Readonly<Record<keyof typeof KEYS, string | null>>
}

export const PriceEnvironment = z
  .object({ PRICES: z.enum(['on', 'off']).default('on'), ...PRICE_URLS, ...KEYS })
  .transform(({ PRICES, ...env }): PriceSettings => ({ on: PRICES === 'on', urls: env, keys: env }))

export const PRICE_HELP: Readonly<Record<string, string>> = {
  PRICES: 'must be on or off',
  ...helpOf(PRICE_URLS),
  ...Object.fromEntries(
    Object.keys(KEYS).map((name) => [name, 'must be the key as the source gave it']),
  ),
}
