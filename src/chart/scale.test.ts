import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { between, makeScale } from './scale.ts'

describe('a scale', () => {
  it('a scale puts days on pixels in proportion', () => {
    const time = makeScale('linear', [100, 200], [50, 450])
    expect([100, 150, 200, 50].map(time.toPx)).toEqual([50, 250, 450, -150])
  })

  it('a scale gives every decade of a log axis the same height', () => {
    const price = makeScale('log', [1, 1000], [300, 0])
    expect([1, 10, 100, 1000].map((usd) => Math.round(price.toPx(usd)))).toEqual([300, 200, 100, 0])
  })

  it('a scale puts a price at or below zero below a log axis', () => {
    const price = makeScale('log', [1, 1000], [300, 0])
    expect(price.toPx(-1000)).toBeGreaterThan(300)
    expect(price.toPx(0)).toBe(price.toPx(-5))
    expect(Number.isFinite(price.toPx(0))).toBe(true)
  })

  it('a scale finds its way back from any pixel', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('linear' as const, 'log' as const),
        fc.double({ min: 0.01, max: 1e6, noNaN: true }),
        fc.double({ min: 1.01, max: 1e4, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (kind, low, ratio, part) => {
          const scale = makeScale(kind, [low, low * ratio], [400, 15])
          const value = low + (low * ratio - low) * part
          expect(scale.toValue(scale.toPx(value)) / value).toBeCloseTo(1, 6)
        },
      ),
    )
  })

  it('a scale stays finite on a span or a screen without length', () => {
    for (const kind of ['linear', 'log'] as const) {
      expect(Number.isFinite(makeScale(kind, [5, 5], [300, 0]).toPx(5))).toBe(true)
      expect(Number.isFinite(makeScale(kind, [1, 5], [0, 0]).toValue(0))).toBe(true)
    }
  })

  it('a scale moves between log spans by ratio', () => {
    const [low, high] = between('log', [1, 100], [100, 10_000], 0.5)
    expect(low).toBeCloseTo(10)
    expect(high).toBeCloseTo(1000)
  })
})
