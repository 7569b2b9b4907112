import { type AssetKey } from '#domain/asset.ts'
import { type Day } from '#domain/day.ts'
import { type Direction, type Outcome } from '#domain/judging/verdict.ts'

/** A level that is said again later than this after its deadline is a new call. */
const AGAIN_DAYS = 365
/** Levels nearer than this share are the same. */
const SAME = 0.01

type Call = {
  readonly asset: AssetKey
  readonly direction: Direction
  readonly level: { readonly min: number; readonly max: number }
  readonly made: Day
  readonly deadline: Day
  readonly outcome: Outcome
  /** The day that decided it; null while pending. */
  readonly decided: Day | null
}

/** One level that was said again with a later deadline before it was reached, oldest call first. */
export type MovedDeadline<One extends Call> = {
  readonly calls: readonly [One, One, ...One[]]
  /** Days from the first deadline to the last. */
  readonly days: number
}

/**
 * How far one person moved their deadlines. Statements that the price stays below or above a level have none to move.
 *
 * @param wasReached whether the price was at the level of a call on a day after its deadline, up to and with another day
 * @returns the farthest first
 */
export function movedDeadlines<One extends Call>(
  calls: readonly One[],
  wasReached: (call: One, through: Day) => boolean,
): readonly MovedDeadline<One>[] {
  const chains: One[][] = []
  const reaching = calls
    .filter(({ direction, outcome }) => isReached(direction) && outcome !== 'void')
    .toSorted((a, b) => a.made - b.made || a.deadline - b.deadline)
  for (const call of reaching) {
    const chain = chains.find((one) => isMoved(one.at(-1), call, wasReached))
    if (chain) chain.push(call)
    else chains.push([call])
  }
  return chains
    .flatMap(([first, second, ...rest]) => {
      if (!first || !second) return []
      const last = rest.at(-1) ?? second
      return [{ calls: [first, second, ...rest] as const, days: last.deadline - first.deadline }]
    })
    .toSorted((a, b) => b.days - a.days)
}

function isReached(direction: Direction): boolean {
  return direction === 'up' || direction === 'down'
}

function isMoved<One extends Call>(
  before: One | undefined,
  now: One,
  wasReached: (call: One, through: Day) => boolean,
): boolean {
  if (!before) return false
  const isOpen = before.outcome !== 'hit' || before.decided === null || before.decided > now.made
  return (
    isOpen &&
    before.asset === now.asset &&
    before.direction === now.direction &&
    before.made < now.made &&
    before.deadline < now.deadline &&
    now.made <= before.deadline + AGAIN_DAYS &&
    isSame(before.level.min, now.level.min) &&
    isSame(before.level.max, now.level.max) &&
    !wasReached(before, now.made)
  )
}

function isSame(a: number, b: number): boolean {
  return Math.abs(Math.log(a / b)) < SAME
}
