import { type AssetKey } from '#domain/asset.ts'
import { isEmptySearch, readSearch } from '#domain/claim/search.ts'
import { dayOf, type Day } from '#domain/day.ts'
import { type JudgeMode } from '#domain/judging/verdict.ts'
import { type HistoryView } from '#domain/listing/history-view.ts'
import { type Selection } from '#domain/listing/selection.ts'
import { byName } from '#domain/people/name.ts'
import { type SQL } from 'drizzle-orm'
import { FILTERED } from './drawn.ts'
import { historyOrder, type Sorted } from './list-order.ts'
import { type ListQuery } from './list-query.ts'
import { type PublicRecord } from './record.service.ts'

export type Scope = {
  readonly asset: AssetKey
  readonly mode: JudgeMode
  readonly asOf: Day | null
}

export function scopeOf({ experts, search }: Selection, scope: Scope): ListQuery {
  const words = readSearch(search)
  return {
    ...scope,
    ...(!isEmptySearch(words) && { words }),
    ...(experts.length > 0 && { experts }),
  }
}

/** The list beside the chart; "all" includes void ones, which no filter counts. */
export function listedBy(selection: Selection, scope: Scope): ListQuery {
  const { filter } = selection
  return { ...scopeOf(selection, scope), ...(filter !== 'all' && { outcomes: FILTERED[filter] }) }
}

export type Table = { readonly query: ListQuery; readonly order: SQL; readonly sorted: Sorted }

export async function tableOf(
  record: PublicRecord,
  among: ListQuery & Scope,
  { sort, descending, status, kind, made, due, search }: HistoryView,
): Promise<Table> {
  const { asset, mode, asOf } = among
  const folded = search.trim().toLowerCase()
  const isNamed = folded !== '' || sort === 'expert'
  const everyone = isNamed ? await record.people({ asset, asOf }) : []
  const named = everyone.filter(({ name }) => name.toLowerCase().includes(folded))
  const spanOf = (year: number) => ({ first: dayOf(year, 1, 1), last: dayOf(year, 12, 31) })
  const query: ListQuery = {
    ...among,
    ...(status && { outcomes: (among.outcomes ?? [status]).filter((one) => one === status) }),
    ...(kind && { kind }),
    ...(made !== null && { made: spanOf(made) }),
    ...(due !== null && { due: spanOf(due) }),
    ...(folded !== '' && { expertIds: named.map(({ id }) => id) }),
  }
  const sorted = { asset, mode, asOf, prices: await record.prices(), places: placesOf(everyone) }
  return { query, order: historyOrder(sort, descending, sorted), sorted }
}

function placesOf(
  people: readonly { readonly id: number; readonly name: string }[],
): Sorted['places'] {
  const names = [...new Set(people.map(({ name }) => name))]
  names.sort((a, b) => byName(a, b) || (a < b ? -1 : 1))
  const placeOf = new Map(names.map((name, place) => [name, place]))
  return {
    ids: people.map(({ id }) => id),
    places: people.map(({ name }) => placeOf.get(name) ?? 0),
  }
}
