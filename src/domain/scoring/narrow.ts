import { partsOf } from '#domain/day.ts'
import {
  callerOf,
  fitPriors,
  personScore,
  type CountedCall,
  type PersonScore,
} from './person-score.ts'
import { type CallFilter } from './call-filter.ts'
import { sideOf } from './repeats.ts'
import { byBand } from './scores.ts'
import { totalsOf, type Totals } from './totals.ts'

/** People whose calls are compared. */
export type Narrowed<Call extends CountedCall> = {
  readonly people: readonly PersonScore<Call>[]
  readonly totals: Totals
}

/**
 * Scores people by some of their calls. What luck expects of a call, and what it repeats, stays as it is; people are
 * compared with those who have any.
 */
export function narrow<Call extends CountedCall>(
  people: readonly {
    readonly slug: string
    readonly name: string
    readonly calls: readonly Call[]
  }[],
  filter: CallFilter,
): Narrowed<Call> {
  const callers = people.flatMap((person) => {
    const calls = person.calls.filter((call) => isWanted(call, filter))
    return calls.length === 0 ? [] : [callerOf(person, calls)]
  })
  const priors = fitPriors(callers)
  return {
    people: callers.map((caller) => personScore(caller, priors)).toSorted(byBand),
    totals: totalsOf(
      filter.asset,
      callers.flatMap(({ calls }) => calls),
    ),
  }
}

function isWanted(call: CountedCall, filter: CallFilter): boolean {
  const { year } = partsOf(call.made)
  return (
    (filter.asset === null || call.asset === filter.asset) &&
    (filter.fromYear === null || year >= filter.fromYear) &&
    (filter.toYear === null || year <= filter.toYear) &&
    (filter.side === null || sideOf(call) === filter.side) &&
    (filter.recorded === null || call.recorded === filter.recorded)
  )
}
