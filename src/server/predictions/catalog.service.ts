import { createHash } from 'node:crypto'
import { type PackedPrices } from '#contracts/packed-prices.ts'
import { type KnownDays, type PageMetrics } from '#contracts/page.ts'
import { ASSET_KEYS, ASSETS, type Asset, type AssetKey } from '#domain/asset.ts'
import { isCloseOnly, type AgreedBar } from '#domain/judging/bar.ts'
import { dayOfTime, isoDay, type Day } from '#domain/day.ts'
import { type Series } from '#domain/judging/series.ts'
import { type JudgeMode } from '#domain/judging/verdict.ts'
import { oddsOf } from '#domain/scoring/call-odds.ts'
import { priceHistory, type PriceHistories } from '#domain/scoring/price-history.ts'
import { levelFigures } from '#domain/intro-metrics.ts'
import { type Clock } from '#server/kit/ports.ts'
import { type Db } from '#server/kit/db.ts'
import { oneAtATime } from '#server/kit/one-at-a-time.ts'
import { hotList, type HotList } from '#server/http/hot-list.ts'
import {
  judgedPrediction,
  readJudged,
  type JudgedAsset,
  type JudgedPrediction,
} from '#server/judging/judging.service.ts'
import { newestEvents } from '#server/judging/verdicts.rows.ts'
import { loadDecisions, type StoredDecision } from '#server/goalposts/revision-decisions.rows.ts'
import { revisionsOf, type Revisions } from '#server/goalposts/revisions.ts'
import { sourceNames, termsOf } from '#server/prices/source-terms.ts'
import { assetPredictionRow, predictionRow } from './wire.ts'

/** The lists that every visitor asks for. */
export type HotName = `${AssetKey} prices` | `${AssetKey} predictions` | 'metrics'

export type CatalogAsset = {
  readonly asset: Asset
  readonly judged: JudgedAsset
  readonly known: KnownDays
  /** Newest first. */
  readonly predictions: readonly JudgedPrediction[]
  /** Taken off the lists: in no figure and on no chart; each keeps its page. */
  readonly withdrawn: readonly JudgedPrediction[]
}

/** Everything the site shows, as of one moment. */
export type Snapshot = {
  /** The same in every process that shows the same predictions with the same verdicts, and another one when any differs. */
  readonly version: string
  readonly assets: Readonly<Record<AssetKey, CatalogAsset>>
  readonly metrics: PageMetrics
  readonly hot: ReadonlyMap<HotName, HotList>
  readonly byId: ReadonlyMap<string, JudgedPrediction>
  readonly withdrawn: ReadonlyMap<string, JudgedPrediction>
  /** All assets together, newest first. */
  readonly byExpert: ReadonlyMap<string, readonly JudgedPrediction[]>
  readonly revisions: Revisions
  /** Of each prediction, the newest event that is surely in this state. */
  readonly newestEvents: ReadonlyMap<string, number>
}

export type Catalog = ReturnType<typeof catalogService>

/**
 * What is on record, read once and kept in memory until it changes: a page is served without a query. `refresh` reads
 * it again; while it does, and when it fails, the last good state is served.
 */
