import { ASSETS, type AssetKey } from '#domain/asset.ts'
import { type LevelRange } from '#domain/claim/claim.ts'
import { partsOf, type Day } from '#domain/day.ts'
import { lastTradingDay, type Calendar } from '#domain/judging/calendar.ts'
import { type Series } from '#domain/judging/series.ts'
import { type Direction, goalOf } from '#domain/judging/verdict.ts'
import { showCount, showLevel } from '#domain/price-text.ts'
import { isDecided, decidedOf, type CountedCall, type Decided } from './person-score.ts'
import { type ScoredCall } from './scored-call.ts'

/** Where a call said that the price would be. */
export type CalledPlace = {
  readonly direction: Direction
  /** USD, adjusted for splits. */
  readonly level: LevelRange
  readonly isMinimum: boolean
}

/**
 * How far the level of a call was from the close of its last day, as a share of that close: 1.42 for a level 142% too
 * high, −0.3 for one 30% too low, 0 if the price was on the right side of it.
 *
 * @param usd the close, above zero
 */
export function deadlineError({ direction, level }: CalledPlace, usd: number): number {
  const { min, max } = goalOf(direction, level)
  if (usd < min) return min / usd - 1
  return usd > max ? max / usd - 1 : 0
}

/** The last close up to a day; null before the first, or if not above zero. */
export function closeAt(series: Series, by: Day): number | null {
  const close = series.bars[series.atOrAfter((by + 1) as Day) - 1]?.close ?? 0
  return close > 0 ? close : null
}

/** A call of one asset, for the year card. */
export type YearCall = SharedCall &
  Pick<ScoredCall, 'outcome' | 'luck' | 'timeIsUp' | 'repeats'> & {
    readonly id: string
    readonly deadline: Day
    /** How far its level was from the close of its last day, as in `deadlineError`; null while that is not known. */
    readonly error: number | null
  }

/** Outcomes of the calls due in one year, without repeats. */
export type YearTally = {
  readonly year: number
  /** All calls, including those that do not count. */
  readonly due: number
  /** Decided calls with odds: their number, hits, and expected hits. */
  readonly n: number
  readonly hits: number
  readonly expected: number
  /** Calls whose last day, with its prices, has not ended. */
  readonly open: number
}

export type YearCard<Call extends YearCall> = {
  readonly tally: YearTally
  /** The calls of `n`, least expected by luck first. */
  readonly decided: readonly Call[]
  /** Calls whose last day has not ended, next deadline first; some came true already. */
  readonly open: readonly Call[]
  readonly boldest: Call | null
  /** The miss farthest from its last price, as a ratio; of ties, the first due. */
  readonly widest: Call | null
  readonly consensus: Consensus<Call> | null
}

const LEAST_ERROR = -0.999_999

type Known = { readonly calendar: Calendar; readonly through: Day | null }

