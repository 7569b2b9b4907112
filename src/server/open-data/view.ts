import { readBoardView, type Board, type BoardView } from '#contracts/board.ts'
import { CORRECTIONS_PATH, readCorrectionsView } from '#contracts/corrections-log.ts'
import { readReportsView, REPORTS_PATH } from '#contracts/reports-log.ts'
import { readHedgehogPath, readHedgehogView } from '#contracts/hedgehog.ts'
import { VIEW_TITLES } from '#contracts/open-data.paths.ts'
import { PAST_PARAM, readPastDay } from '#contracts/past.paths.ts'
import { readYearParts, type YearsReply } from '#contracts/year.ts'
import { type PastReply } from '#contracts/past.ts'
import { predictionsOfPastRows } from '#contracts/prediction-wire.ts'
import { openingDays } from '#chart/axes.ts'
import { readView } from '#chart/view-state.ts'
import { ASSET_KEYS, ASSETS, findAsset, type Asset, type AssetKey } from '#domain/asset.ts'
import { type Prediction } from '#domain/claim/prediction.ts'
import { isoDay, partsOf, type Day } from '#domain/day.ts'
import { historyFigures, shownRows, type Closes } from '#domain/listing/history-rows.ts'
import { readHistory } from '#domain/listing/history-view.ts'
import { listed } from '#domain/listing/listing.ts'
import { readSelection } from '#domain/listing/selection-address.ts'
import { activeOnes, newestFirst } from '#domain/listing/selection.ts'
import { failure } from '#server/kit/failure.ts'
import { closedBars } from '#server/predictions/catalog.service.ts'
import { type CorrectionsLog } from '#server/corrections/corrections-log.service.ts'
import { type PublicReports } from '#server/reports/read-reports.service.ts'
import { type Records } from '#server/predictions/predictions.service.ts'
import { yearPlace } from '#server/predictions/years-due.ts'
import { saidCalls } from '#server/predictions/said-calls.ts'
import { checkFilters } from './check-filters.ts'
import { type DataTable } from './data-file.ts'
import {
  callTable,
  correctionTable,
  dueTable,
  personTable,
  reportTable,
  saidTable,
  yearTable,
  type CallOf,
} from './tables.ts'

/** A page as data. */
export type View = {
  readonly title: string
  /** The last day that it knows. */
  readonly asOf: Day
  /** Whose prices it rests on. */
  readonly assets: readonly AssetKey[]
  readonly table: DataTable
  readonly notes: readonly string[]
}

/** A page asked for: its path, and what its address narrows it to. */
export type Asked = { readonly path: string; readonly params: URLSearchParams }

/** What views are made of. */
export type ViewParts = {
  readonly records: Pick<Records, 'snapshot' | 'expert'>
  readonly past: { readonly reply: (asset: AssetKey, day: Day, known: null) => PastReply }
  readonly board: (view: BoardView) => Promise<Board | null>
  readonly years: () => Promise<YearsReply | null>
  readonly corrections: Pick<CorrectionsLog, 'narrowed'>
  readonly reports: Pick<PublicReports, 'narrowed'>
  readonly today: () => Day
  readonly origin: string
}

/** @throws AppError `not_found`, `invalid` for an impossible filter, `unavailable` */
export async function viewOf(parts: ViewParts, asked: Asked): Promise<View> {
  const asset = findAsset(asked.path.slice(1))
  if (asset?.route === asked.path) return assetView(parts, asset, asked)
  if (asked.path === CORRECTIONS_PATH) return correctionsView(parts, asked)
  if (asked.path === REPORTS_PATH) return reportsView(parts, asked)
  if (asked.path === '/experts') return boardView(parts, asked)
  const said = readHedgehogPath(asked.path)
  if (said) return saidView(parts, said, asked)
  if (asked.path === '/years') return yearsView(parts, asked)
  const [, place, name, ...rest] = asked.path.split('/')
  if (place === 'years' && name !== undefined) return yearView(parts, [name, ...rest], asked)
  if (place === 'experts' && name !== undefined && rest.length === 0)
    return personView(parts, name, asked)
  throw failure('not_found', 'No page at this address has a file.')
}

