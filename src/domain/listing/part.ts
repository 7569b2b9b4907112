import { dueDay } from '#domain/claim/due-day.ts'
import { type Prediction } from '#domain/claim/prediction.ts'
import { type Day } from '#domain/day.ts'
import { type JudgeMode } from '#domain/judging/verdict.ts'
import {
  historyFigures,
  historyYears,
  keptRows,
  PAGE_ROWS,
  shownRows,
  yearsOf,
  type Closes,
  type HistoryYear,
} from './history-rows.ts'
import { OPENING_HISTORY } from './history-view.ts'
import { countsIn, expertsOf, listedIn, type ExpertOption } from './listing.ts'
import { type Days } from './opening-choice.ts'
import { type Question } from './question.ts'
import {
  activeOnes,
  inScope,
  mostSupportedFirst,
  newestFirst,
  type Selection,
  type StatusFilter,
} from './selection.ts'

/** Predictions that a page is sent whole, and filters by itself; of more it asks for what it shows. */
export const MOST_WHOLE = 300
/** Cards that a list shows at first, and adds each time its end comes near: thousands would make the page heavy. */
export const CARDS = 20
/** Cards of a large record that are asked for when the end of the list comes near. */
export const MORE_CARDS = 100
/** Experts that the menu of a large record offers at once. */
export const MOST_PEOPLE = 100
/** Marks that a chart of a large record shows at once. */
export const MOST_DRAWN = 300

/** Open calls of a large record that are counted over its chart at once. */
export const MOST_TARGETS = 3_000

/** Some of many, in their order. */
export type Some = {
  readonly total: number
  readonly ones: readonly Prediction[]
}

type Counts = Readonly<Record<StatusFilter, number>>
type CountsByMode = Readonly<Record<JudgeMode, Counts>>

/** One page of the History table, and what its menus offer. */
export type HistoryPart = Some & {
  /** Which page this is: the last one, where a later one was asked for. */
  readonly page: number
  /** Some predictions of the record are compared with luck. */
  readonly hasLuck: boolean
  /** The years in which predictions of the record were made and are due, newest first. */
  readonly made: readonly number[]
  readonly due: readonly number[]
  /** All pages together, by the year in which they were made; empty unless asked for. */
  readonly years: readonly HistoryYear[]
}

/** What a dashboard shows of a record: the same as all of it would show. */
export type Part = {
  /** All predictions of the asset. */
  readonly total: number
  /** When the first one was made; null without any. */
  readonly first: Day | null
  /** How many predictions each filter holds, by each way of judging. */
  readonly counts: CountsByMode
  /** The same of all predictions. */
  readonly totals: CountsByMode
  /** The chosen experts. */
  readonly chosen: readonly ExpertOption[]
  readonly listed: Some
  readonly drawn: Some
  readonly history: HistoryPart
}

/** The predictions of an asset, and answers to parts of questions that were asked before. */
export type Ordered = {
  readonly predictions: readonly Prediction[]
  /** The days of the opening view, which decide what is drawn at first. */
  readonly opening: Days
  /** It is the record of a past day. */
  readonly isPast: boolean
  readonly made: readonly number[]
  readonly due: readonly number[]
  readonly hasLuck: boolean
  /** Gives what was made under a name before, or makes it. */
  readonly once: <Made>(name: string, make: () => Made) => Made
  readonly prices: Closes
}

/** Parts of answers kept for each record: each at most a list of all predictions. */
const MOST_KEPT = 24

export function inOrder(
  predictions: readonly Prediction[],
  prices: Closes,
  { opening, isPast }: Pick<Ordered, 'opening' | 'isPast'>,
): Ordered {
  /** The longest unused first. */
  const kept = new Map<string, unknown>()
  return {
    predictions,
    prices,
    opening,
    isPast,
    made: yearsOf(predictions, (one) => one.made),
    due: yearsOf(predictions, (one) => one.by),
    hasLuck: predictions.some(({ odds }) => odds),
    once: <Made>(name: string, make: () => Made): Made => {
      const made = kept.has(name) ? (kept.get(name) as Made) : make()
      kept.delete(name)
      kept.set(name, made)
      const [oldest] = kept.keys()
      if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest)
      return made
    },
  }
}

