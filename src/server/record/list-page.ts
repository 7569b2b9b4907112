import { createHash } from 'node:crypto'
import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { openingDays } from '#chart/axes.ts'
import { ASSETS, type AssetKey } from '#domain/asset.ts'
import { isEmptySearch, readSearch } from '#domain/claim/search.ts'
import { dayFromNumber, dayOf, isoDay, readDay, type Day } from '#domain/day.ts'
import { OUTCOMES, type JudgeMode, type Outcome } from '#domain/judging/verdict.ts'
import { type HistoryView } from '#domain/listing/history-view.ts'
import { MOST_DRAWN } from '#domain/listing/part.ts'
import { type Selection, type StatusFilter } from '#domain/listing/selection.ts'
import { byName } from '#domain/people/name.ts'
import { type JudgedPrediction } from '#server/judging/judging.service.ts'
import { failure } from '#server/kit/failure.ts'
import {
  BY_DAY,
  HIGHEST,
  historyOrder,
  mostSupportedFirst,
  newestFirst,
  outcomeOf,
  splitOf,
  type ListQuery,
  type Place,
  type Sorted,
} from './list-query.ts'
import { type PublicRecord } from './record.service.ts'

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
  const hash = createHash('sha256').update(JSON.stringify(list)).digest('base64url')
  const text = `${hash.slice(0, 8)} ${isoDay(made)} ${createdAt} ${id}`
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

function placesOf(people: readonly { readonly id: number; readonly name: string }[]) {
  const names = [...new Set(people.map(({ name }) => name))]
  names.sort((a, b) => byName(a, b) || (a < b ? -1 : 1))
  const placeOf = new Map(names.map((name, place) => [name, place]))
  return {
    ids: people.map(({ id }) => id),
    places: people.map(({ name }) => placeOf.get(name) ?? 0),
  }
}

/** Levels beyond this multiple of the median would flatten the others. */
const FAR_TIMES = 3

/** Outcomes per filter; void ones count in none. */
export const FILTERED: Readonly<{ [Filter in StatusFilter]: readonly Outcome[] }> = {
  all: ['hit', 'miss', 'pending'],
  pending: ['pending'],
  success: ['hit'],
  miss: ['miss'],
}

type Drawing = {
  readonly asset: AssetKey
  readonly selection: Selection
  readonly mode: JudgeMode
  readonly days: readonly [Day, Day] | null
  readonly asOf: Day | null
}

/**
 * Predictions on the chart, most supported first; if there are too many, those added by hand, then those in view.
 * @see public-site.md §4
 */
export async function drawnIds(
  record: PublicRecord,
  { asset, selection, mode, days, asOf }: Drawing,
  most: number = MOST_DRAWN,
): Promise<{ readonly total: number; readonly ids: readonly string[] }> {
  const { active, experts, search } = selection
  const scope: ListQuery = { asset, mode, asOf, ...(experts.length > 0 && { experts }) }
  if ('leading' in active) {
    // The initial selection stays while the visitor types.
    const { leading } = active
    const find = () => leadingIds(record, scope, leading)
    const ids = await record.once(`leading ${String(leading)}`, scope, find)
    return { total: ids.length, ids }
  }
  const byHand = 'ids' in active ? active.ids : (active.and ?? [])
  const found = new Set(byHand.length === 0 ? [] : await record.ids({ asset, asOf, ids: byHand }))
  const put = byHand.filter((id) => found.has(id))
  if ('ids' in active) return { total: put.length, ids: put.slice(0, most) }
  const query: ListQuery = {
    ...scope,
    words: readSearch(search),
    outcomes: FILTERED[active.status],
    isDrawn: true,
    not: [...(active.without ?? []), ...byHand],
  }
  const total = put.length + (await record.count(query))
  const limit = Math.max(0, most - put.length)
  const supported = mostSupportedFirst(asOf)
  const inView = days === null ? supported : sql`(${isSeen(days, asOf)}) is true desc, ${supported}`
  const ids = await record.ids(query, { order: total > most ? inView : supported, limit })
  const ordered =
    total > most && days !== null
      ? await record.ids({ asset, asOf, ids }, { order: supported })
      : ids
  return { total, ids: [...ordered, ...put.slice(0, most)] }
}

