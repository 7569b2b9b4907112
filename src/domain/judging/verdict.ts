import { levelsOf, timingOf, type Claim, type LevelRange } from '#domain/claim/claim.ts'
import { type Day } from '#domain/day.ts'
import { type SeenBar } from './bar.ts'

export type JudgeMode = 'touch' | 'close'
export const JUDGE_MODES: readonly JudgeMode[] = ['touch', 'close']

export const OUTCOMES = ['hit', 'miss', 'pending', 'void'] as const
export type Outcome = (typeof OUTCOMES)[number]

/** The current rule set; changed rules get a new number (decisions.md §2). */
export const RULE_VERSION = 2

/**
 * Where the price had to be: reach a level (`up`, `down`), close the window at a level or beyond it (`above`, `below`)
 * or in a range (`inside`), or stay there all the time (`never-below`, `never-above`, `stays`).
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

/** How a claim is decided, given the price when it was made; without a price, as if below every level. */
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

/** The prices that satisfy a direction, USD. @param level of the claim */
export function goalOf(direction: Direction, { min, max }: LevelRange): LevelRange {
  return {
    min: DOWNWARD.has(direction) ? 0 : min,
    max: UPWARD.has(direction) ? Infinity : max,
  }
}

/** Satisfied by any price at or below the level. */
const DOWNWARD: ReadonlySet<Direction> = new Set(['down', 'below', 'never-above'])
/** Satisfied by any price at or above the level. */
const UPWARD: ReadonlySet<Direction> = new Set(['up', 'above', 'never-below'])

export function isFromAbove(direction: Direction): boolean {
  return direction === 'down' || direction === 'never-below'
}

/** Whether every bar of the window must comply. */
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
  /** pending: a day that came near has only a close, and its high or low would decide */
  'needs-range',
  'already-true',
  /** void: when it was said, the price was already where it was never to go */
  'already-broken',
  /** void: the exact day of the statement is unknown, and the outcome depends on it */
  'depends-on-day',
  /** set by an administrator; the reason is in the history */
  'overridden',
] as const
export type VerdictReason = (typeof VERDICT_REASONS)[number]

/** A day's price, USD; `moving` until the day is over. */
export type PricePoint = { readonly day: Day; readonly usd: number; readonly moving?: true }

export type PossibleDay = {
  readonly day: Day
  readonly outcome: Outcome
  readonly direction: Direction
}

/**
 * A decision with its evidence.
 *
 * @see decisions.md §2
 */
export type Verdict = {
  readonly outcome: Outcome
  readonly mode: JudgeMode
  readonly rule: number
  readonly reason: VerdictReason
  /** The deciding day; for a void the day it was made, null while pending. */
  readonly day: Day | null
  /** The level compared, USD, adjusted for splits; `max` differs from `min` for ranges only. */
  readonly level: LevelRange
  readonly direction: Direction
  /** The last close on or before the day it was made. */
  readonly reference: PricePoint | null
  readonly window: { readonly from: Day; readonly to: Day }
  /** For `depends-on-day`: two possible days and their outcomes. */
  readonly possibleDays?: readonly PossibleDay[]
  /** The deciding bar; null if no single bar decided. */
  readonly bar: SeenBar | null
  /** The high, low or close of the window that came nearest to the level. */
  readonly nearest: PricePoint | null
  /** A single-venue price that would have decided had a second venue confirmed it. */
  readonly unconfirmed: PricePoint | null
  readonly closeOnly: boolean
  /**
   * No bar decided, and some days of the window have closes only, while the nearest bar has a high and low: such a day
   * may have come nearer.
   */
  readonly someClosesOnly: boolean
}

/** The word on a card (public-site.md §4). */
export function outcomeWord(outcome: Outcome): string {
  return { hit: 'SUCCESS', miss: 'MISS', pending: 'PENDING', void: 'VOID' }[outcome]
}

export function byMode<Value>(of: (mode: JudgeMode) => Value): Record<JudgeMode, Value> {
  return { touch: of('touch'), close: of('close') }
}

/** Names of the two modes (decisions.md §7); `touch` and `close` in code and API. */
export const MODE_NAMES: Readonly<Record<JudgeMode, string>> = {
  touch: 'Intraday',
  close: 'Daily close',
}

/** `judged by intraday prices` */
export const MODE_PRICES: Readonly<Record<JudgeMode, string>> = {
  touch: 'intraday prices',
  close: 'daily closes',
}
