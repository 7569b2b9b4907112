import { readView } from '#chart/view-state.ts'
import { readBoardView } from '#contracts/board.ts'
import { VIEW_TITLES } from '#contracts/data-files.ts'
import { HEDGEHOG_ADDRESS } from '#contracts/hedgehog.ts'
import { PAST_PARAM, readPastDay, readHedgehogPath } from '#contracts/paths.ts'
import * as logs from '#contracts/public-logs.ts'
import { TODAY_ADDRESS, TODAY_PATH } from '#contracts/today.ts'
import { readYearParts } from '#contracts/year.ts'
import { ASSET_KEYS, ASSETS, findAsset, type Asset, type AssetKey } from '#domain/asset.ts'
import { dayOf, isoDay, type Day } from '#domain/day.ts'
import { historyFigures, readHistory } from '#domain/listing/history-view.ts'
import { readSelection, newestFirst } from '#domain/listing/selection.ts'
import { byName } from '#domain/people/name.ts'
import { listCorrections } from '#server/corrections/corrections-log.service.ts'
import { type JudgedPrediction } from '#server/judging/judging.service.ts'
import { failure } from '#server/kit/failure.ts'
import { expertAt, type PublicSite } from '#server/predictions/predictions.service.ts'
import { statedCalls } from '#server/predictions/stated-calls.ts'
import { todayOf } from '#server/predictions/today.service.ts'
import { drawnIds, listedBy, tableOf } from '#server/record/list-page.ts'
import { BY_DAY, type ListQuery } from '#server/record/list-query.ts'
import { barsOn, closesOf, pricedAssets, type Prices } from '#server/record/prices.ts'
import { type ListedPerson, type PublicRecord } from '#server/record/record.service.ts'
import { listReports } from '#server/reports/reports.service.ts'
import { pageBoard } from '#server/scores/board.ts'
import { years } from '#server/scores/scores.rows.ts'
import { checkFilters, type Filters } from './check-filters.ts'
import * as tables from './tables.ts'

const MOST_NEWS = 1_000

export type View = {
  readonly title: string
  /** The last day covered. */
  readonly asOf: Day
  readonly assets: readonly AssetKey[]
  readonly table: tables.DataTable
  readonly notes: readonly string[]
}

export type ViewRequest = { readonly path: string; readonly params: URLSearchParams }

/** A view of today without assets or notes, unless it has others. */
type Part = Pick<View, 'title' | 'table'> & Partial<View>

/** @throws AppError `not_found`, `invalid` for an impossible filter, `unavailable` */
export async function viewOf(site: PublicSite, request: ViewRequest): Promise<View> {
  const asOf = site.record.today()
  return { asOf, assets: [], notes: [], ...(await partOf(site, request)) }
}

async function partOf(site: PublicSite, { path, params }: ViewRequest): Promise<Part> {
  const asset = findAsset(path.slice(1))
  if (asset?.route === path) return assetView(site, asset, checkFilters(params, 'asset'))
  if (path === TODAY_PATH) return todayView(site, checkFilters(params, 'today'))
  if (path === logs.CORRECTIONS_PATH)
    return correctionsView(site, checkFilters(params, 'corrections'))
  if (path === logs.REPORTS_PATH) return reportsView(site, checkFilters(params, 'reports'))
  if (path === '/experts') return boardView(site, checkFilters(params, 'board'))
  const hedgehog = readHedgehogPath(path)
  if (hedgehog) return statedCallsView(site, hedgehog, checkFilters(params, 'said'))
  const [, place, name, ...rest] = path.split('/')
  if (place === 'years') {
    checkFilters(params, 'none')
    return name === undefined ? yearsView(site) : yearView(site, [name, ...rest])
  }
  if (place === 'experts' && name !== undefined && rest.length === 0) {
    checkFilters(params, 'none')
    return personView(site, name)
  }
  throw failure('not_found', 'No page at this address has a file.')
}

