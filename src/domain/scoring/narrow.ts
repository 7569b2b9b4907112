import { partsOf } from '#domain/day.ts'
import {
  callerOf,
  fitPriors,
  personScore,
  type CountedCall,
  type PersonScore,
} from './person-score.ts'
import { type CallFilter, type Side } from './call-filter.ts'
import { byRank } from './scores.ts'
import { totalsOf, type Totals } from './totals.ts'
import { votesOf } from './votes.ts'

/** What a call needs to be filtered; a minimum that was met when it was said is for a rising price, a range is not. */
export type FilteredCall = CountedCall & { readonly isMinimum: boolean }

/** People whose calls are compared. */
export type Narrowed<Call extends FilteredCall> = {
  readonly people: readonly PersonScore<Call>[]
  readonly totals: Totals
}

/**
 * Scores people by some of their calls. What luck expects of a call stays as it is; votes are shared among the calls
 * that are left, and people are compared with those who have any.
 */
export function narrow<Call extends FilteredCall>(
  people: readonly {
    readonly slug: string
    readonly name: string
    readonly calls: readonly Call[]
  }[],
  filter: CallFilter,
): Narrowed<Call> {
  const callers = people.flatMap((person) => {
    const calls = sharedVotes(person.calls.filter((call) => isWanted(call, filter)))
    return calls.length === 0 ? [] : [callerOf(person, calls)]
  })
  const priors = fitPriors(callers)
  return {
    people: callers.map((caller) => personScore(caller, priors)).toSorted(byRank),
    totals: totalsOf(
      filter.asset,
      callers.flatMap(({ calls }) => calls),
    ),
  }
}

/** Whether a call is for a rising price or for a falling one; null for neither. */
export function sideOf({
  direction,
  isMinimum,
}: Pick<FilteredCall, 'direction' | 'isMinimum'>): Side | null {
  switch (direction) {
    case 'up':
    case 'above':
    case 'never-below':
      return 'bull'
    case 'down':
    case 'below':
    case 'never-above':
      return 'bear'
    case 'inside':
    case 'stays':
      return isMinimum ? 'bull' : null
  }
}

function isWanted(call: FilteredCall, filter: CallFilter): boolean {
  const { year } = partsOf(call.made)
  return (
    (filter.asset === null || call.asset === filter.asset) &&
    (filter.fromYear === null || year >= filter.fromYear) &&
    (filter.toYear === null || year <= filter.toYear) &&
    (filter.side === null || sideOf(call) === filter.side) &&
    (filter.recorded === null || call.recorded === filter.recorded)
  )
}

/** The calls of a group share one vote, however many of them are left. */
function sharedVotes<Call extends FilteredCall>(calls: readonly Call[]): Call[] {
  const counted = calls.filter(({ group }) => group !== null)
  const votes = votesOf(counted.map(({ group }) => group ?? 0))
  const shares = new Map(counted.map((call, i) => [call, votes[i] ?? 0]))
  return calls.map((call) => ({ ...call, votes: shares.get(call) ?? 0 }))
}
