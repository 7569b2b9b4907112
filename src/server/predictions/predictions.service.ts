import { type z } from 'zod'
import { type assets, PastPredictionRow } from '#contracts/predictions.ts'
import { type livePrice, type ranges, judgedBarRow } from '#contracts/prices.ts'
import { ASSET_KEYS, ASSETS, type AssetKey } from '#domain/asset.ts'
import { dayOfTime, isoDay, addDays, showDay, type Day } from '#domain/day.ts'
import { type AgreedBar } from '#domain/judging/bar.ts'
import { sessionOf } from '#domain/judging/series.ts'
import { barsThatJudge } from '#domain/judging/steps.ts'
import { sentencesOf } from '#domain/judging/verdict-text.ts'
import { type SignedRecord } from '#server/attestation/attestation.service.ts'
import { goalpostsRow, revisionsAmong } from '#server/goalposts/goalposts.service.ts'
import { type JudgedPrediction } from '#server/judging/judging.service.ts'
import { historyOf } from '#server/judging/verdicts.rows.ts'
import { type Db } from '#server/kit/db.ts'
import { failure } from '#server/kit/failure.ts'
import { type Kit } from '#server/kit/kit.ts'
import { iso } from '#server/kit/time.ts'
import { type Tokens } from '#server/kit/tokens.ts'
import { type Snapshots } from '#server/open-data/snapshots/snapshots.service.ts'
import {
  firmNamed,
  influencerBySlug,
  peopleOfFirm,
  type Influencer,
} from '#server/people/people.rows.ts'
import { type LivePrices } from '#server/prices/live-prices.ts'
import { BY_DAY } from '#server/record/list-query.ts'
import { barsOn, type Prices } from '#server/record/prices.ts'
import { type PublicRecord } from '#server/record/record.service.ts'
import { publicReplies } from '#server/replies/replies.rows.ts'
import { type ScoresService } from '#server/scores/scores.service.ts'
import { historyRows, predictionRow } from './wire.ts'

/** What public pages, files and calls are made of. */
export type PublicSite = Pick<Kit, 'db' | 'readDb' | 'config'> & {
  readonly record: PublicRecord
  readonly live: LivePrices
  readonly signed: SignedRecord
  readonly scores: ScoresService
  readonly snapshots: Snapshots
  readonly tokens: Tokens
}

/** @throws AppError `not_found` */
export async function recorded(record: PublicRecord, id: string): Promise<JudgedPrediction> {
  const one = await record.find(id)
  if (!one) throw failure('not_found', 'There is no prediction at this address.')
  return one
}

/**
 * Former addresses, and those of merged influencers, lead to the current one.
 * @throws AppError `not_found`
 */
export async function expertAt(db: Db, slug: string): Promise<Influencer> {
  const expert = await influencerBySlug(db, slug)
  if (!expert) throw failure('not_found', 'There is no expert at this address.')
  return expert
}

export async function predictionReply({ readDb: db, record, signed }: PublicSite, id: string) {
  const one = await recorded(record, id)
  const { expert, withdrawn } = one
  const calls = await record.list({ experts: [expert.slug] }, { order: BY_DAY })
  const [chains, history, replies, short] = await Promise.all([
    revisionsAmong(db, record, calls),
    historyOf(db, id),
    publicReplies(db, { influencerId: expert.id, predictionId: id }),
    signed.shortOf(id),
  ])
  const chain = chains.find(({ calls }) => calls.some((call) => call.id === id))
  return {
    prediction: predictionRow(one),
    ...sentencesOf(one),
    withdrawn: withdrawn && { at: iso(withdrawn.at), reason: withdrawn.reason },
    record: short,
    goalposts: chain ? goalpostsRow(chain) : null,
    history: historyRows(history),
    replies,
  }
}

/** Bars for visitors who judge a prediction themselves. */
export async function barsReply(record: PublicRecord, id: string) {
  const one = await recorded(record, id)
  const { series } = (await record.prices())[one.asset]
  return {
    asset: one.asset,
    final_through: series.finalThrough === null ? null : isoDay(series.finalThrough),
    bars: barsThatJudge(series, one).map(judgedBarRow),
  }
}