async function assetView({ record, config }: PublicSite, asset: Asset, filters: Filters) {
  const now = record.today()
  const asOf = pastDayIn(filters, now)
  const isPast = asOf !== null
  const today = asOf ?? now
  const { mode } = readView(filters)
  const selection = readSelection(filters)
  const scope = { asset: asset.key, mode, asOf }
  await chosenPeople(record, scope, selection.experts)
  const history = readHistory(filters)
  const { query, order } = await tableOf(
    record,
    { ...scope, ...listedBy(selection, scope) },
    history,
  )
  const [prices, all, drawn] = await Promise.all([
    record.prices(),
    record.list(query, { order }),
    drawnIds(record, { ...scope, selection, days: null }, Number.MAX_SAFE_INTEGER),
  ])
  const onChart = new Set(drawn.ids)
  const rows = historyFigures(all, mode, closesOf(barsOn(prices, asset.key, asOf)))
  const calls = rows.map((row): tables.CallOf => {
    return { row, mode, isDrawn: onChart.has(row.prediction.id), isPast }
  })
  return {
    title: VIEW_TITLES.asset(asset.name),
    asOf: today,
    assets: [asset.key],
    table: history.byYear ? tables.yearTable(calls) : tables.callTable(calls, config.origin),
    notes: isPast
      ? ['As of a past day: omits later additions to the record, including our words and sources.']
      : [],
  }
}

/** The past day in the address; null for today. @throws AppError `invalid` for a future day */
export function pastDayIn(filters: Filters, today: Day): Day | null {
  const day = readPastDay(filters(PAST_PARAM))
  refuseFuture(day, today)
  return day !== null && day < today ? day : null
}

function refuseFuture(day: Day | null, today: Day): void {
  if (day === null || day <= today) return
  throw failure('invalid', `The filter ${PAST_PARAM} should be a day up to today.`)
}

export async function chosenPeople(
  record: PublicRecord,
  scope: Pick<ListQuery, 'asset' | 'asOf'>,
  slugs: readonly string[],
): Promise<readonly ListedPerson[]> {
  if (slugs.length === 0) return []
  const people = await record.people({ ...scope, experts: slugs })
  const unknown = slugs.find((slug) => people.every((one) => one.slug !== slug))
  if (unknown === undefined) return people.toSorted((a, b) => byName(a.name, b.name))
  throw namesNone('experts', unknown, 'who has no call here')
}

async function boardView({ scores, record, config }: PublicSite, filters: Filters) {
  const view = readBoardView(filters)
  // Exports list everyone.
  const found = await pageBoard(scores, view, { ranked: Infinity, others: Infinity })
  if (!found) throw stillComputed()
  return {
    title: VIEW_TITLES.board,
    assets: view.asset === null ? pricedAssets(await record.prices()) : [view.asset],
    table: tables.personTable([...found.ranked, ...found.others], config.origin),
    notes: [found.finding, found.totals.sentence, ...found.notes],
  }
}

async function personView({ readDb, record, config }: PublicSite, slug: string): Promise<Part> {
  const expert = await expertAt(readDb, slug)
  const [prices, own] = await Promise.all([
    record.prices(),
    record.list({ experts: [expert.slug] }, { order: BY_DAY }),
  ])
  const assets = ASSET_KEYS.filter((key) => own.some(({ asset }) => asset === key))
  return {
    title: VIEW_TITLES.person(expert.name),
    assets,
    table: tables.callTable(callsOf(prices, own), config.origin),
  }
}

async function statedCallsView({ record, config }: PublicSite, asset: AssetKey, filters: Filters) {
  const { year, person } = HEDGEHOG_ADDRESS.read(filters)
  const calls = await statedCalls(record, asset)
  if (person !== null && calls.every(({ slug }) => slug !== person)) {
    throw namesNone('person', person, 'who has no call here')
  }
  const rows = calls.map((call) => ({
    call,
    standsOut:
      (year !== null || person !== null) &&
      (year === null || isoDay(call.made).startsWith(String(year))) &&
      (person === null || call.slug === person),
  }))
  return {
    title: VIEW_TITLES.said(ASSETS[asset].name),
    assets: [asset],
    table: tables.statedCallsTable(rows, config.origin),
  }
}

