import { type AssetPageData } from '#contracts/page.ts'
import { type AssetKey } from '#domain/asset.ts'
import { isoDay, type Day } from '#domain/day.ts'
import { type Prediction } from '#domain/claim/prediction.ts'
import { predictionsOfRows } from '#contracts/prediction-wire.ts'
import { type ExpertOption } from '#domain/listing/listing.ts'
import { type JudgeMode } from '#domain/judging/verdict.ts'
import { type Some } from '#domain/listing/part.ts'
import { questionText, type Question } from '#domain/listing/question.ts'
import { type Query } from './fetched.ts'
import { newestHeard } from './heard.ts'
import { givenPart, type GivenPart } from './part.ts'
import { pastRecord, type PastRecord } from './past.ts'
import { unpackPrices, type Prices } from './prices.ts'

/**
 * The daily closes of an asset.
 *
 * @param seed what the server put into the page, so that nothing is fetched twice
 */
export function pricesQuery(asset: AssetKey, seed: AssetPageData | null): Query<Prices> {
  return {
    name: `prices ${asset}`,
    fetch: async (signal) => (await import('./lists.ts')).fetchPrices(asset, signal),
    seed: seed && (() => ({ data: unpackPrices(seed.prices), isOld: false })),
  }
}

/** The published predictions of an asset, newest first; null where there are too many to be sent as a whole. */
export function predictionsQuery(
  asset: AssetKey,
  seed: AssetPageData | null,
): Query<readonly Prediction[] | null> {
  return {
    name: `predictions ${asset}`,
    fetch: async (signal) => (await import('./lists.ts')).fetchWhole(asset, signal),
    seed:
      seed &&
      (() => ({ data: seed.part ? null : predictionsOfRows(seed.predictions), isOld: false })),
  }
}

/** What a dashboard shows of a large record. Where news came meanwhile, what came with the page is old. */
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
        data: givenPart(given),
        isOld: !import.meta.env.SSR && given.version !== newestHeard(),
      })),
    // It hears of no news while nothing shows it.
    keptMs: 0,
  }
}

/**
 * Further ones of the list of a large record.
 *
 * @param version of the record whose list they go on
 */
export function callsQuery(
  asset: AssetKey,
  question: Question,
  skip: number,
  version: string,
): Query<CallsPart> {
  return {
    name: `calls ${asset} ${questionText(question)} ${String(skip)} ${version}`,
    fetch: async (signal) => (await import('./lists.ts')).fetchCalls(asset, question, skip, signal),
    keptMs: 0,
  }
}

/**
 * Where the open calls of a large record aim.
 *
 * @param version of the record
 */
export function targetsQuery(
  asset: AssetKey,
  mode: JudgeMode,
  past: Day | null,
  version: string,
): Query<TargetsPart> {
  return {
    name: `targets ${asset} ${mode} ${String(past)} ${version}`,
    fetch: async (signal) => (await import('./lists.ts')).fetchTargets(asset, mode, past, signal),
    keptMs: 0,
  }
}

/** Who has predictions of an asset whose record is large. */
export function peopleQuery(asset: AssetKey, search: string, past: Day | null): Query<PeoplePart> {
  return {
    name: `people ${asset} ${String(past)} ${search}`,
    fetch: async (signal) => (await import('./lists.ts')).fetchPeople(asset, search, past, signal),
    keptMs: 0,
  }
}

/** One prediction. */
export function predictionQuery(id: string): Query<Prediction | null> {
  return {
    name: `prediction ${id}`,
    fetch: async (signal) => (await import('./lists.ts')).fetchPrediction(id, signal),
    keptMs: 0,
  }
}

export type CallsPart = Some
export type TargetsPart = {
  readonly targets: readonly {
    readonly name: string
    readonly votes: number
    readonly days: readonly [number, number]
    readonly prices: readonly [number, number]
  }[]
  readonly limits: number
  /** Left out where all are here. */
  readonly total?: number
}
export type PeoplePart = { readonly total: number; readonly people: readonly ExpertOption[] }

/** Days that a slider passed are soon forgotten. */
const PAST_MS = 10_000

/** The record of an asset as of a past day, asked for as a difference to the last earlier day at hand. */
export function pastQuery(
  asset: AssetKey,
  day: Day,
  seed: AssetPageData | null,
): Query<PastRecord> {
  const prefix = `past ${asset} `
  const given = seed?.past?.day === isoDay(day) ? seed.past : null
  return {
    name: `${prefix}${String(day)}`,
    fetch: async (signal, store) => {
      const { fetchPast } = await import('./lists.ts')
      const before = store
        .begunWith<PastRecord>(prefix)
        .filter((known) => known.day < day)
        .reduce<PastRecord | null>((a, b) => (a && a.day > b.day ? a : b), null)
      return fetchPast(asset, day, before, signal)
    },
    seed: given && (() => ({ data: pastRecord(given, null), isOld: false })),
    keptMs: PAST_MS,
  }
}
