import { type Statement } from '#domain/claim/prediction.ts'
import { levelsOf } from '#domain/claim/claim.ts'
import { type Day } from '#domain/day.ts'
import { goalOf, type JudgeMode, type Verdict } from '#domain/judging/verdict.ts'
import { isSeenOnce, luckOf, marketLuck, type Attempt, type Luck } from './luck.ts'
import {
  motionAt,
  positionAt,
  yearsBetween,
  type PriceHistories,
  type PriceHistory,
} from './price-history.ts'
import { type NoLuck, type Odds, type WayToGo } from './odds.ts'
import { type Motion } from './touch.ts'

/** What luck would have made of a call on the day it was made. */
export type LuckWhenMade =
  | {
      readonly noLuck: null
      /** The chance of the whole window. */
      readonly luck: Luck
      /** A year, from closes up to the day it was made. */
      readonly motion: Motion
      /** The whole window. */
      readonly attempt: Attempt
    }
  | { readonly noLuck: NoLuck }

/** What the judge says of a call, as far as luck needs it. */
type Judged = Pick<Verdict, 'outcome' | 'window' | 'direction' | 'reference'>

/** @param histories up to the as-of day */
export function luckWhenMade(
  histories: PriceHistories,
  history: PriceHistory,
  { claim, made }: Pick<Statement, 'claim' | 'made'>,
  { outcome, window, direction, reference }: Judged,
  mode: JudgeMode,
): LuckWhenMade {
  if (outcome === 'void') return { noLuck: 'void' }
  if (!reference || !isReferenceKnown(history, made)) return { noLuck: 'no-reference' }
  const years = yearsBetween(history, (window.from - 1) as Day, window.to)
  if (years <= 0) return { noLuck: 'no-day' }
  const motion = motionAt(histories, history, positionAt(history, reference.day))
  if (!motion) return { noLuck: 'little-history' }
  const attempt: Attempt = {
    claim,
    direction,
    usd: reference.usd,
    made,
    from: window.from,
    through: window.to,
    seenOnce: isSeenOnce(history, mode, window.from, window.to),
  }
  return { noLuck: null, luck: luckOf(history, attempt, motion), motion, attempt }
}

function isReferenceKnown({ series }: PriceHistory, made: Day): boolean {
  return series.finalThrough !== null && series.finalThrough >= series.lastSession(made)
}

/** @param histories up to today */
export function oddsOf(
  histories: PriceHistories,
  history: PriceHistory,
  statement: Pick<Statement, 'claim' | 'made'>,
  judged: Judged,
  mode: JudgeMode,
): Odds {
  const found = luckWhenMade(histories, history, statement, judged, mode)
  if (found.noLuck !== null) return { luck: null, noLuck: found.noLuck, motion: null, left: null }
  const { luck, motion, attempt } = found
  const left = judged.outcome === 'pending' ? wayToGo(histories, history, attempt, mode) : null
  return { luck: luck.market, noLuck: null, motion, left }
}

function wayToGo(
  histories: PriceHistories,
  history: PriceHistory,
  attempt: Attempt,
  mode: JudgeMode,
): WayToGo | null {
  const at = history.series.bars.length - 1
  const last = history.series.bars[at]
  const motion = motionAt(histories, history, at)
  if (!last || !motion || last.day < attempt.made || last.day >= attempt.through) return null
  const from = Math.max(attempt.from, last.day + 1) as Day
  if (yearsBetween(history, (from - 1) as Day, attempt.through) <= 0) return null
  const seenOnce = isSeenOnce(history, mode, from, attempt.through)
  const rest = { ...attempt, usd: last.close, made: last.day, from, seenOnce }
  return {
    day: last.day,
    usd: last.close,
    change: changeTo(attempt, last.close),
    days: attempt.through - last.day,
    chance: marketLuck(history, rest, motion),
  }
}

function changeTo({ claim, direction }: Attempt, usd: number): number {
  const { min, max } = levelsOf(claim)
  const to = (level: number): number => level / usd - 1
  switch (direction) {
    case 'up':
      return Math.max(0, to(min))
    case 'down':
      return Math.min(0, to(max))
    case 'never-above':
      return to(max)
    case 'never-below':
      return to(min)
    case 'stays':
      return usd / min < max / usd ? to(min) : to(max)
    case 'above':
    case 'below':
    case 'inside': {
      const goal = goalOf(direction, { min, max })
      if (usd < goal.min) return to(goal.min)
      return usd > goal.max ? to(goal.max) : 0
    }
  }
}