async function yearsView({ scores, record }: PublicSite): Promise<Part> {
  const found = await scores.waitAndRead('touch', years)
  if (!found) throw stillComputed()
  return {
    title: VIEW_TITLES.years,
    assets: pricedAssets(await record.prices()),
    table: tables.dueTable(found),
  }
}

/** Calls on one asset due in one year. */
async function yearView(
  { record, config }: PublicSite,
  [name = '', assetName, ...rest]: readonly string[],
): Promise<Part> {
  const yearParts = rest.length === 0 ? readYearParts(name, assetName) : null
  const none = 'No call was or is due in this year.'
  if (!yearParts) throw failure('not_found', none)
  const { asset, year } = yearParts
  const span = { first: dayOf(year, 1, 1), last: dayOf(year, 12, 31) }
  const [prices, due] = await Promise.all([
    record.prices(),
    record.list({ asset, due: span }, { order: BY_DAY }),
  ])
  if (due.length === 0) throw failure('not_found', none)
  return {
    title: VIEW_TITLES.year(ASSETS[asset].name, year),
    assets: [asset],
    table: tables.callTable(callsOf(prices, due), config.origin),
  }
}

/** For lists without a chart, newest first. */
function callsOf(prices: Prices, all: readonly JudgedPrediction[]): tables.CallOf[] {
  return ASSET_KEYS.flatMap((key) => {
    const own = all.filter(({ asset }) => asset === key)
    return historyFigures(own, 'touch', closesOf(prices[key].closed))
  })
    .toSorted((a, b) => newestFirst(a.prediction, b.prediction))
    .map((row) => ({ row, mode: 'touch', isDrawn: false, isPast: false }))
}

async function todayView(site: PublicSite, filters: Filters): Promise<Part> {
  const { record, config } = site
  const view = TODAY_ADDRESS.read(filters)
  refuseFuture(view.since, record.today())
  refuseFuture(view.day, record.today())
  const { items, past } = await todayOf(site, view, MOST_NEWS)
  return {
    title: VIEW_TITLES.today,
    asOf: (past === null ? null : view.day) ?? record.today(),
    assets: pricedAssets(await record.prices()),
    table: tables.todayTable(items, config.origin),
    notes: [`Up to ${String(MOST_NEWS)} of each section.`],
  }
}

async function correctionsView({ readDb, record, config }: PublicSite, filters: Filters) {
  const view = logs.CORRECTIONS_ADDRESS.read(filters)
  const rows = await listCorrections(readDb, record, view)
  const { person } = view
  const isUnknown = async (slug: string) => (await record.count({ experts: [slug] })) === 0
  if (person !== null && rows.length === 0 && (await isUnknown(person))) {
    throw namesNone('person', person, 'who is not on record')
  }
  return {
    title: VIEW_TITLES.corrections,
    table: tables.correctionTable(rows, config.origin),
  }
}

async function reportsView(site: PublicSite, filters: Filters): Promise<Part> {
  const { record, config } = site
  const view = logs.REPORTS_ADDRESS.read(filters)
  const { prediction } = view
  if (prediction !== null && !(await record.find(prediction))) {
    throw namesNone('prediction', prediction, 'which is not on record')
  }
  return {
    title: VIEW_TITLES.reports,
    table: tables.reportTable(await listReports(site, view), config.origin),
  }
}

function namesNone(filter: string, name: string, why: string) {
  return failure('invalid', `The filter ${filter} names “${name.slice(0, 60)}”, ${why}.`)
}

export function stillComputed() {
  const text = 'Scores are being computed. Please try again in a minute.'
  return failure('unavailable', text, null, 60)
}
