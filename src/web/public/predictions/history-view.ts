import { type Prediction } from '#domain/claim/prediction.ts'
import { type JudgeMode, type Outcome } from '#domain/judging/verdict.ts'
import { levelsOf } from '#domain/claim/claim.ts'

export const HISTORY_COLUMNS = ['expert', 'prediction', 'target', 'status'] as const
export type HistoryColumn = (typeof HISTORY_COLUMNS)[number]

/** How the History table is sorted and which rows it shows. */
export type HistoryView = {
  readonly sort: HistoryColumn
  readonly descending: boolean
  readonly status: Outcome | null
  readonly search: string
  /** The first page is 0. */
  readonly page: number
}

export const OPENING_HISTORY: HistoryView = {
  sort: 'target',
  descending: true,
  status: null,
  search: '',
  page: 0,
}

/** Rows on one page of the table. */
export const PAGE_ROWS = 100

/** A column head was pressed: sorts by it, pressed again the other way round. */
export function sortBy(view: HistoryView, column: HistoryColumn): HistoryView {
  return view.sort === column
    ? { ...view, descending: !view.descending, page: 0 }
    : { ...view, sort: column, descending: column === 'target', page: 0 }
}

const STATUS_ORDER: Readonly<Record<Outcome, number>> = { hit: 0, miss: 1, pending: 2, void: 3 }

/** The rows of every page, in order. */
export function historyRows(
  view: HistoryView,
  predictions: readonly Prediction[],
  mode: JudgeMode,
): readonly Prediction[] {
  const wanted = view.search.trim().toLowerCase()
  const order = comparerOf(view.sort, mode)
  return predictions
    .filter((one) => view.status === null || one.verdicts[mode].outcome === view.status)
    .filter((one) => wanted === '' || one.expert.name.toLowerCase().includes(wanted))
    .toSorted((a, b) => (view.descending ? order(b, a) : order(a, b)) || b.made - a.made)
}

function comparerOf(
  column: HistoryColumn,
  mode: JudgeMode,
): (a: Prediction, b: Prediction) => number {
  switch (column) {
    case 'expert':
      return (a, b) => a.expert.name.localeCompare(b.expert.name)
    case 'prediction':
      return (a, b) => levelsOf(a.claim).min - levelsOf(b.claim).min
    case 'target':
      return (a, b) => a.by - b.by
    case 'status':
      return (a, b) =>
        STATUS_ORDER[a.verdicts[mode].outcome] - STATUS_ORDER[b.verdicts[mode].outcome]
  }
}

const HISTORY_PARAMS = ['hsort', 'hstatus', 'hq', 'hpage'] as const
export type HistoryParam = (typeof HISTORY_PARAMS)[number]

/** The view as address parameters; what is as on opening is left out. */
export function historyParams(view: HistoryView): Partial<Record<HistoryParam, string>> {
  const isOpening = view.sort === OPENING_HISTORY.sort && view.descending
  return {
    ...(!isOpening && { hsort: `${view.descending ? '-' : ''}${view.sort}` }),
    ...(view.status && { hstatus: view.status }),
    ...(view.search.trim() !== '' && { hq: view.search }),
    ...(view.page > 0 && { hpage: String(view.page + 1) }),
  }
}

/** Reads a view from an address; whatever is missing or makes no sense there is as on opening. */
export function readHistory(param: (name: HistoryParam) => string | null): HistoryView {
  const sort = param('hsort') ?? ''
  const column = HISTORY_COLUMNS.find((known) => known === sort.replace(/^-/, ''))
  const status = param('hstatus')
  const page = Number(param('hpage') ?? 1) - 1
  return {
    ...OPENING_HISTORY,
    ...(column && { sort: column, descending: sort.startsWith('-') }),
    status: OUTCOMES.find((known) => known === status) ?? null,
    search: (param('hq') ?? '').slice(0, 200),
    page: Number.isInteger(page) && page > 0 && page < 100_000 ? page : 0,
  }
}

const OUTCOMES: readonly Outcome[] = ['hit', 'miss', 'pending', 'void']
