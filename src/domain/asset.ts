import { day, type Day } from './day.ts'
import { type Calendar } from './judging/calendar.ts'

export const ASSET_KEYS = ['btc', 'mstr', 'naka'] as const
export type AssetKey = (typeof ASSET_KEYS)[number]

export function byAsset<Value>(of: (asset: AssetKey) => Value): Record<AssetKey, Value> {
  return { btc: of('btc'), mstr: of('mstr'), naka: of('naka') }
}

/**
 * Behaviour of an asset's price axis; amounts in USD.
 *
 * @see public-site.md §9, "BTC axes" and "MSTR axes"
 */
export type AxisRules = {
  /** Padding is 15% of the range, but at least this. */
  readonly leastPadding: number
  /** The axis never starts lower than this, except for `belowZero`. */
  readonly floor: number
  readonly belowZero: boolean
  /** Panning never shows prices below this. */
  readonly panFloor: number
  /** Lower bounds of the top of the axis: at least `top` once a drawn prediction reaches `from`; ascending, `from` 0 first. */
  readonly tops: readonly { readonly from: number; readonly top: number }[]
  readonly home: 'history' | 'year'
  /** The first year of the home window where `home` is `history`. */
  readonly homeFromYear: number
  readonly ticks: number
  /** How the time axis names its ticks: years above 3, months below 1; or years from 2, months below half a year. */
  readonly timeLabels: 'years' | 'months'
  /** Events in the asset's history, marked on the time axis. */
  readonly events: readonly { readonly day: Day; readonly name: string }[]
  /** Free space right of the plot on a phone, CSS pixels. */
  readonly phoneRightMargin: number
}

export type Asset = {
  readonly key: AssetKey
  /** `BTC` */
  readonly symbol: string
  /** `Bitcoin` */
  readonly name: string
  readonly invitedAs?: string
  /** `Bitcoin (BTC)` */
  readonly pickerLabel: string
  readonly route: `/${AssetKey}`
  readonly calendar: Calendar
  /**
   * The asset whose price it has followed since `from`; its earlier history then says little about its volatility. MSTR
   * has held Bitcoin since 2020-08-11. Null for an independent asset.
   */
  readonly follows: { readonly asset: AssetKey; readonly from: Day } | null
  readonly placeholder: string
  /** Height of the chart on a phone, CSS pixels. */
  readonly phoneChartHeight: number
  readonly axis: AxisRules
}

const YEAR_AXIS = {
  floor: 0,
  belowZero: true,
  panFloor: 0,
  tops: [{ from: 0, top: 0 }],
  home: 'year',
  ticks: 5,
  events: [],
  timeLabels: 'months',
  phoneRightMargin: 15,
} as const

export const ASSETS: Readonly<Record<AssetKey, Asset>> = {
  btc: {
    key: 'btc',
    symbol: 'BTC',
    name: 'Bitcoin',
    pickerLabel: 'Bitcoin (BTC)',
    route: '/btc',
    calendar: 'every-day',
    follows: null,
    placeholder: '100,000',
    phoneChartHeight: 280,
    axis: {
      leastPadding: 5_000,
      floor: -1_000,
      belowZero: false,
      panFloor: -2_000,
      tops: [
        { from: 0, top: 200_000 },
        // Only above 300,000.
        { from: 300_000.01, top: 400_000 },
        { from: 1_000_000, top: 1_500_000 },
      ],
      home: 'history',
      homeFromYear: 2015,
      ticks: 6,
      events: [
        { day: day('2012-11-28'), name: 'halving' },
        { day: day('2016-07-09'), name: 'halving' },
        { day: day('2020-05-11'), name: 'halving' },
        { day: day('2024-04-20'), name: 'halving' },
      ],
      timeLabels: 'years',
      phoneRightMargin: 40,
    },
  },
  mstr: {
    key: 'mstr',
    symbol: 'MSTR',
    name: 'Strategy',
    invitedAs: 'MicroStrategy',
    pickerLabel: 'Strategy (MSTR)',
    route: '/mstr',
    calendar: 'new-york',
    follows: { asset: 'btc', from: day('2020-08-11') },
    placeholder: '500',
    phoneChartHeight: 400,
    axis: { ...YEAR_AXIS, leastPadding: 10, homeFromYear: 2019 },
  },
  naka: {
    key: 'naka',
    symbol: 'NAKA',
    name: 'Nakamoto Games',
    pickerLabel: 'Nakamoto Games (NAKA)',
    route: '/naka',
    calendar: 'every-day',
    follows: null,
    placeholder: '10',
    phoneChartHeight: 400,
    axis: { ...YEAR_AXIS, leastPadding: 0.01, homeFromYear: 2021 },
  },
}

/** Looks up an asset by key, ignoring case. */
export function findAsset(key: string): Asset | null {
  const lowerKey = key.trim().toLowerCase()
  return ASSET_KEYS.some((known) => known === lowerKey) ? ASSETS[lowerKey as AssetKey] : null
}

/** The asset as known on a day, without later events such as halvings. */
export function assetUpTo(asset: Asset, day: Day): Asset {
  const events = asset.axis.events.filter((event) => event.day <= day)
  return { ...asset, axis: { ...asset.axis, events } }
}

/** The asset of a page: MSTR if its path contains `/mstr`, NAKA for `/naka`, otherwise BTC (public-site.md §2). */
export function assetOfPath(path: string): Asset {
  const found = ASSET_KEYS.find((key) => key !== 'btc' && path.includes(`/${key}`))
  return ASSETS[found ?? 'btc']
}

/** Texts about an asset, as worded in public-site.md §2 and §8. */
export function assetTexts(
  { symbol, name, invitedAs = name }: Pick<Asset, 'symbol' | 'name' | 'invitedAs'>,
  isPast = false,
) {
  return {
    submitTitle: `Submit ${invitedAs} Prediction`,
    submitHint: `Share your ${symbol} prediction with the community`,
    empty: isPast
      ? `No ${symbol} prediction had been made by then`
      : `No ${symbol} predictions yet`,
    emptyHint: isPast
      ? 'Move on to a later day.'
      : `Be the first to submit a ${invitedAs} prediction!`,
    loadingPredictions: `Loading ${symbol} predictions...`,
    loadingChart: `Loading ${symbol} chart...`,
  }
}
