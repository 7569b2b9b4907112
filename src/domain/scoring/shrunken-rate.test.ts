import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { betaCdf, betaQuantile, logBeta, logGamma } from './beta.ts'
import { fitRatePrior, shrunkenRate } from './shrunken-rate.ts'

describe('the beta distribution', () => {
  it('is known where it is simple', () => {
    expect(logGamma(5)).toBeCloseTo(Math.log(24), 12)
    expect(logGamma(0.5)).toBeCloseTo(Math.log(Math.PI) / 2, 12)
    expect(logGamma(100.5)).toBeCloseTo(361.4355, 3)
    expect(logBeta(2, 3)).toBeCloseTo(Math.log(1 / 12), 12)
    expect(betaCdf(0.3, 1, 1)).toBeCloseTo(0.3, 12)
    expect(betaCdf(0.3, 1, 4)).toBeCloseTo(1 - 0.7 ** 4, 12)
    expect(betaCdf(0.3, 3, 1)).toBeCloseTo(0.3 ** 3, 12)
    expect(betaQuantile(0.5, 7, 7)).toBeCloseTo(0.5, 9)
  })

  it('gives each part back', () => {
    const shape = fc.double({ min: 0.5, max: 300, noNaN: true })
    fc.assert(
      fc.property(fc.double({ min: 0.02, max: 0.98, noNaN: true }), shape, shape, (part, a, b) => {
        expect(betaCdf(betaQuantile(part, a, b), a, b)).toBeCloseTo(part, 5)
      }),
    )
  })
})

describe('a shrunken rate', () => {
  const people = [
    ...Array.from({ length: 30 }, () => ({ hits: 3, n: 10 })),
    { hits: 1, n: 1 },
    { hits: 8, n: 10 },
  ]
  const prior = fitRatePrior(people)

  it('is drawn to that of all people, the more the fewer calls there are', () => {
    const rate = (hits: number, n: number): number => shrunkenRate({ hits, n }, prior).mean
    expect(rate(1, 1)).toBeLessThan(0.4)
    expect(rate(8, 10)).toBeLessThan(0.5)
    expect(rate(800, 1_000)).toBeCloseTo(0.8, 1)
    const { low, mean, high } = shrunkenRate({ hits: 1, n: 1 }, prior)
    expect(low).toBeLessThan(mean)
    expect(high).toBeGreaterThan(mean)
  })

  it('finds the mean of many alike, and that they are alike', () => {
    expect(prior.alpha / (prior.alpha + prior.beta)).toBeCloseTo(0.32, 2)
    expect(prior.alpha + prior.beta).toBeGreaterThan(40)
  })

  it('counts as about twelve calls where there is no record', () => {
    const none = fitRatePrior([])
    expect(none.alpha + none.beta).toBeGreaterThan(11)
    expect(none.alpha + none.beta).toBeLessThan(13)
  })
})
