import { isEncrypted } from '#server/kit/reach.ts'
import { z } from 'zod'

/** Addresses of price sources; null disables one. */
export type PriceSettings = {
  /** False disables all sources; prices then come from files and imports. */
  readonly on: boolean
  readonly urls: Readonly<Record<PriceUrl, URL | null>>
  /** Secrets; never log them. Null: the source is disabled, or used without a key if possible. */
  readonly keys: Readonly<Record<PriceKey, string | null>>
}

const Key = z
  .string()
  .regex(/^[\x21-\x7e]{1,500}$/)
  .nullable()
  .default(null)

/** Default address of each source, by setting. */
export const PRICE_URLS = {
  PRICES_BITSTAMP_URL: Address('https://www.bitstamp.net'),
  PRICES_KRAKEN_URL: Address('https://api.kraken.com'),
  PRICES_KRAKEN_SOCKET: Address('wss://ws.kraken.com/v2'),
  PRICES_COINBASE_URL: Address('https://api.exchange.coinbase.com'),
  PRICES_COINBASE_SOCKET: Address('wss://ws-feed.exchange.coinbase.com'),
  PRICES_YAHOO_URL: Address('https://query2.finance.yahoo.com'),
  PRICES_ALPACA_URL: Address('https://data.alpaca.markets'),
  PRICES_TIINGO_URL: Address('https://api.tiingo.com'),
  PRICES_ALPHA_VANTAGE_URL: Address('https://www.alphavantage.co'),
  PRICES_COINGECKO_URL: Address('https://api.coingecko.com'),
  PRICES_KUCOIN_URL: Address('https://api.kucoin.com'),
  PRICES_GATE_URL: Address('https://api.gateio.ws'),
}
const KEYS = {
  PRICES_ALPACA_KEY: Key,
  PRICES_ALPACA_SECRET: Key,
  PRICES_TIINGO_KEY: Key,
  PRICES_ALPHA_VANTAGE_KEY: Key,
  PRICES_COINGECKO_KEY: Key,
}

type PriceUrl = keyof typeof PRICE_URLS
type PriceKey = keyof typeof KEYS

function Address(usual: string) {
  return z
    .string()
    .default(usual)
    .refine((text) => text === 'off' || isAddress(text, usual.startsWith('wss:')))
    .transform((text) => (text === 'off' ? null : new URL(text)))
    .describe(usual)
}

/** Environment variables of price sources. */
export const PriceEnvironment = z
  .object({
    PRICES: z.enum(['on', 'off']).default('on'),
    ...PRICE_URLS,
    ...KEYS,
  })
  .transform(({ PRICES, ...env }): PriceSettings => ({
    on: PRICES === 'on',
    urls: env,
    keys: env,
  }))

export const PRICE_HELP: Readonly<Record<string, string>> = {
  PRICES: 'must be on or off',
  ...Object.fromEntries(
    Object.entries(PRICE_URLS).map(([name, { description }]) => [
      name,
      `must be an address such as ${description ?? ''} (unencrypted on this machine only), or off`,
    ]),
  ),
  ...Object.fromEntries(
    Object.keys(KEYS).map((name) => [name, 'must be the key as the source gave it']),
  ),
}

function isAddress(text: string, isSocket: boolean): boolean {
  const url = URL.parse(text)
  if (!url || url.username !== '') return false
  return url.protocol.startsWith('ws') === isSocket && isEncrypted(url)
}