/** @param known with the last complete day of prices */
export function yearCard<Call extends YearCall>(
  year: number,
  calls: readonly Call[],
  known: Known,
): YearCard<Call> {
  const due = calls.filter(({ deadline }) => partsOf(deadline).year === year)
  const decided = due
    .filter(isDecided)
    .toSorted((a, b) => (a.luck ?? 0) - (b.luck ?? 0) || byDeadline(a, b))
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

function isOpen({ outcome, timeIsUp, deadline }: YearCall, { calendar, through }: Known): boolean {
  if (outcome === 'void' || timeIsUp) return false
  return through === null || through < lastTradingDay(calendar, deadline)
}

/** A ratio: half the price is as far off as twice the price. */
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

export type YearRecord = {
  readonly year: number
  readonly calls: number
  readonly decided: Decided
}

type Call = Pick<CountedCall, 'made' | 'timeIsUp' | 'outcome' | 'luck' | 'repeats'>

/** Years in which calls were made, newest first. */
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

/** The least expected hit and the most expected miss. */
export function bestAndWorst<One extends Omit<Call, 'made'>>(calls: readonly One[]) {
  const byLuck = calls.filter(isDecided).toSorted((a, b) => (a.luck ?? 0) - (b.luck ?? 0))
  return {
    best: byLuck.find(({ outcome }) => outcome === 'hit') ?? null,
    worst: byLuck.findLast(({ outcome }) => outcome === 'miss') ?? null,
  }
}

/** Levels within this share of each other count as the same. */
const NEAR = 0.1
/** Fewer people sharing a level are a coincidence. */
const LEAST_PEOPLE = 3

export type SharedCall = CalledPlace & { readonly slug: string }

/** The level that most people named. */
export type Consensus<Call extends SharedCall> = {
  readonly direction: Exclude<Direction, 'inside'>
  /** The lowest and highest of these levels, USD. */
  readonly low: number
  readonly high: number
  readonly people: number
  readonly calls: readonly Call[]
}

/**
 * The loudest consensus: the level that most people named, in the same direction, each at most 10% away from it. Of
 * equal ones that of most calls, then the lowest level.
 *
 * @returns null if fewer than three people share one
 */
export function loudestConsensus<Call extends SharedCall>(calls: readonly Call[]) {
  let loudest: Consensus<Call> | null = null
  for (const [direction, of] of Map.groupBy(calls, wayOf)) {
    if (direction === null) continue
    const found = loudestOf(direction, of)
    if (found && (!loudest || isLouder(found, loudest))) loudest = found
  }
  return loudest
}

/** A minimum already met when it was said counts as a call for that price; a range has no direction. */
function wayOf({ direction, isMinimum }: SharedCall): Exclude<Direction, 'inside'> | null {
  if (direction !== 'inside') return direction
  return isMinimum ? 'up' : null
}

function isLouder(a: Consensus<SharedCall>, b: Consensus<SharedCall>): boolean {
  if (a.people !== b.people) return a.people > b.people
  return a.calls.length === b.calls.length ? a.low < b.low : a.calls.length > b.calls.length
}

function loudestOf<Call extends SharedCall>(
  direction: Consensus<Call>['direction'],
  calls: readonly Call[],
): Consensus<Call> | null {
  const sorted = calls.toSorted((a, b) => edgeOf(a) - edgeOf(b))
  const levels = sorted.map(edgeOf)
  const callsOf = new Map<string, number>()
  let [from, to] = [0, 0]
  let best = { people: 0, from: 0, to: 0 }
  for (const middle of levels) {
    for (; (levels[to] ?? Infinity) <= middle * (1 + NEAR); to += 1) add(callsOf, sorted[to], 1)
    for (; (levels[from] ?? Infinity) * (1 + NEAR) < middle; from += 1) {
      add(callsOf, sorted[from], -1)
    }
    const isMore =
      callsOf.size > best.people ||
      (callsOf.size === best.people && to - from > best.to - best.from)
    if (isMore) best = { people: callsOf.size, from, to }
  }
  if (best.people < LEAST_PEOPLE) return null
  const [low = 0, high = 0] = [levels[best.from], levels[best.to - 1]]
  return { direction, low, high, people: best.people, calls: sorted.slice(best.from, best.to) }
}

function edgeOf({ direction, level }: SharedCall): number {
  return direction === 'down' || direction === 'never-above' ? level.max : level.min
}

function add(callsOf: Map<string, number>, call: SharedCall | undefined, by: number): void {
  if (!call) return
  const count = (callsOf.get(call.slug) ?? 0) + by
  if (count > 0) callsOf.set(call.slug, count)
  else callsOf.delete(call.slug)
}

type YearOf = {
  readonly asset: AssetKey
  readonly tally: YearTally
  /** The year has not ended, with its prices. */
  readonly isSoFar: boolean
}

/**
 * Outcome of a year's calls: `18 of 41 Bitcoin calls due in 2025 came true. Luck expects 15.3.`; the number of open
 * calls if none is decided.
 */
export function yearFinding({ asset, tally, isSoFar }: YearOf): string {
  const { year, n, hits, expected, open } = tally
  const { name } = ASSETS[asset]
  const when = `${isSoFar ? 'so far in' : 'in'} ${String(year)}`
  if (n === 0) {
    if (open === 0) return `No ${name} call due in ${String(year)} can be compared with luck.`
    return open === 1
      ? `1 ${name} call is due in ${String(year)}. Its time is not up yet.`
      : `${callsText(open, name)} are due in ${String(year)}. Their time is not up yet.`
  }
  const luck = `Luck expects ${expected.toFixed(1)}.`
  if (n > 1) {
    return `${showCount(hits)} of ${callsText(n, name)} due ${when} came true. ${luck}`
  }
  return `The one ${name} call due ${when} ${hits === 1 ? 'came true' : 'did not come true'}. ${luck}`
}

/** Calls not covered by the finding: open or incomparable. */
export function yearRest({ n, open, due }: YearTally): string {
  const left = due - n - open
  return [
    n > 0 && open > 0 ? `${callsText(open)} of this year ${open === 1 ? 'is' : 'are'} open.` : '',
    left > 0 ? `${callsText(left)} ${left === 1 ? 'is' : 'are'} not compared with luck.` : '',
  ]
    .filter(Boolean)
    .join(' ')
}

/** `1,090% too high`, `72% too low`: a level relative to its last price. */
export function errorText(error: number): string {
  const percent = Math.abs(error) * 100
  const text =
    percent < 9.95
      ? String(Number(percent.toFixed(1)))
      : showCount(error < 0 ? Math.min(99, Math.round(percent)) : percent)
  return `${percent < 0.05 ? 'less than 0.1' : text}% too ${error > 0 ? 'high' : 'low'}`
}

/** Direction of a consensus, before the level. */
export const CONSENSUS_WAYS: Readonly<Record<Consensus<SharedCall>['direction'], string>> = {
  up: 'Up to',
  down: 'Down to',
  above: 'At or above',
  below: 'At or below',
  stays: 'Within',
  'never-above': 'Never above',
  'never-below': 'Never below',
}

/** `Up to $95,000 – $105,000` */
export function consensusLevel({
  direction,
  low,
  high,
}: Pick<Consensus<SharedCall>, 'direction' | 'low' | 'high'>): string {
  const level = low === high ? showLevel(low) : `${showLevel(low)} – ${showLevel(high)}`
  return `${CONSENSUS_WAYS[direction]} ${level}`
}

/** `9 people, 14 calls` */
export function peopleAndCalls({
  people,
  calls,
}: {
  readonly people: number
  readonly calls: number
}): string {
  const who = `${showCount(people)} people`
  return calls === people ? who : `${who}, ${callsText(calls)}`
}

/** `3 of 14 came true`, `none came true` */
export function cameTrue({ calls, hits }: { readonly calls: number; readonly hits: number }) {
  if (hits === 0) return 'none came true'
  return hits === calls ? 'all came true' : `${showCount(hits)} of ${showCount(calls)} came true`
}

/** `1 call`, `41 Bitcoin calls` */
function callsText(count: number, name?: string): string {
  const what = name === undefined ? 'call' : `${name} call`
  return `${showCount(count)} ${what}${count === 1 ? '' : 's'}`
}
