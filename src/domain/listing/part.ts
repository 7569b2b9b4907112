import { type Prediction, type Drawn } from '#domain/claim/prediction.ts'
import { isoDay, readDay, type Day } from '#domain/day.ts'
import { type JudgeMode, type Outcome } from '#domain/judging/verdict.ts'
import { showCount } from '#domain/price-text.ts'
import {
  historyParams,
  readHistory,
  type HistoryRow,
  type HistoryView,
  type HistoryYear,
} from './history-view.ts'
import {
  readSelection,
  selectionParams,
  type StatusFilter,
  FILTER_LABELS,
  type Selection,
} from './selection.ts'

export const CARDS = 20
/** Cards loaded when the reader nears the end of the list. */
export const MORE_CARDS = 100
export const MOST_PEOPLE = 100
export const MOST_DRAWN = 600
/** Maximum open calls counted over a chart. */
export const MOST_TARGETS = 3_000

/** A subset, in order, and the size of the whole. */
export type Some<One = Prediction> = {
  readonly total: number
  readonly ones: readonly One[]
}

/** A first page and where the next one begins; null after the last. */
export type Paged<One = Prediction> = Some<One> & { readonly next: string | null }

type Counts = Readonly<Record<StatusFilter, number>>
type CountsByMode = Readonly<Record<JudgeMode, Counts>>

export type HistoryPart<One = Prediction> = {
  readonly total: number
  /** The first rows, or all. */
  readonly rows: readonly HistoryRow<One>[]
  /** The current page; the last one if a later one was requested. */
  readonly page: number
  /** Whether any prediction is compared with luck. */
  readonly hasLuck: boolean
  /** Years in which predictions were made and are due, newest first. */
  readonly made: readonly number[]
  readonly due: readonly number[]
  /** Summaries by year made, over all pages; empty unless requested. */
  readonly years: readonly HistoryYear[]
}

/** Data of a dashboard. */
export type Part<One = Prediction> = {
  readonly total: number
  /** The day of the earliest prediction. */
  readonly first: Day | null
  /** Number of predictions per filter, by mode. */
  readonly counts: CountsByMode
  /** As `counts`, unfiltered. */
  readonly totals: CountsByMode
  readonly chosen: readonly ExpertOption[]
  readonly listed: Paged<One>
  readonly drawn: Some<One>
  readonly history: HistoryPart<One>
}

/** A prediction for lists and charts, with its texts by mode. */
export type Listed = Drawn & {
  readonly texts: Readonly<Record<JudgeMode, ListedTexts>>
}

type ListedTexts = {
  readonly sentence: string
  /** The distance to go or the result, in a few words. */
  readonly line: string
}

/** The active filters in words: `Miss · PlanB · “million”`. @param options include the chosen experts */
export function filterText(selection: Selection, options: readonly ExpertOption[]): string {
  const { filter, experts, search } = selection
  const names = options.filter(({ slug }) => experts.includes(slug)).map(({ name }) => name)
  return [
    filter === 'all' ? '' : FILTER_LABELS[filter],
    names.join(', '),
    search.trim() === '' ? '' : `“${search.trim()}”`,
  ]
    .filter((part) => part !== '')
    .join(' · ')
}

export type ExpertOption = {
  readonly slug: string
  readonly name: string
  readonly predictions: number
}

const PARTS: readonly (readonly [Outcome, one: string, many: string])[] = [
  ['hit', 'came true', 'came true'],
  ['miss', 'missed', 'missed'],
  ['pending', 'is open', 'are open'],
  ['void', 'is void', 'are void'],
]

/** `12 Bitcoin price predictions: 5 came true, 4 missed, 3 are open`. No rate: they may be selected by outcome. */
export function drawnText(
  name: string,
  drawn: readonly Pick<Prediction, 'verdicts'>[],
  mode: JudgeMode,
): string {
  const what = `${name} price prediction${drawn.length === 1 ? '' : 's'}`
  if (drawn.length === 0) return `The ${name} price, without predictions`
  const parts = PARTS.flatMap(([outcome, one, many]) => {
    const n = drawn.filter(({ verdicts }) => verdicts[mode].outcome === outcome).length
    if (n === 0) return []
    const noun = n === 1 ? one : many
    return [
      n === drawn.length ? (n === 1 ? `it ${noun}` : `all ${noun}`) : `${showCount(n)} ${noun}`,
    ]
  })
  return `${showCount(drawn.length)} ${what}: ${parts.join(', ')}`
}

export type Question = {
  readonly selection: Selection
  readonly mode: JudgeMode
  readonly history: HistoryView
  /** First and last visible day of the chart; null if all days are visible. */
  readonly days: readonly [Day, Day] | null
  /** Record as of the end of this day; null for now. */
  readonly past: Day | null
  /** Return the whole table page, not only its first rows. */
  readonly isWholePage: boolean
}

export function questionParams({
  selection,
  mode,
  history,
  days,
  past,
  isWholePage,
}: Question): Readonly<Record<string, string>> {
  // The selection mode of experts does not affect the result.
  const { multi: _multi, ...chosen } = selectionParams(selection)
  return {
    ...chosen,
    ...historyParams(history),
    ...(isWholePage && { hall: '1' }),
    ...(mode === 'close' && { judge: 'close' }),
    ...(past !== null && { day: isoDay(past) }),
    ...(days && { first_day: isoDay(days[0]), last_day: isoDay(days[1]) }),
  }
}

/** Reads a query; missing or invalid parameters take their defaults. */
export function readQuestion(param: (name: string) => string | null): Question {
  const [from, to] = [readDay(param('first_day') ?? ''), readDay(param('last_day') ?? '')]
  return {
    selection: readSelection(param),
    mode: param('judge') === 'close' ? 'close' : 'touch',
    history: readHistory(param),
    past: readDay(param('day') ?? ''),
    isWholePage: param('hall') === '1',
    days: from !== null && to !== null && from <= to ? [from, to] : null,
  }
}

/** The query as text, for use as a key. */
export function questionText(question: Question): string {
  return Object.entries(questionParams(question))
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')
}
