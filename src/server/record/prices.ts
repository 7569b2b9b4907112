import { type KnownDays } from '#contracts/page.ts'
import { ASSET_KEYS, ASSETS, byAsset, type AssetKey } from '#domain/asset.ts'
import { type Day } from '#domain/day.ts'
import { barsAsOf } from '#domain/judging/as-of.ts'
import { isCloseOnly, type AgreedBar, type CorporateAction } from '#domain/judging/bar.ts'
import { seriesOf, type Series } from '#domain/judging/series.ts'
import { priceHistory, type PriceHistory } from '#domain/scoring/price-history.ts'
import { type Db } from '#server/kit/db.ts'
import { loadBars } from '#server/prices/bars.rows.ts'
import { loadActions } from '#server/prices/price-sources.rows.ts'
import { sourceNames, termsOf } from '#server/prices/source-terms.ts'

export type AssetPrices = {
  readonly series: Series
  /** Bars with a close, without the current one. */
  readonly closed: readonly AgreedBar[]
  readonly known: KnownDays
}

export type Prices = {
  readonly today: Day
  readonly version: number
  readonly actions: readonly CorporateAction[]
  readonly histories: Readonly<Record<AssetKey, PriceHistory>>
} & Readonly<Record<AssetKey, AssetPrices>>

/** Caches prices per version and day. */
export function pricesOnce(db: Db): (version: number, today: Day) => Promise<Prices> {
  let cached: { readonly key: string; readonly prices: Promise<Prices> } | null = null
  return (version, today) => {
    const key = `${String(version)} ${String(today)}`
    if (cached?.key === key) return cached.prices
    const mine = { key, prices: readPrices(db, version, today) }
    cached = mine
    mine.prices.catch(() => {
      if (cached === mine) cached = null
    })
    return mine.prices
  }
}

export async function readPrices(db: Db, version: number, today: Day): Promise<Prices> {
  const actions = await loadActions(db)
  const bars = {
    btc: await loadBars(db, 'btc'),
    mstr: await loadBars(db, 'mstr'),
    naka: await loadBars(db, 'naka'),
  }
  const histories = byAsset((asset) => priceHistory(asset, bars[asset], today))
  const prices = byAsset((asset): AssetPrices => {
    const series = seriesOf(ASSETS[asset].calendar, bars[asset])
    const closed = series.bars.filter((bar) => !bar.moving)
    return { series, closed, known: knownDays(closed) }
  })
  return { today, version, actions, histories, ...prices }
}

function knownDays(closed: readonly AgreedBar[]): KnownDays {
  const names = new Set(closed.flatMap(({ source }) => sourceNames(source)))
  return {
    days: closed.length,
    ranged: closed.filter((bar) => !isCloseOnly(bar)).length,
    sources: [...names]
      .toSorted((a, b) => a.localeCompare(b))
      .map((name) => termsOf(name).attribution),
  }
}

/** Bars of an asset with a close, now or as known at the end of a past day. */
export function barsOn(prices: Prices, asset: AssetKey, asOf: Day | null): readonly AgreedBar[] {
  const { closed } = prices[asset]
  return asOf === null ? closed : barsAsOf(closed, asOf, prices.actions, asset)
}

export function pricedAssets(prices: Prices): AssetKey[] {
  return ASSET_KEYS.filter((key) => prices[key].known.days > 0)
}

/** Closes from one day to another, packed for a page. */
export function packPrices(
  { closed }: Pick<AssetPrices, 'closed'>,
  from = -Infinity,
  to = Infinity,
) {
  return packBars(closed.filter((bar) => bar.day >= from && bar.day <= to))
}

export function closesOf(bars: readonly Pick<AgreedBar, 'day' | 'close'>[]) {
  return { days: bars.map(({ day }) => day), closes: bars.map(({ close }) => close) }
}

export function packBars(bars: readonly Pick<AgreedBar, 'day' | 'close'>[]) {
  const steps = bars.slice(1).map((bar, i) => bar.day - (bars[i]?.day ?? bar.day))
  return {
    first: bars[0]?.day ?? 0,
    steps: steps.slice(0, steps.findLastIndex((step) => step !== 1) + 1),
    closes: bars.map((bar) => bar.close),
  }
}