/** Answers a question. */
export function partOf(all: Ordered, question: Question): Part {
  const { selection, mode, days } = question
  const { once } = all
  const name = nameOf(selection)
  const newest = scopeOf(all, selection)
  const cards = listedOf(all, question)
  const drawn = once(`drawn ${mode} ${drawnBy(selection)}`, () =>
    activeOnes(selection, {
      predictions: supportedOf(all),
      isOrdered: true,
      mode,
      opening: all.opening,
      isPast: all.isPast,
    }),
  )
  const totals = once('counts', () => countsByMode(all.predictions))
  const wanted = new Set(selection.experts)
  return {
    total: all.predictions.length,
    first: newestOf(all).at(-1)?.made ?? null,
    counts: name === NO_SCOPE ? totals : once(`counts ${name}`, () => countsByMode(newest)),
    totals,
    chosen:
      wanted.size === 0
        ? []
        : expertsOf(all.predictions.filter(({ expert }) => wanted.has(expert.slug))),
    listed: { total: cards.length, ones: cards.slice(0, CARDS) },
    drawn: { total: drawn.length, ones: leastDrawn(drawn, selection, days) },
    history: historyOf(all, question),
  }
}

/** The whole list beside the chart. */
export function listedOf(
  all: Ordered,
  { selection, mode }: Pick<Question, 'selection' | 'mode'>,
): readonly Prediction[] {
  return all.once(`listed ${mode} ${selection.filter} ${nameOf(selection)}`, () =>
    listedIn(selection.filter, scopeOf(all, selection), mode),
  )
}

/** Names what decides what is drawn: words that are typed leave what a chart opened with as it is. */
function drawnBy({ active, experts, search }: Selection): string {
  const scope = 'status' in active ? [search.trim(), experts] : 'leading' in active ? [experts] : []
  return JSON.stringify([active, ...scope])
}

const NO_SCOPE = nameOf({ experts: [], search: '' })

function nameOf({ experts, search }: Pick<Selection, 'experts' | 'search'>): string {
  return JSON.stringify([search.trim(), ...experts])
}

function newestOf({ predictions, once }: Ordered): readonly Prediction[] {
  return once('newest', () => predictions.toSorted(newestFirst))
}

/** All, most supported first. */
export function supportedOf({ predictions, once }: Ordered): readonly Prediction[] {
  return once('supported', () => predictions.toSorted(mostSupportedFirst))
}

function scopeOf(all: Ordered, selection: Selection): readonly Prediction[] {
  return all.once(`scope ${nameOf(selection)}`, () => inScope(selection, newestOf(all)))
}

function historyOf(
  { predictions, prices, once, made, due, hasLuck }: Ordered,
  { mode, history }: Question,
): HistoryPart {
  const { sort, descending, page: _page, ...filter } = history
  const order = `${mode} ${sort} ${String(descending)}`
  const rows = once(`rows ${order} ${JSON.stringify(filter)}`, () => {
    const ordered = once(`order ${order}`, () => {
      const figures = once(`figures ${mode}`, () => historyFigures(predictions, mode, prices))
      return shownRows({ ...OPENING_HISTORY, sort, descending }, figures)
    })
    return keptRows(history, ordered)
  })
  const page = Math.min(history.page, Math.max(0, Math.ceil(rows.length / PAGE_ROWS) - 1))
  return {
    total: rows.length,
    ones: rows.slice(page * PAGE_ROWS, (page + 1) * PAGE_ROWS).map(({ prediction }) => prediction),
    page,
    hasLuck,
    made,
    due,
    years: history.byYear ? historyYears(rows) : [],
  }
}

function countsByMode(scope: readonly Prediction[]): CountsByMode {
  return { touch: countsIn(scope, 'touch'), close: countsIn(scope, 'close') }
}

/** Those that are drawn where there are too many: the ones put on by hand, those with a sign in view, then the first others. */
function leastDrawn(
  drawn: readonly Prediction[],
  { active }: Selection,
  days: Days | null,
): readonly Prediction[] {
  if (drawn.length <= MOST_DRAWN) return drawn
  const byHand = new Set('status' in active ? active.and : [])
  const kept = new Set(drawn.filter(({ id }) => byHand.has(id)))
  const seen = days === null ? [] : drawn.filter((one) => isSeen(one, days))
  for (const one of [...seen, ...drawn.slice(0, MOST_DRAWN)]) {
    if (kept.size >= MOST_DRAWN) break
    kept.add(one)
  }
  return drawn.filter((one) => kept.has(one))
}

function isSeen(one: Prediction, [from, to]: Days): boolean {
  const due = dueDay(one)
  const start = one.said.type === 'target' ? due : one.made
  const isDecided = Object.values(one.verdicts).some(
    ({ day }) => day !== null && day >= from && day <= to,
  )
  return isDecided || (start <= to && due >= from)
}
