import { QueryClient, queryOptions, type UseQueryResult } from '@tanstack/react-query'
import { type AssetPageData } from '#contracts/page.ts'
import { type AssetKey } from '#domain/asset.ts'
import { type Day } from '#domain/day.ts'
import { type JudgeMode } from '#domain/judging/verdict.ts'
import { questionText, type Question } from '#domain/listing/part.ts'
import type * as Lists from './lists.ts'
import { pageVersion } from './page-data.ts'
import { loadedPart } from './part.ts'
import { closesPath, fetchCloses, type WhichCloses } from './prices.ts'

/** Data stays when a refresh fails. */
export type Loading<Data> = Pick<UseQueryResult<Data>, 'data' | 'error'> & {
  readonly refetch: () => unknown
}

/** Prices and verdicts change a few times a day; older data is fetched again when it is used. */
const FRESH_MS = 5 * 60_000
/** Short, because moving the time slider requests many days. */
export const PAST_MS = 10_000
const PART_MS = 15 * 60_000

/** The queries of dashboards. */
export function newClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        gcTime: Infinity,
        // Offline, requests fail with a message instead of pausing silently; `refreshOnReturn` repeats them.
        networkMode: 'always',
        refetchOnReconnect: false,
        retry: 1,
        retryDelay: 1_000,
      },
    },
  })
}

/** How long unused data stays cached; the server renders once and starts no timers. */
export function cachedFor(ms: number): { readonly gcTime: number } {
  return { gcTime: import.meta.env.SSR ? Infinity : ms }
}

export function closesQuery(asset: AssetKey, which: WhichCloses) {
  return queryOptions({
    queryKey: ['closes', closesPath(asset, which)],
    queryFn: ({ signal }) => fetchCloses(asset, which, signal),
    ...('past' in which && cachedFor(PAST_MS)),
  })
}

/** Key of all parts of an asset. */
export function partsKey(asset: AssetKey) {
  return ['part', asset] as const
}

export function partQuery(asset: AssetKey, question: Question, seed: AssetPageData | null) {
  const text = questionText(question)
  const seeded = seed?.part?.question === text ? seed.part : null
  const isOld = () => !import.meta.env.SSR && seeded?.version !== pageVersion()
  return queryOptions({
    queryKey: [...partsKey(asset), text],
    queryFn: async ({ signal }) => (await import('./lists.ts')).fetchPart(asset, question, signal),
    initialData: seeded ? () => loadedPart(seeded, asset) : undefined,
    initialDataUpdatedAt: () => (isOld() ? 0 : Date.now()),
    ...cachedFor(question.past === null ? PART_MS : PAST_MS),
  })
}

/** A query that loads its code on the first attempt. */
function listQuery<Data>(
  queryKey: readonly unknown[],
  fetch: (lists: typeof Lists, signal: AbortSignal) => Promise<Data>,
) {
  return queryOptions({
    queryKey,
    queryFn: async ({ signal }) => fetch(await import('./lists.ts'), signal),
    ...cachedFor(0),
  })
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
