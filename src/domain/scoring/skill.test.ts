import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rounds } from '#tests/support/deep.ts'
import {
  fitSkillPrior,
  heightOf,
  likelihoodOf,
  skillOf,
  type SkillCall,
  betaCdf,
  betaQuantile,
  logBeta,
  logGamma,
  fitRatePrior,
  shrunkenRate,
} from './skill.ts'

function calls(expected: readonly number[], observed: readonly (0 | 1)[]): SkillCall[] {
  return expected.map((chance, i) => ({ expected: chance, observed: observed[i] ?? 0 }))
}

const A = calls([0.5, 0.3, 0.7], [1, 0, 1])
const B = calls([0.2, 0.2, 0.2, 0.2], [1, 1, 0, 1])
const C = calls([0.6, 0.6, 0.6, 0.6, 0.6], [0, 0, 1, 0, 0])

describe('skill', () => {
  it.each([
    ['A', A, 0.5, 0.1076, -0.65, 0.85, 0.5706],
    ['A', A, 1, 0.3118, -1, 1.6, 0.6412],
    ['B', B, 0.5, 0.4581, -0.3, 1.2, 0.8289],
    ['B', B, 1, 1.1815, 0, 2.35, 0.9433],
    ['C', C, 0.5, -0.382, -1.1, 0.35, 0.1762],
  ])('of %s with a spread of %4$d', (_, calls, spread, mean, low, high, positive) => {
    const skill = skillOf(likelihoodOf(calls), { mean: 0, spread })
    expect(skill.mean).toBeCloseTo(mean, 4)
    expect(skill.low).toBeCloseTo(low, 10)
    expect(skill.high).toBeCloseTo(high, 10)
    expect(skill.positive).toBeCloseTo(positive, 4)
    expect(skill.odds).toBeCloseTo(Math.exp(mean), 3)
  })

  it('is not lifted by easy calls, but by bold ones', () => {
    const prior = { mean: 0, spread: 0.5 }
    const low = (calls: SkillCall[]): number => skillOf(likelihoodOf(calls), prior).low
    const easy = low(calls(Array(10).fill(0.95), Array(10).fill(1)))
    expect(low(calls([0.1, 0.1, 0.1], [1, 1, 1]))).toBeGreaterThan(easy)
  })

  it('stays a number for calls that luck considers impossible or certain, and for very many', () => {
    const many = calls(Array(5_000).fill(0.001), Array(5_000).fill(1))
    expect(skillOf(likelihoodOf(many), { mean: 0, spread: 0.5 }).low).toBe(4)
    expect(skillOf(likelihoodOf(calls([1], [0])), { mean: 0, spread: 1 }).mean).toBeLessThan(0)
    // Weights above zero that add up to a rounding error more than 1.
    expect(skillOf(likelihoodOf(calls([0.3], [1])), { mean: 1, spread: 0.1 }).positive).toBe(1)
  })
})

describe('the spread of skill', () => {
  it('is the best fit of the whole grid', () => {
    const someCalls = fc.array(
      fc.record<SkillCall>({
        expected: fc.double({ min: 0.001, max: 0.999, noNaN: true }),
        observed: fc.constantFrom(0, 1),
      }),
      { minLength: 1, maxLength: 12 },
    )
    fc.assert(
      fc.property(fc.array(someCalls, { minLength: 1, maxLength: 8 }), (people) => {
        const likelihoods = people.map(likelihoodOf)
        let best = -Infinity
        for (let mean = -40; mean <= 40; mean += 1) {
          for (let spread = 2; spread <= 40; spread += 1) {
            best = Math.max(best, heightOf(likelihoods, { mean: mean / 20, spread: spread / 20 }))
          }
        }
        expect(heightOf(likelihoods, fitSkillPrior(likelihoods))).toBeCloseTo(best, 9)
      }),
      { numRuns: rounds(4, 50) },
    )
  })

  it('is assumed narrow rather than wide', () => {
    // Two people whose skill is known exactly, −2 and 2: 2 fits best, and the half-normal prior makes √2 of it.
    const known = [40, 120].map((at) => new Float64Array(161).fill(0).fill(1, at, at + 1))
    expect(fitSkillPrior(known)).toEqual({ mean: 0, spread: 1.4 })
  })

  it('is small without any calls', () => {
    expect(fitSkillPrior([])).toEqual({ mean: 0, spread: 0.1 })
  })
})

it('the beta distribution is exact in simple cases', () => {
  expect(logGamma(5)).toBeCloseTo(Math.log(24), 12)
  expect(logGamma(0.5)).toBeCloseTo(Math.log(Math.PI) / 2, 12)
  expect(logGamma(100.5)).toBeCloseTo(361.4355, 3)
  expect(logBeta(2, 3)).toBeCloseTo(Math.log(1 / 12), 12)
  expect(betaCdf(0.3, 1, 1)).toBeCloseTo(0.3, 12)
  expect(betaCdf(0.3, 1, 4)).toBeCloseTo(1 - 0.7 ** 4, 12)
  expect(betaCdf(0.3, 3, 1)).toBeCloseTo(0.3 ** 3, 12)
  expect(betaQuantile(0.5, 7, 7)).toBeCloseTo(0.5, 9)
})

it('the beta distribution inverts each part', () => {
  const shape = fc.double({ min: 0.5, max: 300, noNaN: true })
  fc.assert(
    fc.property(fc.double({ min: 0.02, max: 0.98, noNaN: true }), shape, shape, (part, a, b) => {
      expect(betaCdf(betaQuantile(part, a, b), a, b)).toBeCloseTo(part, 5)
    }),
  )
})

describe('a shrunken rate', () => {
  const people = [
    ...Array.from({ length: 30 }, () => ({ hits: 3, n: 10 })),
    { hits: 1, n: 1 },
    { hits: 8, n: 10 },
  ]
  const prior = fitRatePrior(people)

  it('is drawn towards that of all people, more so with fewer calls', () => {
    const rate = (hits: number, n: number): number => shrunkenRate({ hits, n }, prior).mean
    expect(rate(1, 1)).toBeLessThan(0.4)
    expect(rate(8, 10)).toBeLessThan(0.5)
    expect(rate(800, 1_000)).toBeCloseTo(0.8, 1)
    const { low, mean, high } = shrunkenRate({ hits: 1, n: 1 }, prior)
    expect(low).toBeLessThan(mean)
    expect(high).toBeGreaterThan(mean)
  })

  it('has the mean and the narrow spread of many similar records', () => {
    expect(prior.alpha / (prior.alpha + prior.beta)).toBeCloseTo(0.32, 2)
    expect(prior.alpha + prior.beta).toBeGreaterThan(40)
  })

  it('counts as about twelve calls without a record', () => {
    const none = fitRatePrior([])
    expect(Math.abs(none.alpha + none.beta - 12)).toBeLessThan(1)
  })
})
