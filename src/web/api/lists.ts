import { type OpenTargets } from '#chart/open-targets.ts'
import { dashboardPart, listedCalls, people, targets } from '#contracts/dashboard.ts'
import {
  listedOfRow,
  predictionOfPastRow,
  predictionOfRow,
  predictionsOfRows,
} from '#contracts/prediction-wire.ts'
import { pastPrediction, onePrediction, predictionsOf } from '#contracts/predictions.ts'
import { type AssetKey } from '#domain/asset.ts'
import { isoDay, type Day } from '#domain/day.ts'
import { type JudgeMode } from '#domain/judging/verdict.ts'
import { questionParams, type Question } from '#domain/listing/part.ts'
import { pause } from '#web/ui/hooks.ts'
import { call, CallError } from './call.ts'
import { pageVersion } from './page-data.ts'
import {
  loadedPart,
  type CallsPart,
  type FoundPrediction,
  type LoadedPart,
  type PeoplePart,
} from './part.ts'

export async function fetchPredictions(asset: AssetKey, signal: AbortSignal) {
  const reply = await call(predictionsOf[asset], { query: { v: pageVersion() }, signal })
  return predictionsOfRows('data' in reply ? reply.data : reply)
}

/** Debounce for typed search words. */
const TYPED_MS = 200

export async function fetchPart(
  asset: AssetKey,
  question: Question,
  signal: AbortSignal,
): Promise<LoadedPart> {
  const { selection, history } = question
  if (selection.search !== '' || history.search !== '') await pause(TYPED_MS, signal)
  const query = { ...questionParams(question), v: pageVersion() }
  return loadedPart(await call(dashboardPart, { params: { asset }, query, signal }), asset)
}

export async function fetchCalls(
  asset: AssetKey,
  question: Question,
  cursor: string,
  signal: AbortSignal,
): Promise<CallsPart> {
  const { selection, mode, past } = question
  const query = {
    status: selection.filter,
    ...(selection.experts.length > 0 && { experts: selection.experts.join(',') }),
    ...(selection.search !== '' && { q: selection.search }),
    judge: mode,
    ...dayQuery(past),
    cursor,
    v: pageVersion(),
  }
  const { rows, ...page } = await call(listedCalls, { params: { asset }, query, signal })
  return { ...page, ones: rows.flatMap((row) => listedOfRow(row, asset) ?? []) }
}

export async function fetchTargets(
  asset: AssetKey,
  mode: JudgeMode,
  past: Day | null,
  signal: AbortSignal,
): Promise<OpenTargets> {
  const query = { judge: mode, ...dayQuery(past), v: pageVersion() }
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

/**
 * Fetches people with predictions of an asset.
 *
 * @param search part of a name
 */
export async function fetchPeople(
  asset: AssetKey,
  search: string,
  past: Day | null,
  signal: AbortSignal,
): Promise<PeoplePart> {
  if (search !== '') await pause(TYPED_MS, signal)
  const query = { q: search, ...dayQuery(past), v: pageVersion() }
  return call(people, { params: { asset }, query, signal })
}

function dayQuery(past: Day | null): { day?: string } {
  return past === null ? {} : { day: isoDay(past) }
}

/** Fetches a prediction with its evidence, now or as of a past day; null if not found. */
export async function fetchPrediction(
  id: string,
  past: Day | null,
  signal: AbortSignal,
): Promise<FoundPrediction | null> {
  const params = { id }
  const v = pageVersion()
  try {
    if (past !== null) {
      const query = { day: isoDay(past), v }
      const row = await call(pastPrediction, { params, query, signal })
      const prediction = predictionOfPastRow(row)
      return prediction && { prediction, replies: 0 }
    }
    const found = await call(onePrediction, { params, query: { v }, signal })
    const prediction = found.withdrawn ? null : predictionOfRow(found.prediction)
    const replies = found.replies.filter(({ state }) => state === 'published').length
    return prediction && { prediction, replies }
  } catch (error) {
    if (error instanceof CallError && error.status === 404) return null
    throw error
  }
}
