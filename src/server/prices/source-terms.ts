import { type PriceSourceTerms } from '#contracts/open-data.ts'
import { type AssetKey } from '#domain/asset.ts'
import { type Series } from '#domain/judging/series.ts'

type Terms = Pick<PriceSourceTerms, 'title' | 'licence' | 'terms'> & {
  readonly attribution?: string
}

/**
 * Redistribution terms of the price sources, as of November 2026; most say nothing or forbid it, and none is
 * known to allow it. Not legal advice: operators must check the terms.
 */
const TERMS: Readonly<Record<string, Terms>> = {
  starter: {
    title: 'Starter data',
    attribution: 'Bundled daily closes, compiled from several public sources',
    licence: 'The terms of each quote page differ and are not all known',
    terms: null,
  },
  bitstamp: venue('Bitstamp', 'https://www.bitstamp.net/terms-of-use/'),
  kraken: venue('Kraken', 'https://www.kraken.com/legal'),
  coinbase: venue('Coinbase', 'https://www.coinbase.com/legal/market_data'),
  kucoin: venue('KuCoin', 'https://www.kucoin.com/legal/terms-of-use'),
  gate: venue('Gate', 'https://www.gate.com/user-agreement'),
  yahoo: {
    title: 'Yahoo Finance',
    licence: 'For personal use; passing prices on is not allowed',
    terms: 'https://legal.yahoo.com/us/en/yahoo/terms/otos/index.html',
  },
  alpaca: {
    title: 'Alpaca',
    attribution: 'Market data by Alpaca',
    licence: 'For the holder of the key; passing prices on is not allowed',
    terms: 'https://alpaca.markets/disclosures',
  },
  tiingo: {
    title: 'Tiingo',
    attribution: 'Data by Tiingo',
    licence: 'For the holder of the key; passing prices on needs an agreement',
    terms: 'https://www.tiingo.com/about/terms',
  },
  'alpha-vantage': {
    title: 'Alpha Vantage',
    attribution: 'Data by Alpha Vantage',
    licence: 'For the holder of the key; passing prices on needs an agreement',
    terms: 'https://www.alphavantage.co/terms_of_service/',
  },
  coingecko: {
    title: 'CoinGecko',
    attribution: 'Data provided by CoinGecko',
    licence: 'May be shown with its name and a link; passing prices on as data is not allowed',
    terms: 'https://www.coingecko.com/en/api_terms',
  },
}

function venue(title: string, terms: string): Terms {
  return { title, licence: 'No licence to pass prices on is stated', terms }
}

/** Names of the sources of a bar, such as `bitstamp + kraken`. */
export function sourceNames(source: string): string[] {
  return source.split(' + ').filter((name) => name !== '')
}

/** Terms of all sources of these assets' bars, by name. */
export function termsOfBars(
  prices: Readonly<Record<AssetKey, { readonly series: Pick<Series, 'bars'> }>>,
  assets: readonly AssetKey[],
): PriceSourceTerms[] {
  const sources = new Set(assets.flatMap((key) => prices[key].series.bars.map((bar) => bar.source)))
  const names = new Set([...sources].flatMap(sourceNames))
  return [...names].toSorted((a, b) => a.localeCompare(b)).map(termsOf)
}

/** Terms of a source; imported prices keep their given name. */
export function termsOf(source: string): PriceSourceTerms {
  const known = Object.hasOwn(TERMS, source) ? TERMS[source] : undefined
  const terms = known ?? {
    title: source,
    attribution: `imported by the operator as “${source}”`,
    licence: 'Not stated',
    terms: null,
  }
  return { source, attribution: terms.title, redistributable: false, ...terms }
}