function assetView(parts: ViewParts, asset: Asset, { params }: Asked): View {
  checkFilters(params, 'asset')
  const { origin, today } = parts
  const param = (name: string): string | null => params.get(name)
  const day = readPastDay(param(PAST_PARAM))
  refuseFuture(day, today())
  const isPast = day !== null && day < today()
  const { predictions, closes } = isPast ? pastOf(parts, asset, day) : nowOf(parts, asset)
  const { mode, selection, drawn } = chosenCalls(params, asset, {
    predictions,
    today: isPast ? day : today(),
    isPast,
  })
  const onChart = new Set(drawn.map(({ id }) => id))
  const history = readHistory(param)
  const rows = shownRows(
    history,
    historyFigures(listed(selection, predictions, mode), mode, closes),
  )
  const calls = rows.map((row): CallOf => {
    return { row, mode, isDrawn: onChart.has(row.prediction.id), isPast }
  })
  return {
    title: VIEW_TITLES.asset(asset.name),
    asOf: isPast ? day : today(),
    assets: [asset.key],
    table: history.byYear ? yearTable(calls) : callTable(calls, origin),
    notes: isPast
      ? [
          'As of a past day: what came to the record later, our words and sources included, is left out.',
        ]
      : [],
  }
}

/** @throws AppError `invalid` for a day that has not come yet */
export function refuseFuture(day: Day | null, today: Day): void {
  if (day === null || day <= today) return
  throw failure('invalid', `The filter ${PAST_PARAM} should be a day up to today.`)
}

/**
 * What an address narrows the calls of an asset to, and which of them it draws.
 *
 * @throws AppError `invalid` for somebody who has no call
 */
export function chosenCalls(
  params: URLSearchParams,
  asset: Asset,
  record: {
    readonly predictions: readonly Prediction[]
    readonly today: Day
    readonly isPast: boolean
  },
) {
  const param = (name: string): string | null => params.get(name)
  const { predictions, today, isPast } = record
  const view = readView(param)
  const selection = readSelection(param)
  const unknown = selection.experts.find((slug) =>
    predictions.every(({ expert }) => expert.slug !== slug),
  )
  if (unknown !== undefined) {
    throw failure(
      'invalid',
      `The filter experts names “${unknown.slice(0, 60)}”, who has no call here.`,
    )
  }
  const { mode } = view
  const opening = openingDays(asset.axis, today)
  const drawn = activeOnes(selection, { predictions, mode, opening, isPast })
  return { view, mode, selection, drawn }
}

function nowOf({ records }: Pick<ViewParts, 'records'>, { key }: Asset) {
  const { judged, predictions } = records.snapshot().assets[key]
  return { predictions, closes: closesOf(closedBars(judged)) }
}

function pastOf({ past }: ViewParts, { key }: Asset, day: Day) {
  const reply = past.reply(key, day, null)
  const { first, steps, closes } = reply.prices
  const days = closes.map(() => first)
  for (let i = 1; i < days.length; i += 1) days[i] = (days[i - 1] ?? first) + (steps[i - 1] ?? 1)
  return { predictions: predictionsOfPastRows(reply.predictions), closes: { days, closes } }
}

async function boardView(
  { board, records, origin, today }: ViewParts,
  { params }: Asked,
): Promise<View> {
  checkFilters(params, 'board')
  const view = readBoardView((name) => params.get(name))
  const found = await board(view)
  if (!found) throw stillComputed()
  const people = [
    ...found.ranked.map((row, i) => ({ row, place: i + 1 })),
    ...found.others.map((row) => ({ row, place: null })),
  ]
  return {
    title: VIEW_TITLES.board,
    asOf: today(),
    assets: view.asset === null ? pricedAssets(records) : [view.asset],
    table: personTable(people, origin),
    notes: [found.finding, found.totals.sentence, ...found.notes],
  }
}

async function personView(
  { records, origin, today }: ViewParts,
  slug: string,
  { params }: Asked,
): Promise<View> {
  checkFilters(params, 'none')
  const { expert } = await records.expert(slug)
  const own = records.snapshot().byExpert.get(expert.slug) ?? []
  const assets = ASSET_KEYS.filter((key) => own.some(({ asset }) => asset === key))
  const rows = assets.flatMap((key) =>
    historyFigures(
      own.filter(({ asset }) => asset === key),
      'touch',
      nowOf({ records }, ASSETS[key]).closes,
    ),
  )
  const calls = rows
    .toSorted((a, b) => newestFirst(a.prediction, b.prediction))
    .map((row): CallOf => ({ row, mode: 'touch', isDrawn: false, isPast: false }))
  return {
    title: VIEW_TITLES.person(expert.name),
    asOf: today(),
    assets,
    table: callTable(calls, origin),
    notes: [],
  }
}

