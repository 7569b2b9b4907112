import { type Day } from '#domain/day.ts'
import { type Direction } from '#domain/judging/verdict.ts'

/** What decides whether two statements of one person say the same. */
export type VotedCall = {
  readonly asset: string
  readonly direction: Direction
  readonly made: Day
  readonly window: { readonly from: Day; readonly to: Day }
  /** ln of the level that has to be reached. */
  readonly logLevel: number
  /** How far the price may be expected to move until the deadline, σ√τ; null when that is not known. */
  readonly spread: number | null
}

/**
 * Groups the calls of one person: a later call belongs to the first statement that it repeats, on the same side of the
 * same asset with an overlapping window and a level nearer than half of what the price may be expected to move (the
 * smaller of both). It is compared with that first statement alone: small steps over years are not one statement.
 *
 * @returns for each call the number of its group; the calls of a group share one vote
 */
export function groupRepeated(calls: readonly VotedCall[]): number[] {
  const order = calls
    .map((_, i) => i)
    .toSorted((a, b) => (calls[a]?.made ?? 0) - (calls[b]?.made ?? 0))
  const firsts = new Map<string, { group: number; call: VotedCall }[]>()
  const groups = calls.map(() => -1)
  let next = 0
  for (const i of order) {
    const call = calls[i]
    if (!call) continue
    const key = `${call.asset} ${call.direction}`
    const known = firsts.get(key) ?? []
    if (known.length === 0) firsts.set(key, known)
    const repeated = known.find((first) => isRepeated(first.call, call))
    if (repeated) groups[i] = repeated.group
    else {
      known.push({ group: next, call })
      groups[i] = next
      next += 1
    }
  }
  return groups
}

/** The share of a vote that each call has. */
export function votesOf(groups: readonly number[]): number[] {
  const sizes = new Map<number, number>()
  for (const group of groups) sizes.set(group, (sizes.get(group) ?? 0) + 1)
  return groups.map((group) => 1 / (sizes.get(group) ?? 1))
}

function isRepeated(a: VotedCall, b: VotedCall): boolean {
  if (a.window.from > b.window.to || b.window.from > a.window.to) return false
  const apart = Math.abs(a.logLevel - b.logLevel)
  return apart === 0 || apart < Math.min(a.spread ?? 0, b.spread ?? 0) / 2
}
