export type SkillCall = {
  readonly expected: number
  readonly observed: 0 | 1
}

/** How far a person's odds differ from luck's; `mean`, `low` and `high` are logarithms, luck is 0. */
export type Skill = {
  readonly mean: number
  /** The 5% quantile, which a few lucky calls cannot reach. */
  readonly low: number
  /** The 95% quantile. */
  readonly high: number
  /** e^mean, as a multiple of luck's odds. */
  readonly odds: number
  readonly positive: number
}

/** Distribution of skill among all people: normal. */
export type SkillPrior = { readonly mean: number; readonly spread: number }

/** Points of the grid: −4 to 4 by 0.05. */
const POINTS = Float64Array.from({ length: 161 }, (_, i) => (i - 80) / 20)
const POWERS = POINTS.map((point) => Math.exp(point))
/** Means −2 to 2 and spreads 0.1 to 2, both by 0.05. */
const MEANS = Array.from({ length: 81 }, (_, i) => (i - 40) / 20)
const SPREADS = Array.from({ length: 39 }, (_, i) => (i + 2) / 20)
/** Upper bound, so that a single "impossible" call cannot decide everything. */
const SUREST = 0.98
/** How many chances are multiplied before taking a logarithm, without underflow. */
const AT_ONCE = 50

/** Likelihood of a person's calls at each grid point, scaled to a maximum of 1. */
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

function addLogs(logs: Float64Array, chances: Float64Array): void {
  for (let i = 0; i < logs.length; i += 1) logs[i] = (logs[i] ?? 0) + Math.log(chances[i] ?? 1)
  chances.fill(1)
}

/** Maximum-likelihood prior of skill over all people, with a half-normal(1) prior on the spread. */
export function fitSkillPrior(likelihoods: readonly Float64Array[]): SkillPrior {
  const { column, row } = highestPoint(MEANS.length, SPREADS.length, (mean, spread) =>
    heightOf(likelihoods, { mean: MEANS[mean] ?? 0, spread: SPREADS[spread] ?? 0 }),
  )
  return likelihoods.length === 0
    ? { mean: 0, spread: SPREADS[0] ?? 0 }
    : { mean: MEANS[column] ?? 0, spread: SPREADS[row] ?? 0 }
}

/** The objective of `fitSkillPrior`. */
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
  return { mean, low, high, odds: Math.exp(mean), positive: Math.min(1, positive) }
}

function weightsOf({ mean, spread }: SkillPrior): Float64Array {
  const weights = POINTS.map((point) => Math.exp(-(((point - mean) / spread) ** 2) / 2))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return weights.map((weight) => weight / total)
}

export type Decided = { readonly hits: number; readonly n: number }

/** Distribution of hit rates among all people: Beta(alpha, beta). */
export type RatePrior = { readonly alpha: number; readonly beta: number }

/** A rate shrunk towards that of all people, with its 90% interval. */
export type ShrunkenRate = { readonly mean: number; readonly low: number; readonly high: number }

/** Means .02 to .98 by .02, and sizes (alpha + beta) of 2 to 100 with equal steps of their logarithm. */
const RATES = Array.from({ length: 49 }, (_, i) => (i + 1) / 50)
const SIZES = Array.from({ length: 41 }, (_, i) => 2 * 50 ** (i / 40))
/** Without much data the prior counts as about this many calls. */
const USUAL_SIZE = 12

/** The maximum-likelihood prior for all records. */
export function fitRatePrior(records: readonly Decided[]): RatePrior {
  const alike = new Map<string, Decided & { people: number }>()
  for (const { hits, n } of records) {
    const key = `${hits} ${n}`
    alike.set(key, { hits, n, people: (alike.get(key)?.people ?? 0) + 1 })
  }
  const priorAt = (column: number, row: number): RatePrior => {
    const [mean, size] = [RATES[column] ?? 0, SIZES[row] ?? 0]
    return { alpha: mean * size, beta: (1 - mean) * size }
  }
  const { column, row } = highestPoint(RATES.length, SIZES.length, (mean, size) => {
    const { alpha, beta } = priorAt(mean, size)
    const before = logBeta(alpha, beta)
    let height = -(Math.log((SIZES[size] ?? 1) / USUAL_SIZE) ** 2) / 2
    for (const { hits, n, people } of alike.values()) {
      height += people * (logBeta(alpha + hits, beta + n - hits) - before)
    }
    return height
  })
  return priorAt(column, row)
}

export function shrunkenRate({ hits, n }: Decided, prior: RatePrior): ShrunkenRate {
  const [a, b] = [prior.alpha + hits, prior.beta + n - hits]
  return { mean: a / (a + b), low: betaQuantile(0.05, a, b), high: betaQuantile(0.95, a, b) }
}

/** Stride of the first, coarse search, in grid steps. */
const FIRST_STRIDE = 8
/** On a narrow ridge the next higher point may be a few steps away; the final search covers this radius. */
const REACH = 5

