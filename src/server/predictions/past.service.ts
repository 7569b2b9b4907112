import { type PastPredictionRow, type PastReply } from '#contracts/past.ts'
import { type AssetKey } from '#domain/asset.ts'
import { addDays, isoDay, readDay, showDay, type Day } from '#domain/day.ts'
import { barsAsOf, predictionAsOf } from '#domain/judging/as-of.ts'
import { splitFactor } from '#domain/judging/corporate-action.ts'
import { MOST_WHOLE } from '#domain/listing/part.ts'
import { seriesOf } from '#domain/judging/series.ts'
import { hotList, weightOf, type HotList } from '#server/http/hot-list.ts'
import { failure } from '#server/kit/failure.ts'
import { keepRecent } from '#server/kit/kept.ts'
import { type JudgedPrediction } from '#server/judging/judging.service.ts'
import {
  closedBars,
  packBars,
  type Catalog,
  type CatalogAsset,
  type Snapshot,
} from './catalog.service.ts'
import { predictionRow } from './wire.ts'
import { setImmediate as breathe } from 'node:timers/promises'

/** The record of an asset as of a day, with each prediction as it is sent. */
type PastAsset = {
  /** How many of today's units one unit of that day is. */
  readonly unit: number
  readonly prices: PastReply['prices']
  /** By prediction, newest first. */
  readonly rows: ReadonlyMap<string, { readonly row: PastPredictionRow; readonly text: string }>
}

type Known = { readonly day: Day; readonly version: string }

export type Past = ReturnType<typeof pastService>

/** The record as it was at the end of any past day: what nobody could know then is not in it. */
export function pastService({
  catalog,
}: {
  readonly catalog: Pick<Catalog, 'snapshot' | 'today'>
}) {
  let keptFor: Snapshot | null = null
  // Who moves a slider asks for one day after another, each as a difference to the one before.
  const days = keepRecent<PastAsset>({ most: 60, mostBytes: 24_000_000, bytesOf: weightOfDay })
  const answers = keepRecent<HotList>({
    mostBytes: 12_000_000,
    bytesOf: weightOf,
  })

  function snapshot(): Snapshot {
    const now = catalog.snapshot()
    if (!now) {
      throw failure('unavailable', 'The record is being read. Please try again in a moment.')
    }
    if (keptFor !== now) {
      days.clear()
      answers.clear()
      keptFor = now
    }
    return now
  }

  function pastOf(asset: AssetKey, day: Day): PastAsset {
    const name = `${asset} ${String(day)}`
    const found = days.get(name) ?? pastAsset(snapshot().assets[asset], day)
    days.set(name, found)
    return found
  }

  /**
   * @param known a day that the asker has already, and the version it is of; null for everything
   * @throws AppError `invalid` for a day that is not over
   */
  function reply(asset: AssetKey, day: Day, known: Known | null): PastReply {
    const yesterday = addDays(catalog.today(), -1)
    if (day > yesterday) {
      const fault = `${showDay(day)} is not over yet. Past days are known up to ${showDay(yesterday)}.`
      throw failure('invalid', `day: ${fault}`, { day: fault })
    }
    const version = versionOf(snapshot(), asset)
    const now = pastOf(asset, day)
    const since = known && known.version === version && known.day < day ? known.day : null
    const before = since === null ? null : pastOf(asset, since)
    // After a split every number is another one.
    const base = before?.unit === now.unit ? before : null
    const rows = [...now.rows].filter(([id, { text }]) => base?.rows.get(id)?.text !== text)
    return {
      asset,
      day: isoDay(day),
      since: base && since !== null ? isoDay(since) : null,
      version,
      first: now.prices.closes.length === 0 ? null : isoDay(now.prices.first as Day),
      prices: laterThan(now.prices, base && since !== null ? since : -Infinity),
      more: snapshot().assets[asset].predictions.length > MOST_WHOLE,
      predictions: rows.map(([, { row }]) => row),
    }
  }

  return {
    reply,

    /** The same ready to be sent. @param day and `since` as 2020-03-12 */
    async answer(
      asset: AssetKey,
      day: string,
      { since, version }: { since?: string | undefined; version?: string | undefined },
    ): Promise<HotList> {
      const at = readDay(day)
      if (at === null) throw failure('invalid', 'day: This is not a day.')
      snapshot()
      const from = since === undefined || version === undefined ? null : readDay(since)
      const name = [asset, day, from, version].join(' ')
      const kept = answers.get(name)
      if (kept) return kept
      const made = keptFor
      const known = from === null || version === undefined ? null : { day: from, version }
      const list = await hotList(JSON.stringify(reply(asset, at, known)))
      if (keptFor === made) answers.set(name, list)
      return list
    },
  }
}

