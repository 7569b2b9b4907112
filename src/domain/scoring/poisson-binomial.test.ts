import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { poissonBinomial, upperMidP, type Vote } from './poisson-binomial.ts'

const chances = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 40 })

function single(expected: number, observed: 0 | 1): Vote {
  return [{ share: 1, expected, observed }]
}

describe('the number of hits by luck', () => {
  it('has the chances of the vector', () => {
    const found = poissonBinomial([0.5, 0.3, 0.7, 0.3, 0.9])
    const known = [0.00735, 0.09695, 0.3167, 0.3747, 0.17595, 0.02835]
    for (const [i, chance] of known.entries()) expect(found[i]).toBeCloseTo(chance, 10)
  })

  it('is some number: the chances add up to 1', () => {
    fc.assert(
      fc.property(chances, (ps) => {
        const found = poissonBinomial(ps)
        expect(found).toHaveLength(ps.length + 1)
        expect(found.reduce((sum, chance) => sum + chance, 0)).toBeCloseTo(1, 10)
      }),
    )
  })
})

describe('the upper mid-p', () => {
  const six = [0.35, 0.2, 0.5, 0.1, 0.42, 0.3]

  it('is that of the vector', () => {
    const counts = poissonBinomial(six)
    const upper = counts.slice(4).reduce((sum, chance) => sum + chance, 0)
    expect(upper).toBeCloseTo(0.0695, 4)
    expect(upperMidP(six.map((p, i) => single(p, i < 4 ? 1 : 0)))).toBeCloseTo(0.0393, 4)
  })

  it('counts the calls of one vote as one, that rise and fall together', () => {
    const call = (expected: number, observed: 0 | 1) => ({ share: 0.5, expected, observed })
    // Alike: one call of the same chance.
    expect(upperMidP([[call(0.3, 1), call(0.3, 1)]])).toBeCloseTo(upperMidP([single(0.3, 1)]), 12)
    // Half a vote with 0.1, a whole one with 0.2: the easier one comes true first.
    expect(upperMidP([[call(0.3, 1), call(0.2, 0)]])).toBeCloseTo(0.2 + 0.1 / 2, 12)
    expect(upperMidP([[call(0.2, 1), call(0.3, 1)]])).toBeCloseTo(0.2 / 2, 12)
  })

  it('of groups of seven and eleven differs little from that of their votes', () => {
    const group = (size: number, hits: number): Vote =>
      Array.from({ length: size }, (_, i) => ({
        share: 1 / size,
        expected: 0.4,
        observed: i < hits ? 1 : 0,
      }))
    const whole = upperMidP([single(0.4, 1), single(0.4, 0)])
    expect(upperMidP([group(7, 7), group(11, 0)])).toBeCloseTo(whole, 10)
  })

  it('of very many calls is that of a normal distribution', () => {
    const calls = Array.from({ length: 1_001 }, (_, i) => single(0.3, i % 10 < 3 ? 1 : 0))
    const counts = poissonBinomial(calls.map(() => 0.3))
    const upper = counts.slice(302).reduce((sum, chance) => sum + chance, 0)
    expect(upperMidP(calls)).toBeCloseTo(upper + (counts[301] ?? 0) / 2, 2)
  })

  it('of no call is one half', () => {
    expect(upperMidP([])).toBe(0.5)
  })
})
