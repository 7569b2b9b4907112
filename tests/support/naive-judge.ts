import { levelsOf } from '#domain/claim/claim.ts'
import { type Statement } from '#domain/claim/prediction.ts'
import { addDays, type Day } from '#domain/day.ts'
import { highOf, lowOf, type AgreedBar } from '#domain/judging/bar.ts'
import { isTradingDay, lastTradingDay, type Calendar } from '#domain/judging/calendar.ts'
import { type JudgeMode, type Outcome, type VerdictReason } from '#domain/judging/verdict.ts'

/**
 * Rule set 2 by reading every bar in order, as published: slow and simple, as a reference for the real judge.
 */
export function naiveJudge(
  calendar: Calendar,
  bars: readonly AgreedBar[],
  statement: Statement,
  mode: JudgeMode,
  today: Day,
): { outcome: Outcome; reason: VerdictReason; day: Day | null } {
  const { claim, made } = statement
  const { min, max } = levelsOf(claim)
  const reason = whyPending(calendar, bars, statement, today)
  const pending = { outcome: 'pending', reason, day: null } as const
  const last = bars.at(-1)?.day
  if (last === undefined || last < lastTradingDay(calendar, made)) return pending
  const before = bars.findLast((bar) => bar.day <= made)
  if (before && before.day < lastTradingDay(calendar, made)) return pending
  const reference = before?.close ?? null
  const first = statement.from !== null && statement.from > made ? statement.from : addDays(made, 1)
  const inWindow = bars.filter((bar) => bar.day >= first && bar.day <= statement.by)
  const high = (bar: AgreedBar): number => (mode === 'touch' ? highOf(bar) : bar.close)
  const low = (bar: AgreedBar): number => (mode === 'touch' ? lowOf(bar) : bar.close)
  const end = lastTradingDay(calendar, statement.by)
  const days = new Set(bars.map((bar) => bar.day))
  let complete = last >= end
  for (let at = first; at <= end; at = addDays(at, 1)) {
    if (isTradingDay(calendar, at) && !days.has(at)) complete = false
  }
  const whole = (outcome: 'hit' | 'miss', reason: VerdictReason): ReturnType<typeof naiveJudge> =>
    complete ? { outcome, reason, day: end } : pending
  const voided = (reason: VerdictReason): ReturnType<typeof naiveJudge> => ({
    outcome: 'void',
    reason,
    day: made,
  })

  const timing =
    claim.timing ?? (claim.type === 'top' || claim.type === 'bottom' ? 'throughout' : 'by')
  const isUp = claim.direction === 'up'
  const isDown = claim.direction === 'down'
  const [floor, ceiling] = [
    claim.type === 'top' ? 0 : min,
    'range top'.includes(claim.type) ? max : Infinity,
  ]
  if (timing === 'throughout') {
    if (reference !== null && (reference < floor || reference > ceiling))
      return voided('already-broken')
    const broken = inWindow.find((bar) => low(bar) < floor || high(bar) > ceiling)
    return broken ? { outcome: 'miss', reason: 'broken', day: broken.day } : whole('hit', 'held')
  }
  const isPassed =
    reference !== null &&
    (claim.type === 'target' ||
      claim.type === 'by-date' ||
      (claim.type === 'range' && timing === 'by')) &&
    ((isUp && reference >= min) || (isDown && claim.type !== 'by-date' && reference <= max))
  if (isPassed) return voided('already-true')
  const isAlready =
    reference !== null &&
    ((claim.type === 'range' && reference >= min && reference <= max) ||
      (claim.type === 'by-date' && reference >= min))
  const falls =
    isDown || (!isUp && claim.type === 'target' && reference !== null && reference > min)
  if (
    timing === 'at_end' ||
    (isAlready && !isUp && !isDown) ||
    (isAlready && claim.type === 'by-date')
  ) {
    // Without a session in the window nothing can come true.
    if (end < first) return whole('miss', 'not-reached')
    const lastBar = inWindow.find((bar) => bar.day === end)
    if (!lastBar) return pending
    const { close } = lastBar
    const isInside =
      claim.type === 'target'
        ? falls
          ? close <= min
          : close >= min
        : close >= floor && close <= ceiling
    return {
      outcome: isInside ? 'hit' : 'miss',
      reason: isInside ? 'closed-inside' : 'closed-outside',
      day: end,
    }
  }
  if (claim.type === 'target' && reference === min) return voided('already-true')
  const comesDown =
    claim.type === 'range'
      ? isDown || (!isUp && reference !== null && reference > max)
      : falls && claim.type === 'target'
  for (const bar of inWindow) {
    const reached =
      claim.type === 'range'
        ? high(bar) >= min && low(bar) <= max
        : comesDown
          ? low(bar) <= min
          : high(bar) >= min
    if (reached) return { outcome: 'hit', reason: 'reached', day: bar.day }
  }
  const edge = comesDown ? max : min
  const distance = (bar: AgreedBar): number =>
    comesDown ? (low(bar) - edge) / edge : (edge - high(bar)) / edge
  const least = Math.min(...inWindow.map(distance))
  const nearest = inWindow.find((bar) => distance(bar) === least)
  const isUnseen = mode === 'touch' && nearest && (nearest.high === null || nearest.low === null)
  if (complete && isUnseen && least <= 0.1) return { ...pending, reason: 'needs-range' }
  return whole('miss', 'not-reached')
}

/**
 * Why a verdict is pending. Prices are missing if the window has ended or its last session has a price; otherwise it is
 * open from the first price of the window on, and not started before.
 */
function whyPending(
  calendar: Calendar,
  bars: readonly AgreedBar[],
  { made, from, by }: Statement,
  today: Day,
): VerdictReason {
  let last = by
  while (!isTradingDay(calendar, last)) last = addDays(last, -1)
  if (today > last || bars.some((bar) => bar.day >= last)) return 'awaiting-prices'
  return bars.some((bar) => bar.day > made && bar.day >= (from ?? made)) ? 'open' : 'not-started'
}