export async function expertReply({ readDb: db, record }: PublicSite, slug: string) {
  const expert = await expertAt(db, slug)
  const theirs = await record.list({ experts: [expert.slug] }, { order: BY_DAY })
  const [chains, replies, firm, people] = await Promise.all([
    revisionsAmong(db, record, theirs),
    publicReplies(db, { influencerId: expert.id, predictionId: null }),
    expert.firm === null ? null : firmNamed(db, expert.firm),
    expert.isFirm ? peopleOfFirm(db, expert.id) : [],
  ])
  return {
    expert: {
      id: expert.id,
      name: expert.name,
      slug: expert.slug,
      x_handle: expert.handle,
      is_firm: expert.isFirm,
      firm: expert.firm === null ? null : { name: expert.firm, slug: firm?.slug ?? null },
      people: people.map(({ name, slug: address }) => ({ name, slug: address })),
      predictions: theirs.length,
    },
    predictions: theirs.map(predictionRow),
    goalposts: chains.map(goalpostsRow),
    replies,
  }
}

export async function assetsReply(record: PublicRecord): Promise<z.infer<typeof assets.reply>> {
  const prices = await record.prices()
  const rows = ASSET_KEYS.map(async (key) => {
    const { symbol, name, route } = ASSETS[key]
    const bars = prices[key].closed
    const [first, last] = [bars[0], bars.at(-1)]
    return {
      key,
      symbol,
      name,
      route,
      first_bar: first ? isoDay(first.day) : null,
      last_bar: last ? isoDay(last.day) : null,
      bars: bars.length,
      predictions: await record.count({ asset: key }),
      sources: [...new Set(bars.flatMap((bar) => bar.source.split(' + ')))].toSorted(),
    }
  })
  return Promise.all(rows)
}

export async function lastPrice(
  { record, live }: Pick<PublicSite, 'record' | 'live'>,
  asset: AssetKey,
): Promise<z.infer<typeof livePrice.reply>> {
  const close = (await record.prices())[asset].closed.at(-1)
  const now = live.last(asset)
  // A close after the last live price is newer.
  const closedAt = close ? (sessionOf(ASSETS[asset].calendar, close.day)?.end ?? 0) : 0
  if (now && now.at >= closedAt) {
    const { price, at, source } = now
    return { price, date: isoDay(dayOfTime(at)), source, at: new Date(at).toISOString() }
  }
  return {
    price: close?.close ?? null,
    date: close ? isoDay(close.day) : null,
    source: close?.source ?? null,
    at: null,
  }
}

/**
 * A prediction as of the end of a past day.
 * @throws AppError `not_found` if it was made later, `invalid` for a day that is not over
 */
export async function pastPredictionOf(record: PublicRecord, id: string, day: Day) {
  const yesterday = addDays(record.today(), -1)
  if (day > yesterday) {
    const fault = `${showDay(day)} is not over yet. Past days are known up to ${showDay(yesterday)}.`
    throw failure('invalid', `day: ${fault}`, { day: fault })
  }
  const [one] = await record.list({ ids: [id], asOf: day })
  if (!one) throw failure('not_found', 'There is no prediction at this address.')
  return PastPredictionRow.parse(predictionRow(one))
}

/** Highs and lows between two days. @param asOf excludes what became known after this day; null for now */
export function rangesOf(
  prices: Prices,
  asset: AssetKey,
  [from, to]: readonly [Day, Day],
  asOf: Day | null,
): z.input<typeof ranges.reply> {
  return barsOn(prices, asset, asOf)
    .filter(({ day }) => day >= from && day <= to)
    .flatMap((bar) => rangedDay(bar) ?? [])
    .map(({ day, ...usd }) => ({ date: isoDay(day), ...usd }))
}

type RangedBar = Pick<AgreedBar, 'day' | 'open' | 'close'> & {
  readonly high: number
  readonly low: number
}

/** Null if only the close is known, or the sources agree on no price of the day. */
export function rangedDay({ day, open, high, low, close }: AgreedBar): RangedBar | null {
  if (high === null || low === null || low > high) return null
  return { day, open, high, low, close }
}
