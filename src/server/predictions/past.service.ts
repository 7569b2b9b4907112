import { type PastPredictionRow, type PastReply } from '#contracts/past.ts'
import { type AssetKey } from '#domain/asset.ts'
import { addDays, isoDay, readDay, showDay, type Day } from '#domain/day.ts'
import { barsAsOf, predictionAsOf } from '#domain/judging/as-of.ts'
import { splitFactor } from '#domain/judging/corporate-action.ts'
import { seriesOf } from '#domain/judging/series.ts'
import { hotList, type HotList } from '#server/http/hot-list.ts'
import { failure } from '#server/kit/failure.ts'
import { keepRecent } from '#server/kit/kept.ts'
import { type JudgedPrediction } from '#server/judging/judging.service.ts'
import { packBars, type Catalog, type CatalogAsset, type Snapshot } from './catalog.service.ts'
import { predictionRow } from './wire.ts'

/** The record of an asset as of a day, with each prediction as it is sent. */
type PastAsset = {
  /** How many of today's units one unit of that day is. */
  readonly unit: number
  readonly prices: PastReply['prices']
  /** By prediction, newest first. */
  readonly rows: ReadonlyMap<string, { readonly row: PastPredictionRow; readonly text: string }>
}

export type Past = ReturnType<typeof pastService>

/** The record as it was at the end of any past day: what nobody could know then is not in it. */
export function pastService({
  catalog,
}: {
  readonly catalog: Pick<Catalog, 'snapshot' | 'today'>
}) {
  let keptFor: Snapshot | null = null
  // Who moves a slider asks for one day after another, each as a difference to the one before.
  const days = keepRecent<PastAsset>({ most: 60, mostBytes: 24_000_000, bytesOf: weightOf })
  const answers = keepRecent<HotList>({
    mostBytes: 12_000_000,
    bytesOf: ({ plain, gzip, br }) => plain.length + gzip.length + br.length,
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
   * @param since a day that the asker knows already; null for everything
   * @throws AppError `invalid` for a day that is not over
   */
  function reply(asset: AssetKey, day: Day, since: Day | null): PastReply {
    const yesterday = addDays(catalog.today(), -1)
    if (day > yesterday) {
      const fault = `${showDay(day)} is not over yet. Past days are known up to ${showDay(yesterday)}.`
      throw failure('invalid', `day: ${fault}`, { day: fault })
    }
    snapshot()
    const now = pastOf(asset, day)
    const before = since !== null && since < day ? pastOf(asset, since) : null
    // After a split every number is another one.
    const known = before?.unit === now.unit ? before : null
    const rows = [...now.rows].filter(([id, { text }]) => known?.rows.get(id)?.text !== text)
    const from = known && since !== null ? since : -Infinity
    return {
      asset,
      day: isoDay(day),
      since: known && since !== null ? isoDay(since) : null,
      first: now.prices.closes.length === 0 ? null : isoDay(now.prices.first as Day),
      prices: laterThan(now.prices, from),
      predictions: rows.map(([, { row }]) => row),
    }
  }

  return {
    reply,

    /** The same ready to be sent. @param day and `since` as 2020-03-12 */
    async answer(asset: AssetKey, day: string, since: string | undefined): Promise<HotList> {
      const at = readDay(day)
      if (at === null) throw failure('invalid', 'day: This is not a day.')
      snapshot()
      const name = `${asset} ${day} ${since ?? ''}`
      const kept = answers.get(name)
      if (kept) return kept
      const made = keptFor
      const list = await hotList(
        JSON.stringify(reply(asset, at, since === undefined ? null : readDay(since))),
      )
      if (keptFor === made) answers.set(name, list)
      return list
    },
  }
}

function weightOf({ rows, prices }: PastAsset): number {
  const texts = [...rows.values()].reduce((sum, { text }) => sum + text.length, 0)
  return 4 * texts + 16 * prices.closes.length
}

function pastAsset({ asset, judged, predictions }: CatalogAsset, day: Day): PastAsset {
  const { actions, rows } = judged
  const bars = barsAsOf(judged.series.bars, day, actions, asset.key)
  const series = seriesOf(asset.calendar, bars)
  const frozen = new Set(
    rows.flatMap(({ stored }) => (stored.frozenAt === null ? [] : [stored.id])),
  )
  const then = predictions
    .filter(({ made }) => made <= day)
    .map((one) => predictionAsOf(one, series, day, actions, frozen.has(one.id)))
  return {
    unit: splitFactor(asset.key, day, actions),
    prices: packBars(bars),
    rows: new Map(
      then.map((one) => {
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