/** A tag of the record of an asset, the same in every process that has read the same record. */
export function versionOf({ assets }: Snapshot, asset: AssetKey): string {
  return assets[asset].judged.tag.slice(0, 16)
}

function weightOfDay({ rows, prices }: PastAsset): number {
  const texts = [...rows.values()].reduce((sum, { text }) => sum + text.length, 0)
  return 4 * texts + 16 * prices.closes.length
}

/** The closed bars and the predictions of an asset, now or as they were known at the end of a past day. */
export function recordOn(now: CatalogAsset, past: Day | null) {
  if (past !== null) return recordAsOf(now, past)
  return { bars: closedBars(now.judged), predictions: now.predictions }
}

/** The bars and predictions of an asset as they were known at the end of a past day. */
function recordAsOf(now: CatalogAsset, day: Day) {
  const { bars, asOf } = knownOn(now, day)
  const made = now.predictions.filter((one) => one.made <= day)
  return { bars, predictions: made.map(asOf) }
}

/** Judged at once; in between others are answered. */
const AT_ONCE = 2_000

/** The same of a large record, without what came to the record later. */
export async function largeRecordAsOf(now: CatalogAsset, day: Day) {
  const { bars, asOf } = knownOn(now, day)
  const made = now.predictions.filter((one) => one.made <= day)
  const predictions: JudgedPrediction[] = []
  for (let from = 0; from < made.length; from += AT_ONCE) {
    for (const one of made.slice(from, from + AT_ONCE)) {
      const { odds: _odds, ...then } = asOf(one)
      predictions.push({ ...then, createdAt: '', summary: '', voteScore: 0, sources: [] })
    }
    await breathe()
  }
  return { bars, predictions }
}

function knownOn({ asset, judged }: CatalogAsset, day: Day) {
  const { actions, shown } = judged
  const bars = barsAsOf(judged.series.bars, day, actions, asset.key)
  const series = seriesOf(asset.calendar, bars)
  const asOf = (one: JudgedPrediction): JudgedPrediction =>
    predictionAsOf(one, series, day, actions, shown.get(one.id)?.isFrozen === true)
  return { bars, asOf }
}

function pastAsset(now: CatalogAsset, day: Day): PastAsset {
  const isWhole = now.predictions.length <= MOST_WHOLE
  const { bars, predictions } = recordAsOf(isWhole ? now : { ...now, predictions: [] }, day)
  return {
    unit: splitFactor(now.asset.key, day, now.judged.actions),
    prices: packBars(bars),
    rows: new Map(
      predictions.map((one) => {
        const row = pastRow(one)
        return [one.id, { row, text: JSON.stringify(row) }]
      }),
    ),
  }
}

/** Without what came to the record later. */
function pastRow(prediction: JudgedPrediction): PastPredictionRow {
  const {
    created_at: _createdAt,
    quote: _quote,
    vote_score: _voteScore,
    source_url: _sourceUrl,
    sources: _sources,
    only_reposts: _onlyReposts,
    odds: _odds,
    ...row
  } = predictionRow(prediction)
  return row
}

/** The closes of days after a day. */
function laterThan(prices: PastReply['prices'], after: number): PastReply['prices'] {
  let [day, from] = [prices.first, 0]
  while (from < prices.closes.length && day <= after) {
    day += prices.steps[from] ?? 1
    from += 1
  }
  const closes = prices.closes.slice(from)
  return { first: closes.length === 0 ? 0 : day, steps: prices.steps.slice(from), closes }
}
