import { dueDay } from '#domain/claim/due-day.ts'
import { type Prediction } from '#domain/claim/prediction.ts'
import { type Day } from '#domain/day.ts'
import { type JudgeMode } from '#domain/judging/verdict.ts'
import {
  historyFigures,
  historyYears,
  PAGE_ROWS,
  shownRows,
  yearsOf,
  type Closes,
  type HistoryRow,
  type HistoryYear,
} from './history-rows.ts'
import { OPENING_HISTORY, type HistoryColumn } from './history-view.ts'
import { countsIn, expertsOf, listed, type ExpertOption } from './listing.ts'
import { type Days } from './opening-choice.ts'
import { type Question } from './question.ts'
import { activeOnes, inScope, newestFirst, type Selection, type StatusFilter } from './selection.ts'

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

/** Some of many, in their order. */
export type Some = {
  readonly total: number
  readonly ones: readonly Prediction[]
}

type Counts = Readonly<Record<StatusFilter, number>>
type CountsByMode = Readonly<Record<JudgeMode, Counts>>

/** One page of the History table, and what its menus offer. */
export type HistoryPart = Some & {
  /** The page that this is: the last one where there is none of the number asked for. */
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

/** The predictions of an asset in the orders that their lists begin from: what is in order already is sorted in one pass. */
export type Ordered = {
  readonly newest: readonly Prediction[]
  readonly supported: readonly Prediction[]
  /** The rows of the history in the order of a column. */
  readonly history: (
    mode: JudgeMode,
    sort: HistoryColumn,
    descending: boolean,
  ) => readonly HistoryRow[]
  readonly made: readonly number[]
  readonly due: readonly number[]
  readonly hasLuck: boolean
  readonly totals: CountsByMode
}

/** Puts predictions into order; the orders of the history are made when they are first asked for. */
export function inOrder(predictions: readonly Prediction[], prices: Closes): Ordered {
  const figures = new Map<JudgeMode, readonly HistoryRow[]>()
  const orders = new Map<string, readonly HistoryRow[]>()
  const newest = predictions.toSorted(newestFirst)
  const figuresBy = (mode: JudgeMode): readonly HistoryRow[] => {
    const known = figures.get(mode) ?? historyFigures(predictions, mode, prices)
    figures.set(mode, known)
    return known
  }
  return {
    newest,
    supported: newest.toSorted((a, b) => b.voteScore - a.voteScore),
    history: (mode, sort, descending) => {
      const name = `${mode} ${sort} ${String(descending)}`
      const known =
        orders.get(name) ?? shownRows({ ...OPENING_HISTORY, sort, descending }, figuresBy(mode))
      orders.set(name, known)
      return known
    },
    made: yearsOf(predictions, (one) => one.made),
    due: yearsOf(predictions, (one) => one.by),
    hasLuck: predictions.some(({ odds }) => odds),
    totals: countsByMode(predictions),
  }
}

/**
 * Answers a question.
 *
 * @param opening the days of the opening view, which decide what is drawn at first
 * @param isPast it is the record of a past day
 */
export function partOf(
  all: Ordered,
  { selection, mode, history, days }: Question,
  { opening, isPast }: { readonly opening: Days; readonly isPast: boolean },
): Part {
  const scope = inScope(selection, all.newest)
  const cards = listed(selection, all.newest, mode)
  const drawable = { predictions: all.supported, mode, opening, isPast }
  const drawn = activeOnes(selection, drawable)
  const rows = shownRows(history, all.history(mode, history.sort, history.descending))
  const page = Math.min(history.page, Math.max(0, Math.ceil(rows.length / PAGE_ROWS) - 1))
  const wanted = new Set(selection.experts)
  return {
    total: all.newest.length,
    first: all.newest.at(-1)?.made ?? null,
    counts: countsByMode(scope),
    totals: all.totals,
    chosen:
      wanted.size === 0
        ? []
        : expertsOf(all.newest.filter(({ expert }) => wanted.has(expert.slug))),
    listed: { total: cards.length, ones: cards.slice(0, CARDS) },
    drawn: { total: drawn.length, ones: leastDrawn(drawn, selection, days) },
    history: {
      total: rows.length,
      ones: rows
        .slice(page * PAGE_ROWS, (page + 1) * PAGE_ROWS)
        .map(({ prediction }) => prediction),
      page,
      hasLuck: all.hasLuck,
      made: all.made,
      due: all.due,
      years: history.byYear ? historyYears(rows) : [],
    },
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
  const rank = (one: Prediction): number => {
    if (byHand.has(one.id)) return 0
    return days === null || isSeen(one, days) ? 1 : 2
  }
  const ranked = [0, 1, 2].flatMap((wanted) => drawn.filter((one) => rank(one) === wanted))
  const kept = new Set(ranked.slice(0, MOST_DRAWN))
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
