import { createHash } from 'node:crypto'
import { type PackedPrices } from '#contracts/packed-prices.ts'
import { type KnownDays, type PageMetrics } from '#contracts/page.ts'
import { ASSET_KEYS, ASSETS, type Asset, type AssetKey } from '#domain/asset.ts'
import { isCloseOnly, type AgreedBar } from '#domain/judging/bar.ts'
import { dayOfTime, isoDay, type Day } from '#domain/day.ts'
import { type Series } from '#domain/judging/series.ts'
import { levelFigures } from '#domain/intro-metrics.ts'
import { type Clock } from '#server/kit/ports.ts'
import { type Db } from '#server/kit/db.ts'
import { oneAtATime } from '#server/kit/one-at-a-time.ts'
import { hotList, largeList, type HotList } from '#server/http/hot-list.ts'
import { type JudgedPrediction } from '#server/judging/judging.service.ts'
import {
  readShown,
  shownIn,
  type ShownAsset,
  type ShownRecord,
} from '#server/judging/shown.service.ts'
import { loadDecisions, type StoredDecision } from '#server/goalposts/revision-decisions.rows.ts'
import { revisionsOf, type Revisions } from '#server/goalposts/revisions.ts'
import { sourceNames, termsOf } from '#server/prices/source-terms.ts'
import { assetPredictionRow, predictionRow } from './wire.ts'

/** The lists that every visitor asks for. */
export type HotName = `${AssetKey} prices` | `${AssetKey} predictions` | 'metrics'

export type CatalogAsset = {
  readonly asset: Asset
  readonly judged: ShownAsset
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
  /** Ready lists, and those of large records, which are packed when someone asks. */
  readonly hot: (name: HotName) => Promise<HotList>
  readonly ready: ReadonlyMap<HotName, HotList>
  /** Those on the lists, newest first. */
  readonly byId: Listed
  readonly withdrawn: ReadonlyMap<string, JudgedPrediction>
  /** All assets together, newest first. */
  readonly byExpert: ReadonlyMap<string, readonly JudgedPrediction[]>
  readonly revisions: Revisions
  /** The number of the newest event of a prediction that is in this state; 0 of one that is not on record. */
  readonly newestEvent: (id: string) => number
  readonly record: ShownRecord
}

/** Predictions by their id; a second map of a large record would take megabytes. */
type Listed = Pick<
  ReadonlyMap<string, JudgedPrediction>,
  'get' | 'has' | 'keys' | 'size' | 'values'
>

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
    const before = current
    const { record, decisions } = await db.transaction(
      async (tx) => ({
        record: await readShown(tx, today, before?.record ?? null),
        decisions: await loadDecisions(tx),
      }),
      { isolationLevel: 'repeatable read', accessMode: 'read only' },
    )
    current = await snapshotOf(record, decisions, before, today)
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

function catalogAsset(judged: ShownAsset): CatalogAsset {
  const all = [...judged.shown.values()].map(({ prediction }) => prediction).sort(newestFirst)
  return {
    asset: ASSETS[judged.asset],
    judged,
    known: knownDays(judged),
    predictions: all.filter((one) => !one.withdrawn),
    withdrawn: all.filter((one) => one.withdrawn),
  }
}

/** The order of the lists. */
export function newestFirst(
  a: Pick<JudgedPrediction, 'made' | 'id'>,
  b: Pick<JudgedPrediction, 'made' | 'id'>,
): number {
  return b.made - a.made || (a.id < b.id ? -1 : 1)
}

async function snapshotOf(
  record: ShownRecord,
  decisions: readonly StoredDecision[],
  before: Snapshot | null,
  today: Day,
): Promise<Snapshot> {
  const assets = {
    btc: catalogAsset(record.assets.btc),
    mstr: catalogAsset(record.assets.mstr),
    naka: catalogAsset(record.assets.naka),
  }
  const each = Object.values(assets)
  const all = each.flatMap((one) => one.predictions).sort(newestFirst)
  const metrics = metricsOf(each, today)
  const byExpert = Map.groupBy(all, (one) => one.expert.slug)
  return {
    assets,
    version: versionOf(record, decisions),
    metrics,
    ...(await listsOf(each, metrics, before)),
    byId: listedOf(record, all),
    withdrawn: new Map(each.flatMap((one) => one.withdrawn).map((one) => [one.id, one])),
    byExpert,
    revisions: revisionsOf(byExpert, (key) => record.assets[key].series, decisions),
    newestEvent: (id) => shownIn(record, id)?.event ?? 0,
    record,
  }
}