/**
 * The highest point of a smooth function on a grid: first on a coarse grid, then uphill in smaller and smaller
 * steps from its best points. It evaluates a few per cent of the points.
 *
 * @returns the point as column and row
 */
function highestPoint(
  columns: number,
  rows: number,
  heightAt: (column: number, row: number) => number,
): { readonly column: number; readonly row: number } {
  const heights = new Map<number, number>()
  const height = (column: number, row: number): number => {
    const key = row * columns + column
    const known = heights.get(key) ?? heightAt(column, row)
    heights.set(key, known)
    return known
  }
  const starts: { column: number; row: number; at: number }[] = []
  for (const column of strided(columns)) {
    for (const row of strided(rows)) starts.push({ column, row, at: height(column, row) })
  }
  starts.sort((a, b) => b.at - a.at)
  let best = starts[0] ?? { column: 0, row: 0, at: -Infinity }
  for (const start of starts.slice(0, 3)) {
    let here = start
    for (let stride = FIRST_STRIDE / 2; stride >= 1;) {
      const higher = around(here, stride, columns, rows)
        .map((point) => ({ ...point, at: height(point.column, point.row) }))
        .reduce((top, point) => (point.at > top.at ? point : top), here)
      if (higher === here) stride /= 2
      here = higher
    }
    if (here.at > best.at) best = here
  }
  for (let here = null; here !== best;) {
    here = best
    for (
      let column = Math.max(0, here.column - REACH);
      column <= Math.min(columns - 1, here.column + REACH);
      column += 1
    ) {
      for (
        let row = Math.max(0, here.row - REACH);
        row <= Math.min(rows - 1, here.row + REACH);
        row += 1
      ) {
        const at = height(column, row)
        if (at > best.at) best = { column, row, at }
      }
    }
  }
  return { column: best.column, row: best.row }
}

function strided(length: number): number[] {
  const points: number[] = []
  for (let at = 0; at < length; at += FIRST_STRIDE) points.push(at)
  if (points.at(-1) !== length - 1) points.push(length - 1)
  return points
}

function around(
  { column, row }: { readonly column: number; readonly row: number },
  stride: number,
  columns: number,
  rows: number,
): { column: number; row: number }[] {
  const steps = [-stride, 0, stride]
  return steps
    .flatMap((x) => steps.map((y) => ({ column: column + x, row: row + y })))
    .filter((at) => at.column >= 0 && at.column < columns && at.row >= 0 && at.row < rows)
}

/** Coefficients of Lanczos's approximation with g = 7. */
const LANCZOS = Float64Array.of(
  0.999_999_999_999_809_9,
  676.520_368_121_885_1,
  -1_259.139_216_722_402_8,
  771.323_428_777_653_1,
  -176.615_029_162_140_6,
  12.507_343_278_686_905,
  -0.138_571_095_265_720_12,
  9.984_369_578_019_572e-6,
  1.505_632_735_149_311_6e-7,
)
const LN_SQRT_TWO_PI = 0.918_938_533_204_672_7

/** The logarithm of the gamma function, for x > 0. */
export function logGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x)
  let sum = LANCZOS[0] ?? 0
  for (let i = 1; i < LANCZOS.length; i += 1) sum += (LANCZOS[i] ?? 0) / (x + i - 1)
  const t = x + 6.5
  return LN_SQRT_TWO_PI + (x - 0.5) * Math.log(t) - t + Math.log(sum)
}

export function logBeta(a: number, b: number): number {
  return logGamma(a) + logGamma(b) - logGamma(a + b)
}

/** The quantile of Beta(a, b), to 10 digits. */
export function betaQuantile(part: number, a: number, b: number): number {
  let [low, high] = [0, 1]
  while (high - low > 1e-10) {
    const middle = (low + high) / 2
    if (betaCdf(middle, a, b) < part) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/** The distribution function of Beta(a, b), also called the regularized incomplete beta function. */
export function betaCdf(x: number, a: number, b: number): number {
  if (x <= 0) return 0
  if (x >= 1) return 1
  const front = Math.exp(a * Math.log(x) + b * Math.log(1 - x) - logBeta(a, b))
  return x < (a + 1) / (a + b + 2)
    ? (front * betaFraction(x, a, b)) / a
    : 1 - (front * betaFraction(1 - x, b, a)) / b
}

/** Its continued fraction, by the method of Lentz. @see https://dlmf.nist.gov/8.17.E22 */
function betaFraction(x: number, a: number, b: number): number {
  const away = (value: number): number => (Math.abs(value) < 1e-300 ? 1e-300 : value)
  let c = 1
  let d = 1 / away(1 - ((a + b) * x) / (a + 1))
  let fraction = d
  for (let m = 1; m <= 300; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    d = 1 / away(1 + even * d)
    c = away(1 + even / c)
    fraction *= d * c
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    d = 1 / away(1 + odd * d)
    c = away(1 + odd / c)
    fraction *= d * c
    if (Math.abs(d * c - 1) < 1e-13) break
  }
  return fraction
}
