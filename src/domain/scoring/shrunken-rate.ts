import { betaQuantile, logBeta } from './beta.ts'
import { highestPoint } from './grid-search.ts'

/** Hits among decided calls. */
export type Decided = { readonly hits: number; readonly n: number }

/** How rates of hits are spread among all people: Beta(alpha, beta). */
export type RatePrior = { readonly alpha: number; readonly beta: number }

/** A rate drawn towards that of all people where there are few calls, with its 90 % interval. */
export type ShrunkenRate = { readonly mean: number; readonly low: number; readonly high: number }

/** Means .02 to .98 by .02, and sizes (alpha + beta) of 2 to 100 with equal steps of their logarithm. */
const MEANS = Array.from({ length: 49 }, (_, i) => (i + 1) / 50)
const SIZES = Array.from({ length: 41 }, (_, i) => 2 * 50 ** (i / 40))
/** Without much data the prior counts as about this many calls. */
const USUAL_SIZE = 12

/** The prior that makes the records of all people likeliest. */
export function fitRatePrior(records: readonly Decided[]): RatePrior {
  const alike = new Map<string, Decided & { people: number }>()
  for (const { hits, n } of records) {
    const key = `${hits} ${n}`
    alike.set(key, { hits, n, people: (alike.get(key)?.people ?? 0) + 1 })
  }
  const priorAt = (column: number, row: number): RatePrior => {
    const [mean, size] = [MEANS[column] ?? 0, SIZES[row] ?? 0]
    return { alpha: mean * size, beta: (1 - mean) * size }
  }
  const { column, row } = highestPoint(MEANS.length, SIZES.length, (mean, size) => {
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
