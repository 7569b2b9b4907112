import { type SeenBar } from './bar.ts'
import { levelsOf, timingOf, type Claim, type LevelRange } from '#domain/claim/claim.ts'
import { type Day } from '#domain/day.ts'

export type JudgeMode = 'touch' | 'close'
export const JUDGE_MODES: readonly JudgeMode[] = ['touch', 'close']

export const OUTCOMES = ['hit', 'miss', 'pending', 'void'] as const
export type Outcome = (typeof OUTCOMES)[number]

/** The rule set that decided; a change of rules gets a new number (decisions.md §2). */
export const RULE_VERSION = 2

/**
 * Where the price had to be: it reaches a level (`up`, `down`), the last close is at a level or beyond it (`above`,
 * `below`) or in a range (`inside`), or every bar is (`never-below`, `never-above`, `stays`).
 */
export const VERDICT_DIRECTIONS = [
  'up',
  'down',
  'above',
  'below',
  'inside',
  'never-above',
  'never-below',
  'stays',
] as const
export type Direction = (typeof VERDICT_DIRECTIONS)[number]

/** How a claim is decided, from the price when it was made; without one as if it was below every level. */
export function directionOf(claim: Claim, reference: { readonly usd: number } | null): Direction {
  const timing = timingOf(claim)
  const { min, max } = levelsOf(claim)
  const usd = reference?.usd ?? 0
  switch (claim.type) {
    case 'top':
      return timing === 'at_end' ? 'below' : 'never-above'
    case 'bottom':
      return timing === 'at_end' ? 'above' : 'never-below'
    case 'target': {
      const isDown = claim.direction ? claim.direction === 'down' : usd > max
      if (timing === 'at_end') return isDown ? 'below' : 'above'
      return isDown ? 'down' : 'up'
    }
    case 'by-date':
      if (timing === 'throughout') return 'never-below'
      return timing === 'at_end' || (usd >= min && claim.direction !== 'up') ? 'above' : 'up'
    case 'range':
      if (timing !== 'by') return timing === 'at_end' ? 'inside' : 'stays'
      if (claim.direction) return claim.direction
      if (usd < min) return 'up'
      return usd > max ? 'down' : 'inside'
  }
}

/** The prices that comply with a direction, USD. @param level of the claim */
export function goalOf(direction: Direction, { min, max }: LevelRange): LevelRange {
  return {
    min: DOWNWARD.has(direction) ? 0 : min,
    max: UPWARD.has(direction) ? Infinity : max,
  }
}

/** Any price at or below the level complies. */
const DOWNWARD: ReadonlySet<Direction> = new Set(['down', 'below', 'never-above'])
/** Any price at or above the level complies. */
const UPWARD: ReadonlySet<Direction> = new Set(['up', 'above', 'never-below'])

export function isFromAbove(direction: Direction): boolean {
  return direction === 'down' || direction === 'never-below'
}

/** Whether every bar of the window has to comply, so that the first that does not is a miss. */
export function mustHold(direction: Direction): boolean {
  return direction === 'never-above' || direction === 'never-below' || direction === 'stays'
}

export function decidesAtEnd(direction: Direction): boolean {
  return direction === 'above' || direction === 'below' || direction === 'inside'
}

export const VERDICT_REASONS = [
  'reached',
  'closed-inside',
  /** hit: the window ended and the level was never broken */
  'held',
  /** miss: the window ended and the level was never reached */
  'not-reached',
  'closed-outside',
  'broken',
  /** pending: the window has not begun by the last known bar */
  'not-started',
  'open',
  'awaiting-prices',
  /** pending: a day that came near has closes only, and its high or low would decide */
  'needs-range',
  'already-true',
  /** void: the price was where it was said not to go when it was said */
  'already-broken',
  /** void: the day it was said is not known, and another day of the period would give another outcome */
  'depends-on-day',
  /** set by an administrator, whose reason is in the history */
  'overridden',
] as const
export type VerdictReason = (typeof VERDICT_REASONS)[number]

/** A price on a day, USD; `moving` while that day is not over. */
export type PricePoint = { readonly day: Day; readonly usd: number; readonly moving?: true }

export type PossibleDay = {
  readonly day: Day
  readonly outcome: Outcome
  readonly direction: Direction
}

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
  readonly level: LevelRange
  readonly direction: Direction
  /** The last close on or before the day it was made; null when there is none. */
  readonly reference: PricePoint | null
  readonly window: { readonly from: Day; readonly to: Day }
  /** With `depends-on-day`: two possible days with the outcome of each. */
  readonly possibleDays?: readonly PossibleDay[]
  /** The bar that decided; null when no single bar did. */
  readonly bar: SeenBar | null
  /** The high, low or close of the window so far that came nearest to the level; null without bars. */
  readonly nearest: PricePoint | null
  /** A price of one venue that would have decided had a second venue seen it. */
  readonly unconfirmed: PricePoint | null
  readonly closeOnly: boolean
  /**
   * No bar decided, and days that count have closes only while the bar that came nearest has a high and low: such a day may
   * have come nearer.
   */
  readonly someClosesOnly: boolean
}
