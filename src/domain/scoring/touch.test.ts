import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  logNormalCdf,
  normalCdf,
  endsBelowChance,
  laterChance,
  seenOnceShift,
  staysChance,
  touchChance,
  type Motion,
} from './touch.ts'

const later = (distance: number, motion: Motion, wait: number, years: number): number =>
  laterChance(motion, wait, (moved) => touchChance(distance - moved, motion, years))

/** S = 100: level, years, sigma, then the chance at ν = −σ²/2 and at ν = 0. */
type Vector = readonly [usd: number, years: number, sigma: number, falling: number, still: number]
const TOUCHED: readonly Vector[] = [
  [150, 1, 0.55, 0.37036, 0.461],
  [200, 1, 0.55, 0.14348, 0.20757],
  [110, 1 / 12, 0.55, 0.52218, 0.54831],
  [50, 1, 0.55, 0.28696, 0.20757],
  [250, 2, 0.7, 0.21107, 0.35466],
]
const SEEN_DAILY: readonly Vector[] = [
  [150, 1, 0.55, 0.3525, 0.44266],
  [200, 1, 0.55, 0.13485, 0.19679],
  [110, 1 / 12, 0.55, 0.45346, 0.48023],
]
const ABOVE_AT_THE_END: readonly Vector[] = [
  [150, 1, 0.55, 0.15572, 0.2305],
  [200, 1, 0.55, 0.06236, 0.10379],
]

/** Distance and motion of a test vector, at ν = −σ²/2 and at ν = 0. */
function motionsOf([usd, , sigma]: Vector) {
  const towards = (drift: number) => ({ sigma, drift: usd > 100 ? drift : -drift })
  return {
    distance: Math.abs(Math.log(usd / 100)),
    falling: towards(-(sigma ** 2) / 2),
    still: towards(0),
  }
}

const sigmas = fc.double({ min: 0.05, max: 3, noNaN: true })
const drifts = fc.double({ min: -1, max: 1, noNaN: true })
const distances = fc.double({ min: 0.001, max: 5, noNaN: true })
const years = fc.double({ min: 1 / 365, max: 20, noNaN: true })

it.each(TOUCHED)('the chance to touch %d within %d years at σ %d', (...vector) => {
  const [, time, , falling, still] = vector
  const motion = motionsOf(vector)
  expect(touchChance(motion.distance, motion.falling, time)).toBeCloseTo(falling, 5)
  expect(touchChance(motion.distance, motion.still, time)).toBeCloseTo(still, 5)
})

it.each(SEEN_DAILY)(
  'the chance to touch %d within %d years at σ %d, seen once a day',
  (...vector) => {
    const [, time, sigma, falling, still] = vector
    const motion = motionsOf(vector)
    const away = motion.distance + seenOnceShift(sigma, 1 / 365)
    expect(touchChance(away, motion.falling, time)).toBeCloseTo(falling, 5)
    expect(touchChance(away, motion.still, time)).toBeCloseTo(still, 5)
  },
)

it.each(ABOVE_AT_THE_END)('the chance to be above %d after %d years at σ %d', (...vector) => {
  const [, time, , falling, still] = vector
  const motion = motionsOf(vector)
  expect(1 - endsBelowChance(motion.distance, motion.falling, time)).toBeCloseTo(falling, 5)
  expect(1 - endsBelowChance(motion.distance, motion.still, time)).toBeCloseTo(still, 5)
})

it('the chance of a touch is twice the chance of ending there when there is no drift', () => {
  fc.assert(
    fc.property(distances, sigmas, years, (distance, sigma, time) => {
      const end = 1 - endsBelowChance(distance, { sigma, drift: 0 }, time)
      expect(touchChance(distance, { sigma, drift: 0 }, time)).toBeCloseTo(2 * end, 12)
    }),
  )
})

it('the chance of a touch falls with distance, rises with time, and stays within 0 and 1', () => {
  fc.assert(
    fc.property(distances, distances, sigmas, drifts, years, years, (a, b, sigma, drift, s, t) => {
      const chance = (distance: number, time: number): number =>
        touchChance(distance, { sigma, drift }, time)
      const all = chance(Math.min(a, b), Math.max(s, t))
      expect(all).toBeLessThanOrEqual(1)
      expect(chance(Math.max(a, b), Math.max(s, t))).toBeLessThanOrEqual(all + 1e-7)
      expect(chance(Math.min(a, b), Math.min(s, t))).toBeLessThanOrEqual(all + 1e-7)
      expect(chance(Math.max(a, b), Math.min(s, t))).toBeGreaterThanOrEqual(0)
    }),
  )
})

