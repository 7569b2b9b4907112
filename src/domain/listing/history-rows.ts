import { type Prediction } from '#domain/claim/prediction.ts'
import { partsOf, type Day } from '#domain/day.ts'
import { levelsOf } from '#domain/claim/claim.ts'
import { type JudgeMode, type Outcome } from '#domain/judging/verdict.ts'
import { median } from '#domain/median.ts'
import { byName } from '#domain/people/by-name.ts'
import { deadlineError } from '#domain/scoring/deadline-error.ts'
import { type HistoryColumn, type HistoryView } from './history-view.ts'

/** Daily closes, USD, and their days since 1970, side by side, oldest first. */
export type Closes = { readonly days: ArrayLike<number>; readonly closes: ArrayLike<number> }

/** Rows on one page of the table. */
export const PAGE_ROWS = 100

/** A row of the History table. */
export type HistoryRow = {
  readonly prediction: Prediction
  readonly outcome: Outcome
  /** The day that decided it; its deadline where none did. */
  readonly decided: Day
  /** The close of the day it was made, USD in the units of that day; null where it is not known. */
  readonly priceThen: number | null
  /** How far the level was from the close of the deadline, or is from the last close; null of a void, and without prices. */
  readonly error: number | null
  /** Its deadline has not passed: the error is as of the last close. */
  readonly isSoFar: boolean
  /** The chance of a hit when it was made; null where luck says nothing. */
  readonly luck: number | null
}

/** The calls of an asset with their figures, judged one way. */
export function historyFigures(
  predictions: readonly Prediction[],
  mode: JudgeMode,
  prices: Closes | null,
): readonly HistoryRow[] {
  return predictions.map((prediction) => {
    const { outcome, reference, day } = prediction.verdicts[mode]
    const last = prices?.days[prices.days.length - 1] ?? -Infinity
    return {
      prediction,
      outcome,
      decided: day ?? prediction.by,
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

/** The last close up to a day; 0 where there is none. */
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

/** The rows of every page, in order. */
export function shownRows(view: HistoryView, rows: readonly HistoryRow[]): readonly HistoryRow[] {
  const kept = keptRows(view, rows)
  // Thousands are sorted by numbers made once for each.
  const keys = KEYS[view.sort](kept).map((values) => Float64Array.from(values))
  const sign = view.descending ? -1 : 1
  const compare = (a: number, b: number): number => {
    for (const key of keys) {
      const difference = (key[a] ?? 0) - (key[b] ?? 0)
      if (difference !== 0) return sign * difference
    }
    return (kept[b]?.prediction.made ?? 0) - (kept[a]?.prediction.made ?? 0)
  }
  return kept
    .map((_, place) => place)
    .sort(compare)
    .flatMap((place) => kept[place] ?? [])
}

/** The rows that fit a view, in their order. */
export function keptRows(view: HistoryView, rows: readonly HistoryRow[]): readonly HistoryRow[] {
  const { status, kind, made: madeIn, due } = view
  const wanted = view.search.trim().toLowerCase()
  const isWhole = [status, kind, madeIn, due].every((one) => one === null) && wanted === ''
  if (isWhole) return rows
  return rows.filter(
    ({ outcome, prediction: { said, made, by, expert } }) =>
      (view.status === null || outcome === view.status) &&
      (view.kind === null || said.type === view.kind) &&
      (view.made === null || partsOf(made).year === view.made) &&
      (view.due === null || partsOf(by).year === view.due) &&
      (wanted === '' || expert.name.toLowerCase().includes(wanted)),
  )
}

/** What rows are compared by, the first number first. */
type Keys = (rows: readonly HistoryRow[]) => readonly (readonly number[])[]

/** What has no figure counts as the smallest. */
function byFigure(of: (row: HistoryRow) => number | null): Keys {
  return (rows) => [rows.map((row) => of(row) ?? -Number.MAX_VALUE)]
}

/** Each name is compared once, and not each of thousands of rows. */
function byExpert(rows: readonly HistoryRow[]): readonly (readonly number[])[] {
  const nameOf = ({ prediction }: HistoryRow): string => prediction.expert.name
  const names = [...new Set(rows.map(nameOf))]
  names.sort((a, b) => byName(a, b) || (a < b ? -1 : 1))
  const places = new Map(names.map((name, place) => [name, place]))
  return [rows.map((row) => places.get(nameOf(row)) ?? 0)]
}

const KEYS: Readonly<Record<HistoryColumn, Keys>> = {
  expert: byExpert,
  prediction: byFigure(({ prediction }) => levelsOf(prediction.claim).min),
  made: byFigure(({ prediction }) => prediction.made),
  price: byFigure(({ priceThen }) => priceThen),
  target: byFigure(({ prediction }) => prediction.by),
  error: byFigure(({ error }) => error),
  luck: byFigure(({ luck }) => luck),
  // What was decided last, then what is decided next, then what does not count.
  status: (rows) => [rows.map(stage), rows.map(turn)],
}

function stage({ outcome }: HistoryRow): number {
  if (outcome === 'void') return 2
  return outcome === 'pending' ? 1 : 0
}

function turn({ outcome, decided }: HistoryRow): number {
  return outcome === 'pending' ? decided : 0 - decided
}

/** The calls of one year, together. */
export type HistoryYear = {
  readonly year: number
  readonly calls: number
  readonly decided: number
  readonly hits: number
  /** The middle error of those whose deadline has passed; null without any. */
  readonly error: number | null
}

/** The years in which these calls were made, newest first. */
export function historyYears(rows: readonly HistoryRow[]): readonly HistoryYear[] {
  const byYear = Map.groupBy(rows, ({ prediction }) => partsOf(prediction.made).year)
  return [...byYear]
    .map(([year, own]) => {
      const decided = own.filter(({ outcome }) => outcome === 'hit' || outcome === 'miss')
      return {
        year,
        calls: own.length,
        decided: decided.length,
        hits: decided.filter(({ outcome }) => outcome === 'hit').length,
        error: median(
          decided.flatMap(({ error, isSoFar }) => (error === null || isSoFar ? [] : [error])),
        ),
      }
    })
    .toSorted((a, b) => b.year - a.year)
}

/** The years of all calls, newest first, for choosing one. */
export function yearsOf(
  predictions: readonly Prediction[],
  of: (prediction: Prediction) => Day,
): readonly number[] {
  const days = [...new Set(predictions.map(of))]
  return [...new Set(days.map((one) => partsOf(one).year))].toSorted((a, b) => b - a)
}
