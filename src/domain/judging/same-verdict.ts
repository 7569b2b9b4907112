import { outcomeOn } from './verdict-text.ts'
import { type Verdict } from './verdict.ts'

/**
 * Whether the verdict on record still says all that matters. While pending, only what is asked matters: how near the
 * price has come and which wait it is are computed each time and never recorded. By an older set of rules, the same
 * decision stays as it was recorded.
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

/**
 * Whether two parts of verdicts say the same, in whatever order PostgreSQL keeps their keys. That a day was not over yet
 * is no evidence.
 */
export function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (!isObject(a) || !isObject(b)) return false
  for (const key in a) if (key !== 'moving' && !isEqual(a[key], b[key])) return false
  // What only the other one has, or has not.
  for (const key in b) if (key !== 'moving' && !(key in a) && b[key] !== undefined) return false
  return true
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === 'object'
}

/** What a verdict on given prices is beside the one on record, in a sentence. */
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
          ? ' They have not every day that counts.'
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
