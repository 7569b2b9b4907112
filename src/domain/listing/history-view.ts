import { type ClaimType } from '#domain/claim/claim.ts'
import { type Prediction } from '#domain/claim/prediction.ts'
import { partsOf, type Day } from '#domain/day.ts'
import { OUTCOMES, type Outcome, type JudgeMode } from '#domain/judging/verdict.ts'
import { figuresOf, type CallTally } from '#domain/scoring/stated-calls.ts'
import { deadlineError } from '#domain/scoring/year-card.ts'

export const HISTORY_COLUMNS = [
  'expert',
  'prediction',
  'made',
  'price',
  'target',
  'error',
  'luck',
  'status',
] as const
export type HistoryColumn = (typeof HISTORY_COLUMNS)[number]

export type HistoryView = {
  readonly sort: HistoryColumn
  readonly descending: boolean
  readonly status: Outcome | null
  readonly kind: ClaimType | null
  /** Years in which calls were made and are due; null shows all. */
  readonly made: number | null
  readonly due: number | null
  readonly search: string
  /** One row per year instead of one per call. */
  readonly byYear: boolean
  readonly page: number
}

/** Latest decision first. */
export const OPENING_HISTORY: HistoryView = {
  sort: 'status',
  descending: false,
  status: null,
  kind: null,
  made: null,
  due: null,
  search: '',
  byYear: false,
  page: 0,
}

/** Columns sorted in descending order first. */
const DOWN_FIRST: readonly HistoryColumn[] = ['target', 'made', 'price', 'error']

/** Sorts by a column, or reverses the order if it is already sorted by it. */
export function sortBy(view: HistoryView, column: HistoryColumn): HistoryView {
  return view.sort === column
    ? { ...view, descending: !view.descending, page: 0 }
    : { ...view, sort: column, descending: DOWN_FIRST.includes(column), page: 0 }
}

export const HISTORY_PARAMS = [
  'hsort',
  'hstatus',
  'hkind',
  'hmade',
  'hdue',
  'hq',
  'hby',
  'hpage',
] as const
export type HistoryParam = (typeof HISTORY_PARAMS)[number]

export function historyParams(view: HistoryView): Partial<Record<HistoryParam, string>> {
  const isOpening = view.sort === OPENING_HISTORY.sort && !view.descending
  return {
    ...(!isOpening && { hsort: `${view.descending ? '-' : ''}${view.sort}` }),
    ...(view.status && { hstatus: view.status }),
    ...(view.kind && { hkind: view.kind }),
    ...(view.made !== null && { hmade: String(view.made) }),
    ...(view.due !== null && { hdue: String(view.due) }),
    ...(view.search.trim() !== '' && { hq: view.search }),
    ...(view.byYear && { hby: 'year' }),
    ...(view.page > 0 && { hpage: String(view.page + 1) }),
  }
}

/** Reads a view from an address; missing or invalid parameters take their defaults. */
export function readHistory(param: (name: HistoryParam) => string | null): HistoryView {
  const sort = param('hsort') ?? ''
  const column = HISTORY_COLUMNS.find((known) => known === sort.replace(/^-/, ''))
  const page = Number(param('hpage') ?? 1) - 1
  return {
    ...OPENING_HISTORY,
    ...(column && { sort: column, descending: sort.startsWith('-') }),
    status: OUTCOMES.find((known) => known === param('hstatus')) ?? null,
    kind: CLAIM_KINDS.find((known) => known === param('hkind')) ?? null,
    made: readYear(param('hmade')),
    due: readYear(param('hdue')),
    search: (param('hq') ?? '').slice(0, 200),
    byYear: param('hby') === 'year',
    page: Number.isInteger(page) && page > 0 && page < 100_000 ? page : 0,
  }
}

function readYear(text: string | null): number | null {
  return text !== null && /^[12]\d{3}$/.test(text) ? Number(text) : null
}

export const CLAIM_KINDS: readonly ClaimType[] = ['target', 'range', 'by-date', 'top', 'bottom']

/** Daily closes, USD, and their days since 1970, in parallel arrays, oldest first. */
export type Closes = { readonly days: ArrayLike<number>; readonly closes: ArrayLike<number> }

export const PAGE_ROWS = 100
export const FIRST_ROWS = 20

export type HistoryRow<One = Prediction> = {
  readonly prediction: One
  /** Close of the day it was made, USD in that day's units. */
  readonly priceThen: number | null
  /** Distance of the level from the close on the deadline, or so far from the last close; null for a void or without prices. */
  readonly error: number | null
  /** The deadline is ahead: the error is as of the last close. */
  readonly isSoFar: boolean
  /** Chance of a hit when it was made; null if unknown. */
  readonly luck: number | null
}

export type FullRow = HistoryRow & { readonly outcome: Outcome }

/** Calls of an asset with their figures in one mode. */
export function historyFigures(
  predictions: readonly Prediction[],
  mode: JudgeMode,
  prices: Closes | null,
): readonly FullRow[] {
  return predictions.map((prediction) => {
    const { outcome, reference } = prediction.verdicts[mode]
    const last = prices?.days[prices.days.length - 1] ?? -Infinity
    return {
      prediction,
      outcome,
      priceThen: reference && reference.usd * prediction.splitFactor,
      error: outcome === 'void' || !prices ? null : errorOf(prediction, mode, prices),
      isSoFar: prediction.by > last,
      luck: prediction.odds?.[mode].luck ?? null,
    }
  })
}

function errorOf({ claim, by, verdicts }: Prediction, mode: JudgeMode, prices: Closes) {
  const usd = closeUpTo(prices, by)
  const { direction, level } = verdicts[mode]
  return usd > 0
    ? deadlineError({ direction, level, isMinimum: claim.type === 'by-date' }, usd)
    : null
}

/** The last close up to a day; 0 if prices begin later. */
function closeUpTo({ days, closes }: Closes, day: Day): number {
  let low = 0
  let high = days.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((days[middle] ?? Infinity) <= day) low = middle + 1
    else high = middle
  }
  return closes[low - 1] ?? 0
}

export type HistoryYear = CallTally & { readonly year: number }

/** The years in which these calls were made, newest first. */
export function historyYears(rows: readonly FullRow[]): readonly HistoryYear[] {
  const byYear = Map.groupBy(rows, ({ prediction }) => partsOf(prediction.made).year)
  return [...byYear]
    .map(([year, own]) => {
      const calls = own.map(({ outcome, error, isSoFar }) => {
        const isDecided = outcome === 'hit' || outcome === 'miss'
        return { outcome, isDecided, error: isSoFar ? null : error }
      })
      return { year, ...figuresOf(calls) }
    })
    .toSorted((a, b) => b.year - a.year)
}
