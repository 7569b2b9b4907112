import { type Direction } from '#domain/judging/verdict.ts'
import { type CalledPlace } from './deadline-error.ts'

/** Levels up to this share above or below another one say the same, roughly. */
const NEAR = 0.1
/** Fewer people have no level in common, they happen to name one. */
const LEAST_PEOPLE = 3

/** What a consensus is found from: a call with the person who made it. */
export type SharedCall = CalledPlace & { readonly slug: string }

/** The level that most people named. */
export type Consensus<Call extends SharedCall> = {
  readonly direction: Exclude<Direction, 'inside'>
  /** From the lowest of these levels to the highest, USD. */
  readonly low: number
  readonly high: number
  readonly people: number
  /** By level. */
  readonly calls: readonly Call[]
}

/**
 * The loudest consensus: the level that most people named, in the same direction, each at most 10 % away from it. Of
 * equal ones that of most calls, then the lowest level.
 *
 * @returns null where fewer than three people share one
 */
export function loudestConsensus<Call extends SharedCall>(
  calls: readonly Call[],
): Consensus<Call> | null {
  let loudest: Consensus<Call> | null = null
  for (const [direction, of] of Map.groupBy(calls, wayOf)) {
    if (direction === null) continue
    const found = loudestOf(direction, of)
    if (found && (!loudest || isLouder(found, loudest))) loudest = found
  }
  return loudest
}

/** A minimum that was met when it was said is for a price that high, like one that was not; a range is for neither side. */
function wayOf({ direction, isMinimum }: SharedCall): Exclude<Direction, 'inside'> | null {
  if (direction !== 'inside') return direction
  return isMinimum ? 'up' : null
}

function isLouder(a: Consensus<SharedCall>, b: Consensus<SharedCall>): boolean {
  if (a.people !== b.people) return a.people > b.people
  return a.calls.length === b.calls.length ? a.low < b.low : a.calls.length > b.calls.length
}

/** Slides over the levels: around each one, all that are near it. */
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

/** The end of a range that the price meets first. */
function edgeOf({ direction, level }: SharedCall): number {
  return direction === 'down' || direction === 'never-above' ? level.max : level.min
}

function add(callsOf: Map<string, number>, call: SharedCall | undefined, by: number): void {
  if (!call) return
  const count = (callsOf.get(call.slug) ?? 0) + by
  if (count > 0) callsOf.set(call.slug, count)
  else callsOf.delete(call.slug)
}
