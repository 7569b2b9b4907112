import { type AssetPageData } from '#contracts/page.ts'
import { type AssetKey } from '#domain/asset.ts'
import { type Day } from '#domain/day.ts'
import { questionText, type Question } from '#domain/listing/part.ts'
import { type JudgeMode } from '#domain/judging/verdict.ts'
import type * as Lists from './lists.ts'
import { closesPath, fetchCloses, type WhichCloses, type Prices } from './prices.ts'
import { type Query } from './fetched.ts'
import { pageVersion } from './page-data.ts'
import { loadedPart, type LoadedPart } from './part.ts'

/** Short, because moving the time slider requests many days. */
const PAST_MS = 10_000
/** A repeated choice shows its previous result while it is fetched again. */
const PART_MS = 15 * 60_000

export function closesQuery(asset: AssetKey, which: WhichCloses): Query<Prices> {
  return {
    name: closesPath(asset, which),
    fetch: (signal) => fetchCloses(asset, which, signal),
    ...('past' in which && { cacheMs: PAST_MS }),
  }
}

export function partQuery(
  asset: AssetKey,
  question: Question,
  seed: AssetPageData | null,
): Query<LoadedPart> {
  const text = questionText(question)
  const seeded = seed?.part?.question === text ? seed.part : null
  return {
    name: `part ${asset} ${text}`,
    fetch: async (signal) => (await import('./lists.ts')).fetchPart(asset, question, signal),
    seed:
      seeded &&
      (() => ({
        data: loadedPart(seeded, asset),
        isOld: !import.meta.env.SSR && seeded.version !== pageVersion(),
      })),
    cacheMs: question.past === null ? PART_MS : PAST_MS,
  }
}

/** A query that loads its code on the first attempt. */
function listQuery<Data>(
  name: readonly unknown[],
  fetch: (lists: typeof Lists, signal: AbortSignal) => Promise<Data>,
): Query<Data> {
  return {
    name: name.map(String).join(' '),
    fetch: async (signal) => fetch(await import('./lists.ts'), signal),
    cacheMs: 0,
  }
}

export function callsQuery(asset: AssetKey, question: Question, cursor: string, version: string) {
  return listQuery(
    ['calls', asset, questionText(question), cursor, version],
    ({ fetchCalls }, signal) => fetchCalls(asset, question, cursor, signal),
  )
}

export function targetsQuery(asset: AssetKey, mode: JudgeMode, past: Day | null, version: string) {
  return listQuery(['targets', asset, mode, past, version], ({ fetchTargets }, signal) =>
    fetchTargets(asset, mode, past, signal),
  )
}

export function peopleQuery(asset: AssetKey, search: string, past: Day | null) {
  return listQuery(['people', asset, past, search], ({ fetchPeople }, signal) =>
    fetchPeople(asset, search, past, signal),
  )
}

/**
 * One prediction with its evidence, now or as of a past day.
 *
 * @param version record version
 */
export function predictionQuery(id: string, past: Day | null, version: string) {
  return listQuery(['prediction', id, past, version], ({ fetchPrediction }, signal) =>
    fetchPrediction(id, past, signal),
  )
}
