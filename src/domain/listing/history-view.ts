import { type ClaimType } from '#domain/claim/claim.ts'
import { type Outcome } from '#domain/judging/verdict.ts'

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

/** How the History table is sorted and which rows it shows. */
export type HistoryView = {
  readonly sort: HistoryColumn
  readonly descending: boolean
  readonly status: Outcome | null
  readonly kind: ClaimType | null
  /** The years in which a call was made and is due; null shows all. */
  readonly made: number | null
  readonly due: number | null
  readonly search: string
  /** A row for each year in which calls were made, instead of one for each call. */
  readonly byYear: boolean
  /** The first page is 0. */
  readonly page: number
}

/** What was decided last comes first. */
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

/** These begin with the latest or the largest. */
const DOWN_FIRST: readonly HistoryColumn[] = ['target', 'made', 'price', 'error']

/** A column head was pressed: sorts by it, pressed again the other way round. */
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

/** The view as address parameters; what is as on opening is left out. */
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

/** Reads a view from an address; whatever is missing or makes no sense there is as on opening. */
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

export const OUTCOMES: readonly Outcome[] = ['hit', 'miss', 'pending', 'void']
export const CLAIM_KINDS: readonly ClaimType[] = ['target', 'range', 'by-date', 'top', 'bottom']
