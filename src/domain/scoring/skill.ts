import { highestPoint } from './grid-search.ts'

/** A call as skill sees it: what luck expects of it, and whether it was a hit. */
export type SkillCall = {
  readonly expected: number
  readonly observed: 0 | 1
}

/** How far a person's odds differ from those of luck; `mean`, `low` and `high` are logarithms, luck is 0. */
export type Skill = {
  readonly mean: number
  /** The 5 % quantile: what cannot be had by a few lucky calls. */
  readonly low: number
  /** The 95 % quantile. */
  readonly high: number
  /** e^mean: how many times the odds of luck. */
  readonly odds: number
  /** The chance that it is more than 0. */
  readonly positive: number
}

/** How skill is spread among all people: a normal distribution. */
export type SkillPrior = { readonly mean: number; readonly spread: number }

/** Points of the grid: −4 to 4 by 0.05. */
const POINTS = Float64Array.from({ length: 161 }, (_, i) => (i - 80) / 20)
const POWERS = POINTS.map((point) => Math.exp(point))
/** Means −2 to 2 and spreads 0.1 to 2, both by 0.05. */
const MEANS = Array.from({ length: 81 }, (_, i) => (i - 40) / 20)
const SPREADS = Array.from({ length: 39 }, (_, i) => (i + 2) / 20)
/** One call that luck thinks impossible must not decide everything. */
const SUREST = 0.98
/** So many chances can be multiplied without becoming too small for a number; one logarithm is taken for all of them. */
const AT_ONCE = 50

/** How likely the calls of one person are at each point of the grid; the greatest is 1. */
export function likelihoodOf(calls: readonly SkillCall[]): Float64Array {
  const logs = new Float64Array(POINTS.length)
  const chances = new Float64Array(POINTS.length).fill(1)
  for (const [n, call] of calls.entries()) {
    if (n % AT_ONCE === 0) addLogs(logs, chances)
    const chance = Math.min(Math.max(call.expected, 1 - SUREST), SUREST)
    for (let i = 0; i < chances.length; i += 1) {
      const lifted = chance * (POWERS[i] ?? 0)
      const share = (call.observed === 1 ? lifted : 1 - chance) / (1 - chance + lifted)
      chances[i] = (chances[i] ?? 0) * share
    }
  }
  addLogs(logs, chances)
  const most = Math.max(...logs)
  return logs.map((log) => Math.exp(log - most))
}

/** Begins with new chances. */
function addLogs(logs: Float64Array, chances: Float64Array): void {
  for (let i = 0; i < logs.length; i += 1) logs[i] = (logs[i] ?? 0) + Math.log(chances[i] ?? 1)
  chances.fill(1)
}

/** The spread of skill that makes the calls of all people likeliest, with a half-normal(1) prior on the spread. */
export function fitSkillPrior(likelihoods: readonly Float64Array[]): SkillPrior {
  const { column, row } = highestPoint(MEANS.length, SPREADS.length, (mean, spread) =>
    heightOf(likelihoods, { mean: MEANS[mean] ?? 0, spread: SPREADS[spread] ?? 0 }),
  )
  return likelihoods.length === 0
    ? { mean: 0, spread: SPREADS[0] ?? 0 }
    : { mean: MEANS[column] ?? 0, spread: SPREADS[row] ?? 0 }
}

/** What `fitSkillPrior` makes as great as it can. */
export function heightOf(likelihoods: readonly Float64Array[], prior: SkillPrior): number {
  const weights = weightsOf(prior)
  const first = weights.findIndex((weight) => weight > 1e-12)
  const last = weights.findLastIndex((weight) => weight > 1e-12)
  let height = -(prior.spread ** 2) / 2
  for (const likelihood of likelihoods) {
    let sum = 0
    for (let i = first; i <= last; i += 1) sum += (likelihood[i] ?? 0) * (weights[i] ?? 0)
    height += Math.log(sum)
  }
  return height
}

/** A person's skill, drawn towards that of all people where its calls say little. */
export function skillOf(likelihood: Float64Array, prior: SkillPrior): Skill {
  const weights = weightsOf(prior).map((weight, i) => weight * (likelihood[i] ?? 0))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  let [mean, positive, sum] = [0, 0, 0]
  let [low, high] = [NaN, NaN]
  for (let i = 0; i < weights.length; i += 1) {
    const [weight, point] = [(weights[i] ?? 0) / total, POINTS[i] ?? 0]
    mean += weight * point
    if (point > 0) positive += weight
    sum += weight
    if (Number.isNaN(low) && sum >= 0.05) low = point
    if (Number.isNaN(high) && sum >= 0.95) high = point
  }
  return { mean, low, high, odds: Math.exp(mean), positive }
}

function weightsOf({ mean, spread }: SkillPrior): Float64Array {
  const weights = POINTS.map((point) => Math.exp(-(((point - mean) / spread) ** 2) / 2))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return weights.map((weight) => weight / total)
}
