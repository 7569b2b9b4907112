import { ASSETS, type AssetKey } from '#domain/asset.ts'
import { partsOf, type Day } from '#domain/day.ts'
import { type Outcome } from '#domain/judging/verdict.ts'
import { median } from '#domain/level-figures.ts'
import { showCount } from '#domain/price-text.ts'
import { decidedText } from './score-text.ts'
import { errorText } from './year-card.ts'

export type StatedCall = {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly made: Day
  readonly due: Day
  /** The close of the day it was made, USD. */
  readonly from: number
  /** Its level, USD; the middle of a range. */
  readonly level: number
  readonly outcome: Outcome
  readonly isDecided: boolean
  readonly isRepeat: boolean
  /** Distance of the level from the last close of its window, as a share of that close; null while open. */
  readonly error: number | null
}

export type CallTally = {
  readonly year: number | null
  readonly calls: number
  /** Calls whose deadline has passed. */
  readonly decided: number
  readonly hits: number
  /** Median error of the decided calls. */
  readonly error: number | null
}

export type AgainstLuck = { readonly n: number; readonly hits: number; readonly expected: number }

export type YearConsensus = Pick<StatedCall, 'made' | 'due' | 'from' | 'level'> & {
  readonly year: number
}

/** Minimum number of calls for a consensus. */
const LEAST_CALLS = 4

export function tallyOf(calls: readonly StatedCall[], year: number | null): CallTally {
  const own = calls.filter((call) => !call.isRepeat && (year === null || yearOf(call) === year))
  return { year, ...figuresOf(own) }
}

export function figuresOf(calls: readonly Pick<StatedCall, 'outcome' | 'isDecided' | 'error'>[]) {
  const decided = calls.filter(({ isDecided }) => isDecided)
  return {
    calls: calls.length,
    decided: decided.length,
    hits: decided.filter(({ outcome }) => outcome === 'hit').length,
    error: median(decided.flatMap(({ error }) => error ?? [])),
  }
}

/** Years in which calls were made, oldest first. */
export function callYears(calls: readonly StatedCall[]): number[] {
  return [...new Set(calls.map(yearOf))].toSorted((a, b) => a - b)
}

/** The consensus of each year that has enough calls, oldest first. */
export function yearConsensus(calls: readonly StatedCall[]): YearConsensus[] {
  return callYears(calls).flatMap((year) => {
    const own = calls.filter((call) => !call.isRepeat && yearOf(call) === year)
    const middle = (of: (call: StatedCall) => number) => median(own.map(of)) ?? 0
    if (own.length < LEAST_CALLS) return []
    // Prices are compared by ratio, as on the log axis.
    const price = (of: (call: StatedCall) => number) =>
      Math.exp(middle((call) => Math.log(of(call))))
    return [
      {
        year,
        made: Math.round(middle(({ made }) => made)) as Day,
        due: Math.round(middle(({ due }) => due)) as Day,
        from: price(({ from }) => from),
        level: price(({ level }) => level),
      },
    ]
  })
}

export function yearOf({ made }: Pick<StatedCall, 'made'>): number {
  return partsOf(made).year
}

/**
 * Summary sentence: `215 Bitcoin calls are decided. 63 came true. Luck expects 65.`, as `totalsSentence` does; of a year
 * `41 Bitcoin calls made in 2021 are decided. 8 came true. The middle one was 42% too high at its deadline.`
 *
 * @param luck all calls compared with luck, for the finding of all years; null if that is not known, and for a single year
 */
export function tallyFinding(asset: AssetKey, tally: CallTally, luck: AgainstLuck | null): string {
  const { year, calls, decided } = tally
  const { hits } = luck ?? tally
  const when = year === null ? '' : ` made in ${String(year)}`
  const name = ASSETS[asset].name
  const what = `${name} call`
  if (decided === 0) {
    const many = `${showCount(calls)} ${what}${calls === 1 ? '' : 's'}${when}`
    return calls === 0 ? `No ${what}${when} is on record.` : `${many}, all still open.`
  }
  return [
    `${decidedText(decided, luck?.n ?? decided, what, when)}.`,
    `${hits === 0 ? 'None' : showCount(hits)} came true.`,
    luck ? `Luck expects ${luck.expected.toFixed(0)}.` : errorSentence(tally),
  ].join(' ')
}

function errorSentence({ error, decided }: CallTally): string {
  if (error === null) return ''
  const who = decided === 1 ? 'It' : 'The middle one'
  return error === 0
    ? `${who} was on the right side of the price at its deadline.`
    : `${who} was ${errorText(error)} at its deadline.`
}
