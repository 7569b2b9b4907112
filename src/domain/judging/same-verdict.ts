import { outcomeOn } from './verdict-text.ts'
import { type Verdict } from './verdict.ts'

/**
 * Whether the verdict on record still says all that matters. While pending, only what is asked matters: how near the
 * price has come and which wait it is are computed each time and never recorded.
 */
export function isSame(before: Verdict, now: Verdict): boolean {
  if (before.outcome !== now.outcome || before.rule !== now.rule) return false
  return before.outcome === 'pending'
    ? canonical([before.level, before.window]) === canonical([now.level, now.window])
    : canonical(before) === canonical(now)
}

/** JSON with the keys in order, as PostgreSQL keeps an order of its own; that a day was not over yet is no evidence. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (key, inner: unknown) =>
    key === 'moving'
      ? undefined
      : inner !== null && typeof inner === 'object' && !Array.isArray(inner)
        ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
        : inner,
  )
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
