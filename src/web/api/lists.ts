// First, before any schema is made.
import './without-eval.ts'
import { past } from '#contracts/past.ts'
import { dashboardPart, listedCalls, people, targets } from '#contracts/dashboard.ts'
import { predictionOfRow, predictionsOfRows } from '#contracts/prediction-wire.ts'
import { onePrediction, predictionsOf } from '#contracts/predictions.ts'
import { pricesOf } from '#contracts/prices.ts'
import { type AssetKey } from '#domain/asset.ts'
import { type JudgeMode } from '#domain/judging/verdict.ts'
import { type Prediction } from '#domain/claim/prediction.ts'
import { isoDay, type Day } from '#domain/day.ts'
import { z } from 'zod'
import { MOST_WHOLE } from '#domain/listing/part.ts'
import { questionParams, type Question } from '#domain/listing/question.ts'
import { call, CallError } from './call.ts'
import { newestHeard } from './heard.ts'
import { givenPart, type GivenPart } from './part.ts'
import { type CallsPart, type PeoplePart, type TargetsPart } from './queries.ts'
import { pause } from './pause.ts'
import { pastRecord, type PastRecord } from './past.ts'
import { pricesOfPoints, type Prices } from './prices.ts'

/** An invalid point must not cost the others: points are checked one by one later, here only the list. */
const GivenPoints = z.array(
  z.object({ date: z.unknown(), close: z.unknown(), value: z.unknown() }).partial(),
)
const GivenPrices = z.union([GivenPoints, z.object({ data: GivenPoints })])

/** Fetches the daily closes of an asset. */
export async function fetchPrices(asset: AssetKey, signal: AbortSignal): Promise<Prices> {
  const { method, path } = pricesOf[asset]
  const reply = await call({ method, path, reply: GivenPrices }, { signal })
  return pricesOfPoints('data' in reply ? reply.data : reply)
}

/** Fetches the published predictions of an asset, newest first. */
export async function fetchPredictions(
  asset: AssetKey,
  signal: AbortSignal,
): Promise<readonly Prediction[]> {
  const reply = await call(predictionsOf[asset], { query: { v: newestHeard() }, signal })
  return predictionsOfRows('data' in reply ? reply.data : reply)
}

/** The same where there are not too many; null where there are. */
export async function fetchWhole(
  asset: AssetKey,
  signal: AbortSignal,
): Promise<readonly Prediction[] | null> {
  const query = { v: newestHeard(), limit: MOST_WHOLE + 1 }
  const reply = await call(predictionsOf[asset], { query, signal })
  const rows = 'data' in reply ? reply.data : reply
  return rows.length > MOST_WHOLE ? null : predictionsOfRows(rows)
}

/** A word that is being typed is asked for when it rests. */
const TYPED_MS = 200

/** Fetches what a dashboard shows of a large record. */
export async function fetchPart(
  asset: AssetKey,
  question: Question,
  signal: AbortSignal,
): Promise<GivenPart> {
  const { selection, history } = question
  if (selection.search !== '' || history.search !== '') await pause(TYPED_MS, signal)
  const query = { ...questionParams(question), v: newestHeard() }
  return givenPart(await call(dashboardPart, { params: { asset }, query, signal }))
}

/** Fetches further ones of the list beside the chart. */
export async function fetchCalls(
  asset: AssetKey,
  question: Question,
  skip: number,
  signal: AbortSignal,
): Promise<CallsPart> {
  const { selection, mode, past } = question
  const query = {
    status: selection.filter,
    ...(selection.experts.length > 0 && { experts: selection.experts.join(',') }),
    ...(selection.search !== '' && { q: selection.search }),
    judge: mode,
    ...dayQuery(past),
    skip,
    v: newestHeard(),
  }
  const { total, rows } = await call(listedCalls, { params: { asset }, query, signal })
  return { total, ones: predictionsOfRows(rows) }
}

/** Fetches where the open predictions of an asset aim. */
export async function fetchTargets(
  asset: AssetKey,
  mode: JudgeMode,
  past: Day | null,
  signal: AbortSignal,
): Promise<TargetsPart> {
  const query = { judge: mode, ...dayQuery(past), v: newestHeard() }
  const reply = await call(targets, { params: { asset }, query, signal })
  return {
    targets: reply.targets.map(([from, to, low, high, votes, place]) => ({
      name: reply.names[place] ?? '',
      votes,
      days: [from, to],
      prices: [low, high],
    })),
    limits: reply.limits,
    ...(reply.total > reply.targets.length && { total: reply.total }),
  }
}

/** Fetches who has predictions of an asset. @param search a part of their name */
export async function fetchPeople(
  asset: AssetKey,
  search: string,
  past: Day | null,
  signal: AbortSignal,
): Promise<PeoplePart> {
  if (search !== '') await pause(TYPED_MS, signal)
  const query = { q: search, ...dayQuery(past), v: newestHeard() }
  return call(people, { params: { asset }, query, signal })
}

function dayQuery(past: Day | null): { day?: string } {
  return past === null ? {} : { day: isoDay(past) }
}

/** Fetches one prediction; null where none of this id is shown. */
export async function fetchPrediction(id: string, signal: AbortSignal): Promise<Prediction | null> {
  try {
    const { prediction, withdrawn } = await call(onePrediction, { params: { id }, signal })
    return withdrawn ? null : predictionOfRow(prediction)
  } catch (error) {
    if (error instanceof CallError && error.status === 404) return null
    throw error
  }
}

/**
 * Fetches the record of an asset as of a past day.
 *
 * @param before the record of an earlier day; then only what has changed since is sent
 */
export async function fetchPast(
  asset: AssetKey,
  day: Day,
  before: PastRecord | null,
  signal: AbortSignal,
): Promise<PastRecord> {
  const query = {
    day: isoDay(day),
    ...(before && { since: isoDay(before.day), version: before.version }),
  }
  return pastRecord(await call(past, { params: { asset }, query, signal }), before)
}
