import { partsOf } from '#domain/day.ts'
import { type CountedCall } from './person-score.ts'

/** What became of the calls that were made in one year, each for itself. */
export type YearRecord = {
  readonly year: number
  /** All calls made in it, also open ones and those that do not count. */
  readonly calls: number
  /** Of those whose time is up and that have luck: how many there are, came true, and luck expected. */
  readonly n: number
  readonly hits: number
  readonly expected: number
}

type Call = Pick<CountedCall, 'made' | 'timeIsUp' | 'outcome' | 'luck'>

/** The years in which calls were made, newest first. */
export function recordByYear(calls: readonly Call[]): readonly YearRecord[] {
  const years = Map.groupBy(calls, ({ made }) => partsOf(made).year)
  return [...years]
    .map(([year, of]) => {
      const row = { year, calls: of.length, n: 0, hits: 0, expected: 0 }
      for (const { timeIsUp, outcome, luck } of of) {
        if (!timeIsUp || !luck) continue
        row.n += 1
        row.hits += outcome === 'hit' ? 1 : 0
        row.expected += luck
      }
      return row
    })
    .toSorted((a, b) => b.year - a.year)
}

/** The hit that luck expected least, and the miss that it expected most to come true; null without any. */
export function bestAndWorst<One extends Pick<Call, 'timeIsUp' | 'outcome' | 'luck'>>(
  calls: readonly One[],
): { readonly best: One | null; readonly worst: One | null } {
  const byLuck = calls
    .filter(({ timeIsUp, luck }) => timeIsUp && luck !== null)
    .toSorted((a, b) => (a.luck ?? 0) - (b.luck ?? 0))
  return {
    best: byLuck.find(({ outcome }) => outcome === 'hit') ?? null,
    worst: byLuck.findLast(({ outcome }) => outcome === 'miss') ?? null,
  }
}
