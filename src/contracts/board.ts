import { findAsset, type AssetKey } from '#domain/asset.ts'
import { type JudgeMode, type Outcome } from '#domain/judging/verdict.ts'
import { ALL_CALLS, SIDES, type CallFilter } from '#domain/scoring/call-filter.ts'
import { type YearRecord } from '#domain/scoring/year-card.ts'
import { type PersonScoreRow, type ScoresReply } from './scores.ts'

export const SORTS = ['band', 'came-true', 'luck', 'skill', 'sats', 'boldness'] as const
export type Sort = (typeof SORTS)[number]

type Row = Pick<PersonScoreRow, 'skill' | 'shrunk' | 'decided' | 'sats' | 'boldness'>

/** Sorts descending, stably. @param rows in the order of the scores */
export function sortedBy<One extends Row>(rows: readonly One[], sort: Sort): readonly One[] {
  if (sort === 'band') return rows
  const valueOf = (row: Row) => VALUES[sort](row) ?? -Infinity
  return rows.toSorted((a, b) => valueOf(b) - valueOf(a))
}

const VALUES: Readonly<Record<Exclude<Sort, 'band'>, (row: Row) => number | null | undefined>> = {
  'came-true': ({ shrunk }) => shrunk?.mean,
  luck: ({ decided }) => decided.hits - decided.expected,
  skill: ({ skill }) => skill?.low,
  sats: ({ sats }) => sats,
  boldness: ({ boldness }) => boldness,
}

export type BoardView = CallFilter & {
  readonly mode: JudgeMode
  readonly sort: Sort
  /** Part of a name to search the others for; empty for all. */
  readonly find: string
}

/** Maximum people per list; a strip of marks makes ranked ones the larger. */
export const BOARD_ROWS = { ranked: 50, others: 100 }
const LONGEST_FIND = 60

export type BoardCall = {
  readonly id: string
  readonly asset: AssetKey
  /** `Never above $150,000` */
  readonly text: string
  readonly deadline: string
  readonly outcome: Outcome
  /** Chance of a hit when it was made; null if unknown, and then not on the strip. */
  readonly luck: number | null
}

type Figures = Omit<ScoresReply['people'][number], 'calls'>

/** A call on the strip of a row. */
export type StripCall = Omit<BoardCall, 'asset' | 'luck'> & { readonly luck: number }

export type BoardRow = Figures & {
  /** Without repeats. */
  readonly call_count: number
  /** Calls with luck; a sample if there are more than `MOST_MARKS`. */
  readonly calls: readonly StripCall[]
}

/** The board of people, as of the newest scores. */
export type Board = Pick<
  ScoresReply,
  'as_of' | 'finding' | 'notes' | 'has_recorded_before' | 'selection'
> & {
  readonly totals: ScoresReply['totals'][number]
  /** People with at least five comparable calls, by band; the first `BOARD_ROWS`. */
  readonly ranked: readonly BoardRow[]
  /** Other people, by name; the first `BOARD_ROWS` that match. */
  readonly others: readonly BoardRow[]
  /** Totals, including those not shown. */
  readonly counts: { readonly ranked: number; readonly others: number }
  readonly yardsticks: readonly Figures[]
  readonly years: { readonly first: number; readonly last: number } | null
}

export type BoardTop = Pick<
  Board,
  'as_of' | 'finding' | 'notes' | 'totals' | 'has_recorded_before' | 'selection'
> & {
  readonly ranked: readonly Pick<
    BoardRow,
    'slug' | 'name' | 'band' | 'decided' | 'calls' | 'call_count'
  >[]
  readonly people: number
}

type Params = Readonly<Record<string, string | undefined>>

export function readBoardView(param: (name: string) => string | null): BoardView {
  const side = param('side')
  const recorded = param('recorded')
  return {
    mode: param('mode') === 'close' ? 'close' : 'touch',
    asset: findAsset(param('asset') ?? '')?.key ?? null,
    fromYear: yearOf(param('from')),
    toYear: yearOf(param('to')),
    side: SIDES.find((one) => one === side) ?? null,
    recorded: recorded === 'before' || recorded === 'after' ? recorded : null,
    sort: SORTS.find((one) => one === param('sort')) ?? 'band',
    find: (param('find') ?? '').trim().slice(0, LONGEST_FIND),
  }
}

export function boardParams(view: BoardView): Params {
  const { mode, asset, fromYear, toYear, side, recorded, sort, find } = view
  const textOf = (value: string | number | null) => (value === null ? undefined : String(value))
  return {
    mode: mode === 'touch' ? undefined : mode,
    asset: textOf(asset),
    from: textOf(fromYear),
    to: textOf(toYear),
    side: textOf(side),
    recorded: textOf(recorded),
    sort: sort === 'band' ? undefined : sort,
    find: find === '' ? undefined : find,
  }
}

const BOARD_TABS = ['board', 'statistics', 'funnel'] as const

export type BoardState = {
  readonly view: BoardView
  readonly tab: (typeof BOARD_TABS)[number]
}

export const BOARD_ADDRESS = {
  read: (param: (name: string) => string | null): BoardState => ({
    view: readBoardView(param),
    tab: BOARD_TABS.find((tab) => tab === param('tab')) ?? 'board',
  }),
  write: ({ view, tab }: BoardState) => ({
    ...boardParams(view),
    tab: tab === 'board' ? undefined : tab,
  }),
}

/** A name as people type it: without case and accents. */
export function plainName(text: string): string {
  return text.trim().normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

export function isNarrowed(view: CallFilter): boolean {
  return (Object.keys(ALL_CALLS) as (keyof CallFilter)[]).some((key) => view[key] !== null)
}

function yearOf(text: string | null): number | null {
  return text !== null && /^20\d\d$/.test(text) ? Number(text) : null
}

export type PersonReport = Pick<ScoresReply, 'as_of' | 'notes'> & {
  readonly figures: Figures
  /** Newest first. */
  readonly years: readonly YearRecord[]
  /** Ids of repeated calls, which are not scored, with the id of the first one. */
  readonly repeats: Readonly<Record<string, string>>
  readonly best: string | null
  readonly worst: string | null
}
