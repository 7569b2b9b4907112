import { ASSETS } from '#domain/asset.ts'
import { type Prediction } from '#domain/claim/prediction.ts'
import { type Day } from '#domain/day.ts'
import { tradingDaysBetween, type Calendar } from '#domain/judging/calendar.ts'
import { type JudgeMode } from '#domain/judging/verdict.ts'
import { LONGEST_DAYS } from './call-odds.ts'
import { DAYS_A_YEAR } from './price-history.ts'
import { type Motion } from './touch.ts'

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
export function fanOf(
  { asset, made, by, odds, verdicts }: Prediction,
  mode: JudgeMode,
): readonly FanDay[] | null {
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
