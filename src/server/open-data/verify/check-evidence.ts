import { levelsOf } from '#domain/claim/claim.ts'
import { type Statement } from '#domain/claim/prediction.ts'
import { isoDay } from '#domain/day.ts'
import { highOf, lowOf } from '#domain/judging/bar.ts'
import { windowOf } from '#domain/judging/judge.ts'
import { goalOf, type Outcome, type Verdict, type VerdictReason } from '#domain/judging/verdict.ts'

/** Something in a verdict that does not fit the rest of it, whatever the prices were. */
export type EvidenceFault = {
  readonly field: string
  readonly snapshot: string
  readonly ours: string
}

const OUTCOMES: Readonly<Record<VerdictReason, Outcome | null>> = {
  reached: 'hit',
  'closed-inside': 'hit',
  held: 'hit',
  'not-reached': 'miss',
  'closed-outside': 'miss',
  broken: 'miss',
  'not-started': 'pending',
  open: 'pending',
  'awaiting-prices': 'pending',
  'needs-range': 'pending',
  'already-true': 'void',
  'already-broken': 'void',
  'depends-on-day': 'void',
  overridden: null,
}

/** Whether a verdict fits its statement and its own evidence. No prices are needed for it. */
export function checkEvidence(statement: Statement, verdict: Verdict): EvidenceFault[] {
  const faults: EvidenceFault[] = []
  const expect = (field: string, snapshot: unknown, ours: unknown): void => {
    if (snapshot !== ours) faults.push({ field, snapshot: String(snapshot), ours: String(ours) })
  }
  const [window, level] = [windowOf(statement), levelsOf(statement.claim)]
  expect('window_from', isoDay(verdict.window.from), isoDay(window.from))
  expect('window_to', isoDay(verdict.window.to), isoDay(window.to))
  expect('level_min', verdict.level.min, level.min)
  expect('level_max', verdict.level.max, level.max)
  const outcome = OUTCOMES[verdict.reason]
  if (outcome !== null) expect('outcome', verdict.outcome, outcome)
  for (const [field, point] of [
    ['bar.date', verdict.bar],
    ['nearest.date', verdict.nearest],
  ] as const) {
    if (point && (point.day < window.from || point.day > window.to)) {
      faults.push({
        field,
        snapshot: isoDay(point.day),
        ours: `a day from ${isoDay(window.from)} to ${isoDay(window.to)}`,
      })
    }
  }
  const { reference } = verdict
  if (reference && reference.day > statement.made) {
    expect('reference.date', isoDay(reference.day), `a day up to ${isoDay(statement.made)}`)
  }
  const wrong = decidesOtherwise(statement, verdict)
  if (wrong !== null) expect('reason', verdict.reason, wrong)
  return faults
}

/** What is wrong with the price that a verdict is said to rest on; null where it fits. */
function decidesOtherwise({ claim }: Statement, verdict: Verdict): string | null {
  const { reason, bar, day, nearest, reference, mode, direction } = verdict
  const { min, max } = levelsOf(claim)
  const goal = goalOf(direction, { min, max })
  switch (reason) {
    case 'reached':
    case 'broken':
    case 'closed-inside':
    case 'closed-outside': {
      if (!bar || day !== bar.day) return 'a day whose prices decided'
      const [high, low] = mode === 'touch' ? [highOf(bar), lowOf(bar)] : [bar.close, bar.close]
      if (reason === 'reached') {
        const isReached =
          claim.type === 'range'
            ? high >= min && low <= max
            : direction === 'down'
              ? low <= max
              : high >= min
        return isReached ? null : 'a day that reaches the level'
      }
      if (reason === 'broken') {
        return high > goal.max || low < goal.min ? null : 'a day that goes beyond the level'
      }
      const isInside = bar.close >= goal.min && bar.close <= goal.max
      return isInside === (reason === 'closed-inside') ? null : 'a close on the other side'
    }
    case 'not-reached':
      // A stock may jump over a whole range without trading in it.
      if (!nearest || claim.type === 'range') return null
      return (direction === 'down' ? nearest.usd <= max : nearest.usd >= min) ? 'reached' : null
    case 'held':
      if (!nearest) return null
      return nearest.usd > goal.max || nearest.usd < goal.min ? 'broken' : null
    case 'already-true':
      return reference && reference.usd >= goal.min && reference.usd <= goal.max
        ? null
        : 'a price at the level when it was made'
    case 'already-broken':
      return reference && (reference.usd > goal.max || reference.usd < goal.min)
        ? null
        : 'a price beyond the level when it was made'
    case 'not-started':
    case 'open':
    case 'awaiting-prices':
    case 'overridden':
    case 'needs-range':
    case 'depends-on-day':
      return null
  }
}
