import { partsOf } from '#domain/day.ts'
import {
  callerOf,
  fitPriors,
  personScore,
  sinceRecorded,
  type CountedCall,
  type PersonScore,
} from './person-score.ts'
import { type CallFilter } from './call-filter.ts'
import { sideOf } from './repeats.ts'
import { byBand, totalsOf, type Totals } from './scores.ts'

/** People whose calls are compared. */
export type Narrowed<Call extends CountedCall> = {
  readonly people: readonly PersonScore<Call>[]
  readonly totals: Totals
}

export function narrow<Call extends CountedCall>(
  people: readonly {
    readonly slug: string
    readonly name: string
    readonly calls: readonly Call[]
  }[],
  filter: CallFilter,
): Narrowed<Call> {
  const callers = people.flatMap((person) => {
    const matching = person.calls.filter((call) => matchesFilter(call, filter))
    const calls = filter.recorded === 'before' ? sinceRecorded(matching) : matching
    return calls.length === 0 ? [] : [callerOf(person, calls)]
  })
  const priors = fitPriors(callers)
  return {
    people: callers
      .map((caller) => personScore(caller, priors))
      // Histories are replayed for all calls only.
      .map((person) => (person.band ? { ...person, band: 'untested' as const } : person))
      .toSorted(byBand),
    totals: totalsOf(
      filter.asset,
      callers.flatMap(({ calls }) => calls),
    ),
  }
}

function matchesFilter(call: CountedCall, filter: CallFilter): boolean {
  const { year } = partsOf(call.made)
  return (
    (filter.asset === null || call.asset === filter.asset) &&
    (filter.fromYear === null || year >= filter.fromYear) &&
    (filter.toYear === null || year <= filter.toYear) &&
    (filter.side === null || sideOf(call) === filter.side) &&
    (filter.recorded === null || (filter.recorded === 'before') === (call.sinceRecorded !== null))
  )
}
