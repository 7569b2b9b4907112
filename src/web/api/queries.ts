import { type AssetPageData } from '#contracts/page.ts'
import { type AssetKey } from '#domain/asset.ts'
import { type Day } from '#domain/day.ts'
import { type Prediction } from '#domain/claim/prediction.ts'
import {
  type ExpertOption,
  type Listed,
  type Paged,
  questionText,
  type Question,
} from '#domain/listing/part.ts'
import { type JudgeMode } from '#domain/judging/verdict.ts'
import { type OpenTargets } from '#chart/open-targets.ts'
import { closesPath, fetchCloses, type WhichCloses, type Prices } from './prices.ts'
import { type Query } from './fetched.ts'
import { newestHeard } from './page-data.ts'
import { givenPart, type GivenPart } from './part.ts'

/** Days that a slider passed are soon forgotten. */
const PAST_MS = 10_000
/** A choice that is made again shows at once what it showed before, and asks again. */
const PART_MS = 15 * 60_000

export function closesQuery(asset: AssetKey, which: WhichCloses): Query<Prices> {
  return {
    name: closesPath(asset, which),
    fetch: (signal) => fetchCloses(asset, which, signal),
    ...('past' in which && { keptMs: PAST_MS }),
  }
}

export function partQuery(
  asset: AssetKey,
  question: Question,
  seed: AssetPageData | null,
): Query<GivenPart> {
  const text = questionText(question)
  const given = seed?.part?.question === text ? seed.part : null
  return {
    name: `part ${asset} ${text}`,
    fetch: async (signal) => (await import('./lists.ts')).fetchPart(asset, question, signal),
    seed:
      given &&
      (() => ({
        data: givenPart(given, asset),
        isOld: !import.meta.env.SSR && given.version !== newestHeard(),
      })),
    keptMs: question.past === null ? PART_MS : PAST_MS,
  }
}

/** @param version of the record whose list they go on */
export function callsQuery(
  asset: AssetKey,
  question: Question,
  cursor: string,
  version: string,
): Query<CallsPart> {
  return {
    name: `calls ${asset} ${questionText(question)} ${cursor} ${version}`,
    fetch: async (signal) =>
      (await import('./lists.ts')).fetchCalls(asset, question, cursor, signal),
    keptMs: 0,
  }
}

export function targetsQuery(
  asset: AssetKey,
  mode: JudgeMode,
  past: Day | null,
  version: string,
): Query<OpenTargets> {
  return {
    name: `targets ${asset} ${mode} ${String(past)} ${version}`,
    fetch: async (signal) => (await import('./lists.ts')).fetchTargets(asset, mode, past, signal),
    keptMs: 0,
  }
}

export function peopleQuery(asset: AssetKey, search: string, past: Day | null): Query<PeoplePart> {
  return {
    name: `people ${asset} ${String(past)} ${search}`,
    fetch: async (signal) => (await import('./lists.ts')).fetchPeople(asset, search, past, signal),
    keptMs: 0,
  }
}

/** One prediction with its evidence, now or as of a past day. @param version of the record */
export function predictionQuery(
  id: string,
  past: Day | null,
  version: string,
): Query<FoundPrediction | null> {
  return {
    name: `prediction ${id} ${String(past)} ${version}`,
    fetch: async (signal) => (await import('./lists.ts')).fetchPrediction(id, past, signal),
    keptMs: 0,
  }
}

export type FoundPrediction = { readonly prediction: Prediction; readonly replies: number }

export type CallsPart = Paged<Listed>
export type PeoplePart = { readonly total: number; readonly people: readonly ExpertOption[] }
