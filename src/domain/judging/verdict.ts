import { type SeenBar } from './bar.ts'
import { type Day } from '#domain/day.ts'

/** Whether intraday highs and lows decide, or daily closes only. */
export type JudgeMode = 'touch' | 'close'
export const JUDGE_MODES: readonly JudgeMode[] = ['touch', 'close']

export const OUTCOMES = ['hit', 'miss', 'pending', 'void'] as const
export type Outcome = (typeof OUTCOMES)[number]

/** The rule set that decided; a change of rules gets a new number (decisions.md §2). */
export const RULE_VERSION = 1

/**
 * Where the price had to go, seen from the reference price: `up` and `down` to a level, `inside` when it was already in
 * the range (or at or above the minimum), `never-above` and `never-below` for tops and bottoms.
 */
export type Direction = 'up' | 'down' | 'inside' | 'never-above' | 'never-below'

export const VERDICT_REASONS = [
  /** hit: a bar reached the level or entered the range */
  'reached',
  /** hit: the last close of the window was where the prediction said */
  'closed-inside',
  /** hit: the window ended and the level was never broken */
  'held',
  /** miss: the window ended and the level was never reached */
  'not-reached',
  /** miss: the last close of the window was outside */
  'closed-outside',
  /** miss: a bar went beyond the level that was predicted to hold */
  'broken',
  /** pending: the window has not begun by the last known bar */
  'not-started',
  /** pending: the window is open */
  'open',
  /** pending: a bar needed to decide is missing */
  'awaiting-prices',
  /** void: the price was at the target when it was said */
  'already-true',
  /** void: the level was beyond the price when it was said */
  'already-broken',
  /** set by an administrator, whose reason is in the history */
  'overridden',
] as const
export type VerdictReason = (typeof VERDICT_REASONS)[number]

/** A price on a day, USD; `moving` while that day is not over. */
export type PricePoint = { readonly day: Day; readonly usd: number; readonly moving?: true }

/**
 * A decision with its evidence. The same prices and statement always give the same verdict.
 *
 * @see decisions.md §2
 */
export type Verdict = {
  readonly outcome: Outcome
  readonly mode: JudgeMode
  readonly rule: number
  readonly reason: VerdictReason
  /** The day that decided it; for a void the day it was made, null while pending. */
  readonly day: Day | null
  /** The level compared, USD, adjusted for splits; `max` differs from `min` for ranges only. */
  readonly level: { readonly min: number; readonly max: number }
  readonly direction: Direction
  /** The last close on or before the day it was made; null when there is none. */
  readonly reference: PricePoint | null
  /** First and last day that count. */
  readonly window: { readonly from: Day; readonly to: Day }
  /** The bar that decided; null when no single bar did. */
  readonly bar: SeenBar | null
  /** The high, low or close of the window so far that came nearest to the level; null without bars. */
  readonly nearest: PricePoint | null
  /** A price of one venue that would have decided had a second venue seen it. */
  readonly unconfirmed: PricePoint | null
  /**
   * The bar that decided had a close only, which counted as its high and low; where no bar decided, the bar that came
   * nearest.
   */
  readonly closeOnly: boolean
  /**
   * No bar decided, and days that count have closes only while the bar that came nearest has a high and low: such a day may
   * have come nearer.
   */
  readonly someClosesOnly: boolean
}
