import { type Prediction } from '#domain/claim/prediction.ts'
import { type Day } from '#domain/day.ts'
import { type JudgeMode } from '#domain/judging/verdict.ts'
import { type HistoryRow, type HistoryYear } from './history-rows.ts'
import { type ExpertOption } from './listing.ts'
import { type StatusFilter } from './selection.ts'

/** Cards that a list shows at first. */
export const CARDS = 20
/** Cards that are asked for when the end of the list comes near. */
export const MORE_CARDS = 100
/** Experts that the menu offers at once. */
export const MOST_PEOPLE = 100
/** Marks that a chart shows at once. */
export const MOST_DRAWN = 600
/** Open calls that are counted over a chart at once. */
export const MOST_TARGETS = 3_000

/** Some of many, in their order. */
export type Some<One = Prediction> = {
  readonly total: number
  readonly ones: readonly One[]
}

type Counts = Readonly<Record<StatusFilter, number>>
type CountsByMode = Readonly<Record<JudgeMode, Counts>>

/** One page of the History table, and what its menus offer. */
export type HistoryPart<One = Prediction> = {
  readonly total: number
  /** The first ones of the page, or all of it. */
  readonly rows: readonly HistoryRow<One>[]
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
export type Part<One = Prediction> = {
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
  readonly listed: Some<One>
  readonly drawn: Some<One>
  readonly history: HistoryPart<One>
}
