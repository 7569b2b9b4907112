import { lastTradingDay, type Calendar } from '#domain/judging/calendar.ts'
import { partsOf, type Day } from '#domain/day.ts'
import { loudestConsensus, type Consensus, type SharedCall } from './consensus.ts'
import { isDecided } from './person-score.ts'
import { bestAndWorst } from './record-by-year.ts'
import { type ScoredCall } from './scored-call.ts'

/** A call of one asset, as a card of the year needs it. */
export type YearCall = SharedCall &
  Pick<ScoredCall, 'outcome' | 'luck' | 'timeIsUp' | 'repeats'> & {
    readonly id: string
    readonly deadline: Day
    /** How far its level was from the close of its last day, as in `deadlineError`; null while that is not known. */
    readonly error: number | null
  }

/** What became of the calls that were due in one year; none repeats another one. */
export type YearTally = {
  readonly year: number
  /** All of them, also those that do not count. */
  readonly due: number
  /** Of those whose time is up and that have luck: how many there are, came true, and luck expected. */
  readonly n: number
  readonly hits: number
  readonly expected: number
  /** Those whose last day has not ended, with its prices. */
  readonly open: number
}

export type YearCard<Call extends YearCall> = {
  readonly tally: YearTally
  /** The calls of `n`, those first that luck expected least. */
  readonly decided: readonly Call[]
  /** Those whose last day has not ended, the next deadline first; some came true already. */
  readonly open: readonly Call[]
  /** The hit that luck expected least. */
  readonly boldest: Call | null
  /** The miss whose level was farthest from the price of its last day, as a ratio; of equal ones the one that was due first. */
  readonly widest: Call | null
  readonly consensus: Consensus<Call> | null
}

const LEAST_ERROR = -0.999_999

/** What is needed to know whether a deadline has passed. */
type Known = { readonly calendar: Calendar; readonly through: Day | null }

/** The years in which calls were due, newest first. @param through the last complete day of prices; null without any */
export function tallyByYear(calls: readonly YearCall[], known: Known): readonly YearTally[] {
  return [...Map.groupBy(calls, yearOf)]
    .map(([year, due]) => tallyOf(year, due, known))
    .toSorted((a, b) => b.year - a.year)
}

/** The card of one year: the calls of one asset that were due in it. */
export function yearCard<Call extends YearCall>(
  year: number,
  calls: readonly Call[],
  known: Known,
): YearCard<Call> {
  const due = calls.filter((call) => yearOf(call) === year)
  const decided = due.filter(isDecided).toSorted(byLuck)
  const misses = decided.filter(({ outcome, error }) => outcome === 'miss' && error !== null)
  return {
    tally: tallyOf(year, due, known),
    decided,
    open: due.filter((call) => isOpen(call, known)).toSorted(byDeadline),
    boldest: bestAndWorst(decided).best,
    widest: misses.toSorted(byError).find(({ error }) => error !== 0) ?? null,
    consensus: loudestConsensus(decided),
  }
}

function tallyOf(year: number, due: readonly YearCall[], known: Known): YearTally {
  const tally = { year, due: due.length, n: 0, hits: 0, expected: 0, open: 0 }
  for (const call of due) {
    if (isDecided(call)) {
      tally.n += 1
      tally.hits += call.outcome === 'hit' ? 1 : 0
      tally.expected += call.luck ?? 0
    } else if (isOpen(call, known)) tally.open += 1
  }
  return tally
}

function yearOf({ deadline }: YearCall): number {
  return partsOf(deadline).year
}

function isOpen({ outcome, timeIsUp, deadline }: YearCall, { calendar, through }: Known): boolean {
  if (outcome === 'void' || timeIsUp) return false
  return through === null || through < lastTradingDay(calendar, deadline)
}

function byLuck(a: YearCall, b: YearCall): number {
  return (a.luck ?? 0) - (b.luck ?? 0) || byDeadline(a, b)
}

/** A level of half the price is as far off as one of twice the price. */
function byError(a: YearCall, b: YearCall): number {
  return ratioOf(b) - ratioOf(a) || byDeadline(a, b)
}

function ratioOf({ error }: YearCall): number {
  // A level of zero is as far off as any.
  return Math.abs(Math.log1p(Math.max(error ?? 0, LEAST_ERROR)))
}

function byDeadline(a: YearCall, b: YearCall): number {
  return a.deadline - b.deadline || (a.id < b.id ? -1 : 1)
}