/** @param all of it that are not withdrawn */
function listedOf(record: ShownRecord, all: readonly JudgedPrediction[]): Listed {
  const get = (id: string): JudgedPrediction | undefined => {
    const found = shownIn(record, id)?.prediction
    return found?.withdrawn ? undefined : found
  }
  return {
    get,
    has: (id) => get(id) !== undefined,
    size: all.length,
    keys: () => all.map(({ id }) => id).values(),
    values: () => all.values(),
  }
}

/** Lists of more predictions are packed when someone asks for one: it takes seconds, and they are rarely asked for. */
const MOST_READY = 5_000
/** So many are written at a time. */
const PART = 100

async function listsOf(
  assets: readonly CatalogAsset[],
  metrics: PageMetrics,
  before: Snapshot | null,
): Promise<Pick<Snapshot, 'hot' | 'ready'>> {
  const ready = new Map<HotName, HotList>()
  const make = async (name: HotName, body: string): Promise<void> => {
    ready.set(name, await hotList(body, before?.ready.get(name)))
  }
  for (const one of assets) {
    const prices = closedBars(one.judged).map(({ day, close }) => ({ date: isoDay(day), close }))
    await make(`${one.asset.key} prices`, [...listText(one, [prices])].join(''))
    if (one.predictions.length > MOST_READY) continue
    await make(`${one.asset.key} predictions`, [...predictionsText(one)].join(''))
  }
  await make('metrics', JSON.stringify({ success: true, data: metrics }))
  const packed = new Map<HotName, Promise<HotList>>()
  const hot = async (name: HotName): Promise<HotList> => {
    const known = ready.get(name) ?? packed.get(name)
    if (known) return known
    const large = assets.find(({ asset }) => name === `${asset.key} predictions`)
    if (!large) throw new Error(`no list of ${name}`)
    const list = largeList(predictionsText(large))
    packed.set(name, list)
    list.catch(() => packed.delete(name))
    return list
  }
  return { hot, ready }
}

function predictionsText(of: CatalogAsset): Iterable<string> {
  const { asset, predictions } = of
  const rowOf = asset.key === 'btc' ? predictionRow : assetPredictionRow
  function* parts() {
    for (let from = 0; from < predictions.length; from += PART) {
      yield predictions.slice(from, from + PART).map(rowOf)
    }
  }
  return listText(of, parts())
}

/** The text of a list, in parts. Bitcoin's lists are plain arrays, all others are in an envelope (public-site.md §7). */
function* listText({ asset }: CatalogAsset, parts: Iterable<readonly unknown[]>): Iterable<string> {
  yield asset.key === 'btc' ? '[' : '{"success":true,"data":['
  let isFirst = true
  for (const rows of parts) {
    if (rows.length === 0) continue
    yield `${isFirst ? '' : ','}${JSON.stringify(rows).slice(1, -1)}`
    isFirst = false
  }
  yield asset.key === 'btc' ? ']' : ']}'
}

function versionOf({ assets }: ShownRecord, decisions: readonly StoredDecision[]): string {
  const text = JSON.stringify([ASSET_KEYS.map((key) => assets[key].tag), decisions])
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

type OfSeries = Pick<ShownAsset, 'series'>

/** The bars that have a close: one that still moves has none yet. */
export function closedBars({ series }: OfSeries): readonly AgreedBar[] {
  return series.bars.filter((bar) => !bar.moving)
}

function knownDays(judged: OfSeries): KnownDays {
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
export function packPrices(judged: OfSeries, from = -Infinity, to = Infinity): PackedPrices {
  return packBars(closedBars(judged).filter((bar) => bar.day >= from && bar.day <= to))
}

export function packBars(bars: readonly Pick<AgreedBar, 'day' | 'close'>[]) {
  return {
    first: bars[0]?.day ?? 0,
    steps: bars.slice(1).map((bar, i) => bar.day - (bars[i]?.day ?? bar.day)),
    closes: bars.map((bar) => bar.close),
  }
}
