import { createHash } from 'node:crypto'
import { isoDay, readDay, dayOf, type Day } from '#domain/day.ts'
import { failure } from '#server/kit/failure.ts'
import { type JudgedPrediction } from '#server/judging/judging.service.ts'
import {
  BY_DAY,
  newestFirst,
  type ListQuery,
  type Place,
  historyOrder,
  type Sorted,
} from './list-query.ts'
import { type PublicRecord } from './record.service.ts'
import { type AssetKey } from '#domain/asset.ts'
import { isEmptySearch, readSearch } from '#domain/claim/search.ts'
import { type JudgeMode } from '#domain/judging/verdict.ts'
import { type HistoryView } from '#domain/listing/history-view.ts'
import { type Selection } from '#domain/listing/selection.ts'
import { byName } from '#domain/people/name.ts'
import { type SQL } from 'drizzle-orm'
import { FILTERED } from './drawn.ts'

type PageOptions = {
  readonly limit: number
  readonly cursor?: string | undefined
  readonly isByRecording?: boolean
}

/**
 * A page of a list, newest first; rows that appear or go between two pages move none of the others.
 * @throws AppError `invalid` for a cursor of another list
 */
export async function listPage(
  record: PublicRecord,
  list: ListQuery,
  { limit, cursor, isByRecording = false }: PageOptions,
): Promise<{ readonly listed: readonly JudgedPrediction[]; readonly next: string | null }> {
  const after = cursor === undefined ? null : { ...placeIn(list, cursor), isByRecording }
  const ids = await record.ids(after ? { ...list, after } : list, {
    order: isByRecording ? newestFirst(null) : BY_DAY,
    limit: limit + 1,
  })
  const listed = await record.byIds(ids.slice(0, limit), list.asOf)
  const last = listed.at(-1)
  return { listed, next: last && ids.length > limit ? cursorOf(list, last) : null }
}

/** A URL-safe cursor. */
export function cursorOf(list: ListQuery, { made, createdAt, id }: Place): string {
  const text = `${digestOf(list)} ${isoDay(made)} ${createdAt} ${id}`
  return Buffer.from(text).toString('base64url')
}

function placeIn(list: ListQuery, cursor: string): Place {
  const [digest, day = '', createdAt = '', ...rest] = Buffer.from(cursor, 'base64url')
    .toString()
    .split(' ')
  const [made, id] = [readDay(day), rest.join(' ')]
  const isOurs = made !== null && id !== '' && !Number.isNaN(Date.parse(createdAt))
  if (isOurs && cursorOf(list, { made, createdAt, id }) === cursor) return { made, createdAt, id }
  const isOther = isOurs && /^[\w-]{8}$/.test(digest ?? '')
  throw failure(
    'invalid',
    `cursor: ${isOther ? 'It belongs to another list. ' : ''}Please take it from the link to the next page.`,
  )
}

function digestOf(list: ListQuery): string {
  return createHash('sha256').update(JSON.stringify(list)).digest('base64url').slice(0, 8)
}

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