export function catalogService({ db, clock }: { db: Db; clock: Clock }) {
  let current: Snapshot | null = null
  const listeners = new Set<(before: Snapshot | null) => void>()

  async function read(): Promise<void> {
    const today = dayOfTime(clock.now())
    // Read first: what comes meanwhile may be in the rest or not.
    const events = await newestEvents(db)
    const decisions = await loadDecisions(db)
    const judged = await Promise.all(ASSET_KEYS.map((key) => readJudged(db, key, today)))
    const histories = historiesOf(judged, today)
    const assets = judged.map((one) => catalogAsset(one, histories))
    const before = current
    current = await snapshotOf(assets, { events, decisions, before }, today)
    for (const listener of listeners) listener(before)
  }

  return {
    refresh: oneAtATime(read),
    /** The last good state; null before the first. */
    snapshot: (): Snapshot | null => current,
    today: (): Day => dayOfTime(clock.now()),
    /** The bars of an asset, prepared for judging; null before the first good state. */
    series: (key: AssetKey): Series | null => current?.assets[key].judged.series ?? null,
    /**
     * Calls back when it has been read again.
     *
     * @param listener gets the state before; must not throw
     * @returns ends it
     */
    onRefresh(listener: (before: Snapshot | null) => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

function historiesOf(judged: readonly JudgedAsset[], today: Day): PriceHistories {
  return Object.fromEntries(
    judged.map(({ asset, series }) => [asset, priceHistory(asset, series.bars, today)]),
  )
}

function catalogAsset(judged: JudgedAsset, histories: PriceHistories): CatalogAsset {
  const all = judged.rows
    .map(({ stored, splitFactor, verdicts }) =>
      withOdds(judgedPrediction(stored, splitFactor, verdicts), histories),
    )
    .toSorted(newestFirst)
  return {
    asset: ASSETS[judged.asset],
    judged,
    known: knownDays(judged),
    predictions: all.filter((one) => !one.withdrawn),
    withdrawn: all.filter((one) => one.withdrawn),
  }
}

function withOdds(one: JudgedPrediction, histories: PriceHistories): JudgedPrediction {
  const history = histories[one.asset]
  if (!history) return one
  const odds = (mode: JudgeMode) => oddsOf(histories, history, one, one.verdicts[mode], mode)
  return { ...one, odds: { touch: odds('touch'), close: odds('close') } }
}

/** The order of the lists. */
export function newestFirst(
  a: Pick<JudgedPrediction, 'made' | 'id'>,
  b: Pick<JudgedPrediction, 'made' | 'id'>,
): number {
  return b.made - a.made || (a.id < b.id ? -1 : 1)
}

async function snapshotOf(
  assets: readonly CatalogAsset[],
  {
    events,
    decisions,
    before,
  }: {
    readonly events: Snapshot['newestEvents']
    readonly decisions: readonly StoredDecision[]
    readonly before: Snapshot | null
  },
  today: Day,
): Promise<Snapshot> {
  const of = (key: AssetKey): CatalogAsset => {
    const found = assets.find((one) => one.asset.key === key)
    if (!found) throw new Error(`no catalogue of ${key}`)
    return found
  }
  const all = assets.flatMap((one) => one.predictions).toSorted(newestFirst)
  const metrics = metricsOf(assets, today)
  const hot = new Map<HotName, HotList>()
  const ready = async (name: HotName, body: string): Promise<void> => {
    hot.set(name, await hotList(body, before?.hot.get(name)))
  }
  for (const { asset, judged, predictions } of assets) {
    const prices = closedBars(judged).map((bar) => ({ date: isoDay(bar.day), close: bar.close }))
    const encode = asset.key === 'btc' ? predictionRow : assetPredictionRow
    // Bitcoin's lists are plain arrays, all others are in an envelope (public-site.md §7).
    const wrap = (data: unknown): string =>
      JSON.stringify(asset.key === 'btc' ? data : { success: true, data })
    await ready(`${asset.key} prices`, wrap(prices))
    await ready(`${asset.key} predictions`, wrap(predictions.map(encode)))
  }
  await ready('metrics', JSON.stringify({ success: true, data: metrics }))
  return {
    assets: { btc: of('btc'), mstr: of('mstr'), naka: of('naka') },
    version: versionOf(hot, events, decisions),
    metrics,
    hot,
    byId: new Map(all.map((one) => [one.id, one])),
    withdrawn: new Map(assets.flatMap((one) => one.withdrawn).map((one) => [one.id, one])),
    byExpert: Map.groupBy(all, (one) => one.expert.slug),
    revisions: revisionsOf(all, (key) => of(key).judged.series, decisions),
    newestEvents: events,
  }
}

function versionOf(
  hot: Snapshot['hot'],
  events: Snapshot['newestEvents'],
  decisions: readonly StoredDecision[],
): string {
  const lists = ASSET_KEYS.map((key) => hot.get(`${key} predictions`)?.etag)
  // Some events change no list, such as one that freezes a verdict. Their numbers only grow, and so does the sum.
  const eventsSum = [...events.values()].reduce((sum, event) => sum + event, 0)
  const text = JSON.stringify([lists, eventsSum, decisions])
  return createHash('sha256').update(text).digest('base64url').slice(0, 16)
}

function metricsOf(assets: readonly CatalogAsset[], today: Day): PageMetrics {
  const btc = assets.find((one) => one.asset.key === 'btc')?.predictions ?? []
  const shown = btc.map(({ claim, by, verdicts }) => ({
    claim,
    by,
    outcome: verdicts.touch.outcome,
  }))
  const { average, spread, median, lowest, highest } = levelFigures(shown, today)
  const total = assets.reduce((sum, one) => sum + one.predictions.length, 0)
  return {
    totalPredictions: total,
    averagePrediction: average,
    predictionSpread: spread,
    medianPrediction: median,
    lowestPrediction: lowest,
    highestPrediction: highest,
  }
}

/** The bars that have a close: one that still moves has none yet. */
export function closedBars({ series }: JudgedAsset): readonly AgreedBar[] {
  return series.bars.filter((bar) => !bar.moving)
}

function knownDays(judged: JudgedAsset): KnownDays {
  const bars = closedBars(judged)
  const names = new Set(bars.flatMap(({ source }) => sourceNames(source)))
  return {
    days: bars.length,
    ranged: bars.filter((bar) => !isCloseOnly(bar)).length,
    sources: [...names]
      .toSorted((a, b) => a.localeCompare(b))
      .map((name) => termsOf(name).attribution),
  }
}

/** The closes from one day to another, packed for a page. */
export function packPrices(judged: JudgedAsset, from = -Infinity, to = Infinity): PackedPrices {
  return packBars(closedBars(judged).filter((bar) => bar.day >= from && bar.day <= to))
}

export function packBars(bars: readonly Pick<AgreedBar, 'day' | 'close'>[]) {
  return {
    first: bars[0]?.day ?? 0,
    steps: bars.slice(1).map((bar, i) => bar.day - (bars[i]?.day ?? bar.day)),
    closes: bars.map((bar) => bar.close),
  }
}