/** Whether a prediction has a mark between two days, as far as known at the end of a past day. */
function isSeen([from, to]: readonly [Day, Day], asOf: Day | null): SQL {
  const [first, last] = [sql`${isoDay(from)}::date`, sql`${isoDay(to)}::date`]
  const known = asOf === null ? last : sql`least(${last}, ${isoDay(asOf)}::date)`
  return sql`predictions.touch_day between ${first} and ${known} or predictions.close_day between ${first} and ${known}
    or (case predictions.type when 'target' then predictions.target_date else predictions.made end) <= ${last}
      and predictions.target_date >= ${first}`
}

const Candidate = z.object({
  id: z.string(),
  person: z.coerce.number(),
  outcome: z.enum(OUTCOMES),
  votes: z.int(),
})
type Candidate = z.infer<typeof Candidate>

/** In larger records only the most supported and the newest are candidates for the initial view. */
const MOST_CANDIDATES = 2_000

/** A mix for the initial view: supported ones first, then hits, misses and open calls in turn, each by a different person. */
async function leadingIds(record: PublicRecord, scope: ListQuery, most: number): Promise<string[]> {
  const { asset = 'btc', mode = 'touch', asOf = null } = scope
  const { actions } = await record.prices()
  const [from, to] = openingDays(ASSETS[asset].axis, asOf ?? record.today())
  const query: ListQuery = { ...scope, outcomes: FILTERED.all, isDrawn: true }
  // Past days use a log axis, which has room for levels far from the others.
  const isNear =
    asOf === null
      ? sql`high <= ${FAR_TIMES} * (select percentile_cont(0.5) within group (order by high) from timely)`
      : sql`true`
  const rows = await record.query(
    Candidate,
    query,
    (condition) => sql`
      with candidates as (
        select predictions.id, predictions.influencer_id as person, ${outcomeOf(mode, asOf)} as outcome,
          ${asOf === null ? sql`vote_score` : sql`0`} as votes, made, target_date, ${HIGHEST} / (${splitOf(actions)}) as high
        from predictions where ${condition}
        order by ${mostSupportedFirst(asOf)} limit ${MOST_CANDIDATES}
      ), timely as (
        select * from candidates join (select person, count(*) as calls from candidates group by 1) everyone using (person)
        where made >= ${isoDay(dayFromNumber(Math.ceil(from)))}::date
          and target_date <= ${isoDay(dayFromNumber(Math.floor(to)))}::date
      )
      select id, person, outcome, votes from timely where ${isNear}
      order by votes desc, calls desc, made desc, id collate "C"`,
  )
  const chosen = choose(rows, most)
  return rows.filter((one) => chosen.has(one)).map(({ id }) => id)
}

function choose(candidates: readonly Candidate[], most: number): ReadonlySet<Candidate> {
  const chosen = new Set<Candidate>()
  const people = new Set<number>()
  const take = (accepts: (one: Candidate) => boolean): boolean => {
    if (chosen.size >= most) return false
    const found = candidates.find((one) => !chosen.has(one) && accepts(one))
    if (!found) return false
    chosen.add(found)
    people.add(found.person)
    return true
  }
  const isNew = ({ person }: Candidate) => !people.has(person)
  while (take((one) => one.votes > 0 && isNew(one)));
  for (const allowed of [isNew, () => true]) {
    const takeEach = () =>
      ['hit', 'miss', 'pending'].map((outcome) =>
        take((one) => allowed(one) && one.outcome === outcome),
      )
    while (takeEach().includes(true));
  }
  return chosen
}
