import { ASSETS } from '#domain/asset.ts'
import { levelsOf } from '#domain/claim/claim.ts'
import { type Statement, type Prediction } from '#domain/claim/prediction.ts'
import { type Day } from '#domain/day.ts'
import { tradingDaysBetween, type Calendar } from '#domain/judging/calendar.ts'
import { possibleDays, windowOf } from '#domain/judging/judge.ts'
import { goalOf, type JudgeMode, type Verdict } from '#domain/judging/verdict.ts'
import { isSeenOnce, luckOf, type Attempt } from './luck.ts'
import {
  motionAt,
  positionAt,
  yearsBetween,
  type PriceHistories,
  type PriceHistory,
  DAYS_A_YEAR,
} from './price-history.ts'
import { type Motion, type NoLuck, type Odds, type WayToGo } from './touch.ts'

export type LuckWhenMade =
  | {
      readonly noLuck: null
      /** Chance over the whole window; if the day is unknown, the mean over its possible days. */
      readonly luck: number
      /** Range over the possible days; null if the day is known. */
      readonly span: Span | null
      readonly motion: Motion
      readonly attempt: Attempt
      readonly possible: readonly Dated[]
    }
  /** The `motion` of an overlong call is known all the same. */
  | { readonly noLuck: NoLuck; readonly motion: Motion | null }

export type Span = { readonly low: number; readonly high: number }
type Dated = { readonly attempt: Attempt; readonly motion: Motion }

type Judged = Pick<Verdict, 'outcome' | 'window' | 'direction' | 'reference'>

export const LONGEST_DAYS = 730

/** @param histories up to the as-of day */
export function luckWhenMade(
  histories: PriceHistories,
  history: PriceHistory,
  statement: Statement,
  judged: Judged,
  mode: JudgeMode,
): LuckWhenMade {
  const dated = datedOf(histories, history, statement, judged, mode)
  if ('noLuck' in dated) return { ...dated, motion: null }
  const { attempt, motion } = dated
  if (attempt.through - attempt.made > LONGEST_DAYS) return { noLuck: 'too-long', motion }
  const possible = possibleDates(histories, history, statement, dated, mode)
  return { noLuck: null, ...meanLuck(history, possible), motion, attempt, possible }
}

/**
 * The mean luck over the days on which a call may have been made.
 *
 * @param through the last day that counts; by default that of the call
 */
export function meanLuck(history: PriceHistory, possible: readonly Dated[], through?: Day) {
  const all = possible.map(({ attempt, motion }) =>
    luckOf(history, through === undefined ? attempt : { ...attempt, through }, motion),
  )
  const luck = all.reduce((sum, one) => sum + one, 0) / all.length
  return {
    luck,
    span: all.length === 1 ? null : { low: Math.min(...all), high: Math.max(...all) },
  }
}

function datedOf(
  histories: PriceHistories,
  history: PriceHistory,
  { claim, made }: Statement,
  { outcome, window, direction, reference }: Judged,
  mode: JudgeMode,
): Dated | { readonly noLuck: NoLuck } {
  if (outcome === 'void') return { noLuck: 'void' }
  const { finalThrough, lastSession } = history.series
  if (!reference || finalThrough === null || finalThrough < lastSession(made)) {
    return { noLuck: 'no-reference' }
  }
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
  return { attempt, motion }
}

/** Maximum days sampled from a period, evenly spaced. */
const MOST_DATES = 31

function possibleDates(
  histories: PriceHistories,
  history: PriceHistory,
  statement: Statement,
  atMade: Dated,
  mode: JudgeMode,
): readonly Dated[] {
  const { series } = history
  const days = possibleDays(statement, series.finalThrough ?? statement.made)
  const step = Math.max(1, days.length / MOST_DATES)
  const count = Math.min(days.length, MOST_DATES)
  const dated = Array.from({ length: count }, (_, i) => {
    const made = days[Math.floor((i + 0.5) * step)] ?? statement.made
    const bar = series.bars[positionAt(history, made)]
    const window = windowOf({ ...statement, made })
    const { direction } = atMade.attempt
    const judged = { outcome: 'pending', window, direction } as const
    const reference = bar ? { day: bar.day, usd: bar.close } : null
    return datedOf(histories, history, { ...statement, made }, { ...judged, reference }, mode)
  }).filter((one) => 'attempt' in one)
  return dated.length === 0 ? [atMade] : dated
}

/** @param histories up to today */
export function oddsOf(
  histories: PriceHistories,
  history: PriceHistory,
  statement: Statement,
  judged: Judged,
  mode: JudgeMode,
): Odds {
  const dated = datedOf(histories, history, statement, judged, mode)
  if ('noLuck' in dated) return { luck: null, noLuck: dated.noLuck, motion: null, left: null }
  const { motion, attempt } = dated
  const found = luckWhenMade(histories, history, statement, judged, mode)
  const left = judged.outcome === 'pending' ? wayToGo(histories, history, attempt, mode) : null
  return { luck: found.noLuck === null ? found.luck : null, noLuck: found.noLuck, motion, left }
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
    chance: attempt.through - last.day > LONGEST_DAYS ? null : luckOf(history, rest, motion),
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

/** Standard deviations that a normal distribution stays within 50 and 90 times of 100. */
const HALF = 0.6745
const NINE_IN_TEN = 1.6449
const STEPS = 40

/** Luck's price range on a day, USD: 50% of all paths end in `half`, 90% in `most`. */
export type FanDay = {
  readonly day: Day
  readonly half: readonly [number, number]
  readonly most: readonly [number, number]
}

/** Luck's price range from the day of a call to its deadline, two years at most; null without luck. */
export function fanOf({ asset, made, by, odds, verdicts }: Prediction, mode: JudgeMode) {
  const motion = odds?.[mode].motion
  const usd = verdicts[mode].reference?.usd
  if (!motion || usd === undefined || by <= made) return null
  const length = Math.min(by - made, LONGEST_DAYS)
  const count = Math.min(STEPS, length)
  const days = Array.from(
    { length: count + 1 },
    (_, i) => Math.round(made + (length * i) / count) as Day,
  )
  return fanFrom(ASSETS[asset].calendar, { day: made, usd, motion }, days)
}

export type FanStart = { readonly day: Day; readonly usd: number; readonly motion: Motion }

/** Luck's price range on each of these days. */
export function fanFrom(
  calendar: Calendar,
  { day: first, usd, motion }: FanStart,
  days: readonly Day[],
): FanDay[] {
  return days.map((day) => {
    const years = tradingDaysBetween(calendar, first, day) / DAYS_A_YEAR[calendar]
    const spread = motion.sigma * Math.sqrt(years)
    const at = (z: number): number => usd * Math.exp(motion.drift * years + z * spread)
    return {
      day,
      half: [at(-HALF), at(HALF)] as const,
      most: [at(-NINE_IN_TEN), at(NINE_IN_TEN)] as const,
    }
  })
}
