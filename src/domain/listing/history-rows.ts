import { type Prediction } from '#domain/claim/prediction.ts'
import { partsOf, type Day } from '#domain/day.ts'
import { type JudgeMode, type Outcome } from '#domain/judging/verdict.ts'
import { median } from '#domain/median.ts'
import { deadlineError } from '#domain/scoring/deadline-error.ts'

/** Daily closes, USD, and their days since 1970, side by side, oldest first. */
export type Closes = { readonly days: ArrayLike<number>; readonly closes: ArrayLike<number> }

/** Rows on one page of the table. */
export const PAGE_ROWS = 100
/** Rows of a page that are sent before the table comes near the screen. */
export const FIRST_ROWS = 20

/** A row of the History table. */
export type HistoryRow<One = Prediction> = {
  readonly prediction: One
  /** The close of the day it was made, USD in the units of that day; null where it is not known. */
  readonly priceThen: number | null
  /** How far the level was from the close of the deadline, or is from the last close; null of a void, and without prices. */
  readonly error: number | null
  /** Its deadline has not passed: the error is as of the last close. */
  readonly isSoFar: boolean
  /** The chance of a hit when it was made; null where luck says nothing. */
  readonly luck: number | null
}

/** A row with what it is sorted and counted by. */
export type FullRow = HistoryRow & {
  readonly outcome: Outcome
  /** The day that decided it; its deadline where none did. */
  readonly decided: Day
}

/** The calls of an asset with their figures, judged one way. */
export function historyFigures(
  predictions: readonly Prediction[],
  mode: JudgeMode,
  prices: Closes | null,
): readonly FullRow[] {
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
export function historyYears(rows: readonly FullRow[]): readonly HistoryYear[] {
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
