import { outcomeOn } from './verdict-text.ts'
import { type Verdict, type Outcome } from './verdict.ts'

/**
 * Whether the recorded verdict is still current. While pending, only the question matters: the nearest approach and the
 * pending reason are computed, not recorded. A decision made under an older rule set stands if it is the same.
 */
export function isSame(before: Verdict, now: Verdict): boolean {
  const isAlike = (keys: readonly (keyof Verdict)[]): boolean =>
    keys.every((key) => isEqual(before[key], now[key]))
  if (before.outcome !== now.outcome) return false
  if (before.outcome === 'pending') return isAlike(['level', 'window'])
  return before.rule === now.rule
    ? isEqual(before, now)
    : isAlike(['reason', 'day', 'level', 'window'])
}

/** Deep equality, ignoring key order and `moving`, which is no evidence. */
export function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (!isObject(a) || !isObject(b)) return false
  for (const key in a) if (key !== 'moving' && !isEqual(a[key], b[key])) return false
  // Keys that only `b` has.
  for (const key in b) if (key !== 'moving' && !(key in a) && b[key] !== undefined) return false
  return true
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === 'object'
}

export function agreement(
  recorded: Verdict,
  found: Verdict,
  /** `These prices`, at the start of a sentence. */
  prices: string,
): { readonly agrees: boolean; readonly text: string } {
  const [is, was] = [outcomeOn(found), outcomeOn(recorded)]
  if (found.outcome !== recorded.outcome) {
    const why =
      recorded.reason === 'overridden'
        ? ' An administrator set the one on record; the reason is in its history.'
        : found.reason === 'awaiting-prices'
          ? ' They lack some of the days that count.'
          : ''
    return { agrees: false, text: `${prices} say ${is}, the record says ${was}.${why}` }
  }
  if (found.day !== recorded.day) {
    return { agrees: true, text: `${prices} agree, with another day: ${is}; on record ${was}.` }
  }
  const isAlike = found.outcome !== 'pending' && isSame(recorded, found)
  return {
    agrees: true,
    text: `${prices} agree: ${is}${isAlike ? ', with the same evidence' : ''}.`,
  }
}

export function setByHand({ possibleDays: _days, ...byRule }: Verdict, outcome: Outcome): Verdict {
  const isAlike = byRule.outcome === outcome
  return {
    ...byRule,
    outcome,
    reason: 'overridden',
    day: isAlike ? byRule.day : null,
    bar: isAlike ? byRule.bar : null,
    closeOnly: isAlike && byRule.closeOnly,
    someClosesOnly: isAlike && byRule.someClosesOnly,
    unconfirmed: null,
  }
}