it('the chance of a touch is known even if a factor overflows', () => {
  // exp(2·1·3 / 0.01²) alone is infinite.
  expect(touchChance(3, { sigma: 0.01, drift: 1 }, 4)).toBeCloseTo(1, 9)
  expect(touchChance(3, { sigma: 0.01, drift: 1 }, 2)).toBeCloseTo(0, 9)
  expect(touchChance(3, { sigma: 0.01, drift: -1 }, 2)).toBe(0)
})

it.each([
  ['a level that is reached already', 0, 0.5, 1, 1],
  ['no time', 0.1, 0.5, 0, 0],
  ['a price that does not move', 0.1, 0, 1, 0],
])('the chance of a touch: %s', (_, distance, sigma, time, chance) => {
  expect(touchChance(distance, { sigma, drift: 0 }, time)).toBe(chance)
})

it('the chance of a later window equals that of the whole one if it does not wait, and is less if it does', () => {
  const motion = { sigma: 0.6, drift: 0.1 }
  expect(later(0.4, motion, 0, 1)).toBe(touchChance(0.4, motion, 1))
  const half = later(0.4, motion, 0.5, 0.5)
  expect(half).toBeLessThan(touchChance(0.4, motion, 1))
  expect(half).toBeGreaterThan(touchChance(0.4, motion, 0.5))
})

it('the chance of a single later day is the chance to be there', () => {
  const motion = { sigma: 0.6, drift: -0.2 }
  // Half-way between two of the points that represent its possible positions by then.
  const there = 1 - endsBelowChance(0.46, motion, 1)
  expect(later(0.46, motion, 1, 1e-9)).toBeCloseTo(there, 2)
})

/** The same by mirror images of the price: the density of a path that has touched neither edge, added up. */
function staysByImages(floor: number, width: number, { sigma, drift }: Motion, years: number) {
  const spread = sigma * Math.sqrt(years)
  const normal = (x: number): number => Math.exp(-0.5 * (x / spread) ** 2)
  const steps = 2_000
  let sum = 0
  for (let i = 0; i < steps; i += 1) {
    const x = ((i + 0.5) / steps) * width - floor
    let density = 0
    for (let n = -20; n <= 20; n += 1) {
      density += normal(x - 2 * n * width) - normal(x + 2 * floor - 2 * n * width)
    }
    const tilt = (drift * x) / sigma ** 2 - (drift ** 2 * years) / (2 * sigma ** 2)
    sum += density * Math.exp(tilt)
  }
  return (sum * width) / steps / (spread * Math.sqrt(2 * Math.PI))
}

// S = 100: both edges, drift, volatility, years.
it.each([
  [80, 125, 0, 0.6, 0.25, 0.13692],
  [80, 125, 0.3, 0.6, 0.25, 0.13315],
  [90, 140, 0, 0.5, 0.5, 0.03679],
  [50, 200, -0.2, 0.7, 1, 0.34997],
])(
  'the chance to stay inside %d to %d with a drift of %d, %d a year, %d years',
  (low, high, drift, sigma, years, chance) => {
    const motion = { sigma, drift }
    const [floor, width] = [Math.log(100 / low), Math.log(high / low)]
    expect(staysChance(floor, width, motion, years)).toBeCloseTo(chance, 4)
    expect(staysByImages(floor, width, motion, years)).toBeCloseTo(chance, 3)
  },
)

it('the chance to stay inside agrees with mirror images for any range, is certain inside and impossible outside', () => {
  const some = (min: number, max: number) => fc.double({ min, max, noNaN: true })
  fc.assert(
    fc.property(
      some(0.05, 0.95),
      some(0.1, 2),
      some(-0.6, 0.6),
      some(0.2, 1),
      some(0.02, 2),
      (share, width, drift, sigma, years) => {
        const motion = { sigma, drift }
        const found = staysChance(share * width, width, motion, years)
        const byImages = staysByImages(share * width, width, motion, years)
        expect(Math.abs(found - byImages)).toBeLessThan(0.001)
      },
    ),
    { numRuns: 20 },
  )
  const motion = { sigma: 0.6, drift: 0.1 }
  expect(staysChance(0.2, 0.5, motion, 0)).toBe(1)
  expect([0, 0.5, 0.6].map((floor) => staysChance(floor, 0.5, motion, 1))).toEqual([0, 0, 0])
})

it('the logarithm of the normal distribution continues where the number underflows', () => {
  expect(normalCdf(1.959963984540054)).toBeCloseTo(0.975, 14)
  expect(normalCdf(-40)).toBe(0)
  // ln Φ(−8) and ln Φ(−40), from tables.
  expect(logNormalCdf(-8)).toBeCloseTo(-35.01344, 5)
  expect(logNormalCdf(-8 - 1e-10)).toBeCloseTo(logNormalCdf(-8), 8)
  expect(logNormalCdf(-40)).toBeCloseTo(-804.60844, 5)
})
