import { partsOf } from '#domain/day.ts'
import { decidedOf, isDecided, type CountedCall, type Decided } from './person-score.ts'

/** What became of the calls that were made in one year. */
export type YearRecord = {
  readonly year: number
  /** All calls made in it, also open ones; none that repeats another one. */
  readonly calls: number
  readonly decided: Decided
}

type Call = Pick<CountedCall, 'made' | 'timeIsUp' | 'outcome' | 'luck' | 'repeats'>

/** The years in which calls were made, newest first. */
export function recordByYear(calls: readonly Call[]): readonly YearRecord[] {
  const firsts = calls.filter(({ repeats }) => repeats === null)
  return [...Map.groupBy(firsts, ({ made }) => partsOf(made).year)]
    .map(([year, of]) => ({
      year,
      calls: of.length,
      decided: decidedOf(of.filter(isDecided)),
    }))
    .toSorted((a, b) => b.year - a.year)
}

/** The hit that luck expected least, and the miss that it expected most to come true; null without any. */
export function bestAndWorst<One extends Omit<Call, 'made'>>(
  calls: readonly One[],
): { readonly best: One | null; readonly worst: One | null } {
  const byLuck = calls.filter(isDecided).toSorted((a, b) => (a.luck ?? 0) - (b.luck ?? 0))
  return {
    best: byLuck.find(({ outcome }) => outcome === 'hit') ?? null,
    worst: byLuck.findLast(({ outcome }) => outcome === 'miss') ?? null,
  }
}
