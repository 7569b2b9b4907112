import { normalCdf } from './normal.ts'

/** The chances of 0, 1, 2, … hits among independent calls with these chances. */
export function poissonBinomial(chances: readonly number[]): number[] {
  let counts = [1]
  for (const chance of chances) {
    counts = [...counts, 0].map(
      (sure, hits) => sure * (1 - chance) + (counts[hits - 1] ?? 0) * chance,
    )
  }
  return counts
}

/** Calls that share one vote: each with its share, its chance and whether it was a hit. */
export type Vote = readonly {
  readonly share: number
  readonly expected: number
  readonly observed: 0 | 1
}[]

/** Parts into which a vote is divided where calls share one; larger groups than six are rounded to them. */
const MOST_PARTS = 60
/** With more votes than this the normal distribution is as good, and does not take long. */
const MANY = 1_000

/**
 * The chance that luck does better than this, plus half the chance that it does just as well (upper mid-p). The calls of
 * one vote rise and fall together: they say nearly the same of one price.
 */
export function upperMidP(votes: readonly Vote[]): number {
  if (votes.length > MANY) return normalUpper(votes)
  const parts = partsOf(votes)
  let counts: Float64Array = Float64Array.of(1)
  let observed = 0
  for (const vote of votes) {
    const steps = stepsOf(vote, parts)
    const next = new Float64Array(counts.length + (steps.at(-1)?.at ?? 0))
    for (const { at, chance } of steps) {
      if (chance <= 0) continue
      for (let i = 0; i < counts.length; i += 1) {
        next[i + at] = (next[i + at] ?? 0) + (counts[i] ?? 0) * chance
      }
    }
    counts = next
    const share = vote.reduce((sum, call) => sum + call.share * call.observed, 0)
    observed += Math.round(share * parts)
  }
  let p = (counts[observed] ?? 0) / 2
  for (let i = observed + 1; i < counts.length; i += 1) p += counts[i] ?? 0
  return Math.min(1, p)
}

/** The least number of parts that all shares are whole numbers of. */
function partsOf(votes: readonly Vote[]): number {
  let parts = 1
  for (const { share } of votes.flat()) {
    parts = leastMultiple(parts, Math.round(1 / share))
    if (parts > MOST_PARTS) return MOST_PARTS
  }
  return parts
}

function leastMultiple(a: number, b: number): number {
  let multiple = a
  while (multiple % b !== 0) multiple += a
  return multiple
}

/** What one vote may give, in parts, rising: the likeliest calls of it come true first. */
function stepsOf(vote: Vote, parts: number): { at: number; chance: number }[] {
  const falling = vote.toSorted((a, b) => b.expected - a.expected)
  let share = 0
  return [{ expected: 1, share: 0 }, ...falling].map((call, i) => {
    share += call.share
    return {
      at: Math.round(share * parts),
      chance: call.expected - (falling[i]?.expected ?? 0),
    }
  })
}

function normalUpper(votes: readonly Vote[]): number {
  let [excess, variance] = [0, 0]
  for (const { share, expected, observed } of votes.flat()) {
    excess += share * (observed - expected)
    variance += share * expected * (1 - expected)
  }
  return normalCdf(-excess / Math.sqrt(variance))
}
