import { highOf, lowOf, type AgreedBar } from '#domain/judging/bar.ts'
import { isTradingDay, lastTradingDay, type Calendar } from '#domain/judging/calendar.ts'
import { addDays, type Day } from '#domain/day.ts'
import { type Statement } from '#domain/claim/prediction.ts'
import { levelsOf } from '#domain/claim/claim.ts'
import { type JudgeMode, type Outcome, type VerdictReason } from '#domain/judging/verdict.ts'

/**
 * Rule set 1 by reading every bar in order, as decisions.md §2 states it: slow and plain, to hold the real judge against.
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

  if (claim.type === 'target' && reference === min) return voided('already-true')
  if (claim.type === 'top' && reference !== null && reference > max) return voided('already-broken')
  if (claim.type === 'bottom' && reference !== null && reference < min) {
    return voided('already-broken')
  }
  if (claim.type === 'top' || claim.type === 'bottom') {
    for (const bar of inWindow) {
      const broken = claim.type === 'top' ? high(bar) > max : low(bar) < min
      if (broken) return { outcome: 'miss', reason: 'broken', day: bar.day }
    }
    return whole('hit', 'held')
  }
  const inside =
    reference !== null &&
    ((claim.type === 'range' && reference >= min && reference <= max) ||
      (claim.type === 'by-date' && reference >= min))
  if (inside) {
    const lastBar = inWindow.at(-1)
    if (!lastBar || !complete) return pending
    const isInside = lastBar.close >= min && (claim.type === 'by-date' || lastBar.close <= max)
    return {
      outcome: isInside ? 'hit' : 'miss',
      reason: isInside ? 'closed-inside' : 'closed-outside',
      day: lastBar.day,
    }
  }
  const down = claim.type === 'target' && reference !== null && reference > min
  for (const bar of inWindow) {
    const reached =
      claim.type === 'range'
        ? high(bar) >= min && low(bar) <= max
        : down
          ? low(bar) <= min
          : high(bar) >= min
    if (reached) return { outcome: 'hit', reason: 'reached', day: bar.day }
  }
  return whole('miss', 'not-reached')
}

/**
 * What a verdict waits for. Once its time is over, or prices have come for its last session, it is the prices that lack;
 * until then it has begun with the first price of its window, or not yet.
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