function saidView({ records, origin, today }: ViewParts, asset: AssetKey, { params }: Asked): View {
  checkFilters(params, 'said')
  const { year, person } = readHedgehogView((name) => params.get(name))
  const calls = saidCalls(records.snapshot(), asset)
  if (person !== null && calls.every(({ slug }) => slug !== person)) {
    throw failure(
      'invalid',
      `The filter person names “${person.slice(0, 60)}”, who has no call here.`,
    )
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
    asOf: today(),
    assets: [asset],
    table: saidTable(rows, origin),
    notes: [],
  }
}

async function yearsView({ years, records, today }: ViewParts, { params }: Asked): Promise<View> {
  checkFilters(params, 'none')
  const found = await years()
  if (!found) throw stillComputed()
  return {
    title: VIEW_TITLES.years,
    asOf: today(),
    assets: pricedAssets(records),
    table: dueTable(found),
    notes: [],
  }
}

/** The calls of one asset that were or are due in one year. */
function yearView(
  { records, origin, today }: ViewParts,
  [name = '', assetName, ...rest]: readonly string[],
  { params }: Asked,
): View {
  checkFilters(params, 'none')
  const asked = rest.length === 0 ? readYearParts(name, assetName) : null
  const snapshot = records.snapshot()
  if (!asked || !yearPlace(snapshot, asked.asset, asked.year)) {
    throw failure('not_found', 'No call was or is due in this year.')
  }
  const { asset, year } = asked
  const due = snapshot.assets[asset].predictions.filter(({ by }) => partsOf(by).year === year)
  const rows = historyFigures(due, 'touch', nowOf({ records }, ASSETS[asset]).closes)
  const calls = rows
    .toSorted((a, b) => newestFirst(a.prediction, b.prediction))
    .map((row): CallOf => ({ row, mode: 'touch', isDrawn: false, isPast: false }))
  return {
    title: VIEW_TITLES.year(ASSETS[asset].name, year),
    asOf: today(),
    assets: [asset],
    table: callTable(calls, origin),
    notes: [],
  }
}

async function correctionsView(
  { corrections, records, origin, today }: ViewParts,
  { params }: Asked,
): Promise<View> {
  checkFilters(params, 'corrections')
  const view = readCorrectionsView((name) => params.get(name))
  const rows = await corrections.narrowed(view)
  const { person } = view
  if (person !== null && rows.length === 0 && !records.snapshot().byExpert.has(person)) {
    throw failure(
      'invalid',
      `The filter person names “${person.slice(0, 60)}”, who is not on record.`,
    )
  }
  return {
    title: VIEW_TITLES.corrections,
    asOf: today(),
    assets: [],
    table: correctionTable(rows, origin),
    notes: [],
  }
}

async function reportsView(
  { reports, records, origin, today }: ViewParts,
  { params }: Asked,
): Promise<View> {
  checkFilters(params, 'reports')
  const view = readReportsView((name) => params.get(name))
  const { byId, withdrawn } = records.snapshot()
  const { prediction } = view
  if (prediction !== null && !byId.has(prediction) && !withdrawn.has(prediction)) {
    throw failure(
      'invalid',
      `The filter prediction names “${prediction.slice(0, 60)}”, which is not on record.`,
    )
  }
  return {
    title: VIEW_TITLES.reports,
    asOf: today(),
    assets: [],
    table: reportTable(await reports.narrowed(view), origin),
    notes: [],
  }
}

function stillComputed() {
  return failure(
    'unavailable',
    'Scores are being computed. Please try again in a minute.',
    null,
    60,
  )
}

function pricedAssets(records: ViewParts['records']): AssetKey[] {
  const { assets } = records.snapshot()
  return ASSET_KEYS.filter((key) => assets[key].known.days > 0)
}

function closesOf(bars: ReturnType<typeof closedBars>): Closes {
  return { days: bars.map(({ day }) => day), closes: bars.map(({ close }) => close) }
}
