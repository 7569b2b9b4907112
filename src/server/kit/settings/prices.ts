import { z } from 'zod'

/** Where each outside source of prices is asked; null leaves it out. */
export type PriceSettings = {
  /** False: nothing outside is asked, and the site lives on files and imports. */
  readonly on: boolean
  readonly urls: Readonly<Record<PriceUrl, URL | null>>
  /** Secrets; never log them. Null: the source is not used, or used without a key where that is possible. */
  readonly keys: Readonly<Record<PriceKey, string | null>>
}

const URLS = {
  PRICES_BITSTAMP_URL: 'https://www.bitstamp.net',
  PRICES_KRAKEN_URL: 'https://api.kraken.com',
  PRICES_KRAKEN_SOCKET: 'wss://ws.kraken.com/v2',
  PRICES_COINBASE_URL: 'https://api.exchange.coinbase.com',
  PRICES_COINBASE_SOCKET: 'wss://ws-feed.exchange.coinbase.com',
  PRICES_YAHOO_URL: 'https://query2.finance.yahoo.com',
  PRICES_ALPACA_URL: 'https://data.alpaca.markets',
  PRICES_TIINGO_URL: 'https://api.tiingo.com',
  PRICES_ALPHA_VANTAGE_URL: 'https://www.alphavantage.co',
  PRICES_COINGECKO_URL: 'https://api.coingecko.com',
  PRICES_KUCOIN_URL: 'https://api.kucoin.com',
  PRICES_GATE_URL: 'https://api.gateio.ws',
} as const
const KEYS = [
  'PRICES_ALPACA_KEY',
  'PRICES_ALPACA_SECRET',
  'PRICES_TIINGO_KEY',
  'PRICES_ALPHA_VANTAGE_KEY',
  'PRICES_COINGECKO_KEY',
] as const

type PriceUrl = keyof typeof URLS
type PriceKey = (typeof KEYS)[number]

const NAMES = Object.keys(URLS) as readonly PriceUrl[]

const Key = z
  .string()
  .regex(/^[\x21-\x7e]{1,500}$/)
  .nullable()
  .default(null)

function Address(usual: string) {
  return z
    .string()
    .default(usual)
    .refine((text) => text === 'off' || isAddress(text, usual.startsWith('wss:')))
    .transform((text) => (text === 'off' ? null : new URL(text)))
}

/** The part of the environment that tells where prices come from. */
export const PriceEnvironment = z
  .object({
    PRICES: z.enum(['on', 'off']).default('on'),
    PRICES_BITSTAMP_URL: Address(URLS.PRICES_BITSTAMP_URL),
    PRICES_KRAKEN_URL: Address(URLS.PRICES_KRAKEN_URL),
    PRICES_KRAKEN_SOCKET: Address(URLS.PRICES_KRAKEN_SOCKET),
    PRICES_COINBASE_URL: Address(URLS.PRICES_COINBASE_URL),
    PRICES_COINBASE_SOCKET: Address(URLS.PRICES_COINBASE_SOCKET),
    PRICES_YAHOO_URL: Address(URLS.PRICES_YAHOO_URL),
    PRICES_ALPACA_URL: Address(URLS.PRICES_ALPACA_URL),
    PRICES_TIINGO_URL: Address(URLS.PRICES_TIINGO_URL),
    PRICES_ALPHA_VANTAGE_URL: Address(URLS.PRICES_ALPHA_VANTAGE_URL),
    PRICES_COINGECKO_URL: Address(URLS.PRICES_COINGECKO_URL),
    PRICES_KUCOIN_URL: Address(URLS.PRICES_KUCOIN_URL),
    PRICES_GATE_URL: Address(URLS.PRICES_GATE_URL),
    PRICES_ALPACA_KEY: Key,
    PRICES_ALPACA_SECRET: Key,
    PRICES_TIINGO_KEY: Key,
    PRICES_ALPHA_VANTAGE_KEY: Key,
    PRICES_COINGECKO_KEY: Key,
  })
  .transform(({ PRICES, ...env }): PriceSettings => ({ on: PRICES === 'on', urls: env, keys: env }))

/** What each of these settings must be. */
export const PRICE_HELP: Readonly<Record<string, string>> = {
  PRICES: 'must be on or off',
  ...Object.fromEntries(
    NAMES.map((name) => [
      name,
      `must be an address such as ${URLS[name]} (unencrypted on this machine only), or off`,
    ]),
  ),
  ...Object.fromEntries(KEYS.map((name) => [name, 'must be the key as the source gave it'])),
}

function isAddress(text: string, isSocket: boolean): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, username } = new URL(text)
  if (username !== '') return false
  if (protocol === (isSocket ? 'wss:' : 'https:')) return true
  const isLoopback = hostname === 'localhost' || /^(127\.|\[::1\]$)/.test(hostname)
  return isLoopback && protocol === (isSocket ? 'ws:' : 'http:')
}
