import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { day } from '#domain/day.ts'
import { jsonPart, storedCases } from '#tests/support/stored-cases.ts'
import {
  between,
  makeScale,
  priceTicks,
  timeTicks,
  axisUsd,
  shortUsd,
  type ScaleKind,
  type Span,
} from './scale.ts'

describe('a scale', () => {
  it('maps days proportionally to pixels', () => {
    const time = makeScale('linear', [100, 200], [50, 450])
    expect([100, 150, 200, 50].map(time.toPx)).toEqual([50, 250, 450, -150])
  })

  it('gives every decade of a log axis the same height', () => {
    const price = makeScale('log', [1, 1000], [300, 0])
    expect([1, 10, 100, 1000].map((usd) => Math.round(price.toPx(usd)))).toEqual([300, 200, 100, 0])
  })

  it('puts a price at or below zero below a log axis', () => {
    const price = makeScale('log', [1, 1000], [300, 0])
    expect(price.toPx(-1000)).toBeGreaterThan(300)
    expect(price.toPx(0)).toBe(price.toPx(-5))
    expect(Number.isFinite(price.toPx(0))).toBe(true)
  })

  it('inverts exactly for any pixel', () => {
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

  it('interpolates log spans by ratio', () => {
    const [low, high] = between('log', [1, 100], [100, 10_000], 0.5)
    expect(low).toBeCloseTo(10)
    expect(high).toBeCloseTo(1000)
  })
})

const NO_SPANS = [
  [100, 100],
  [NaN, 200],
  [0, Infinity],
] as const
const labels = (ticks: readonly { label: string }[]) => ticks.map(({ label }) => label)

describe('price ticks', () => {
  it('are distinct, ascending, and on the axis', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('linear' as const, 'log' as const),
        fc.double({ min: 1e-4, max: 1e7, noNaN: true }),
        fc.double({ min: 1.0001, max: 1e6, noNaN: true }),
        (kind, low, ratio) => {
          const ticks = priceTicks([low, low * ratio], kind, 6)
          expect(new Set(labels(ticks)).size).toBe(ticks.length)
          for (const { at } of ticks) {
            expect(at).toBeGreaterThanOrEqual(low * 0.999)
            expect(at).toBeLessThanOrEqual(low * ratio * 1.001)
          }
          expect(ticks.length).toBeLessThan(18)
        },
      ),
    )
  })

  it('of a span without length or end are few', () => {
    for (const span of NO_SPANS) expect(priceTicks(span, 'linear', 5).length).toBeLessThan(3)
  })
})

describe('time ticks', () => {
  it('are distinct within a year and not crowded on a phone', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('years' as const, 'months' as const),
        fc.integer({ min: 15_000, max: 22_000 }),
        fc.integer({ min: 5, max: 12_000 }),
        (rule, from, span) => {
          const all = labels(timeTicks([from, from + span], 305, rule))
          const named = all.filter((label) => label !== '')
          // Month names may recur after the next January, which shows its year.
          const years = named.flatMap((label, i) => (/^\d{4}$/.test(label) ? [i] : []))
          for (const [k, start] of [0, ...years].entries()) {
            const year = named.slice(start, [...years, named.length][k])
            expect(new Set(year).size).toBe(year.length)
          }
          expect(named.length).toBeLessThanOrEqual(8)
        },
      ),
    )
  })
  it('of a span without length or end are none', () => {
    for (const span of NO_SPANS) expect(timeTicks(span, 800, 'years')).toEqual([])
  })
})

it('ticks and prices are labelled as stored', () =>
  storedCases('scale', {
    'ticks of a price axis': (domain, kind, count) => {
      const ticks = priceTicks(jsonPart<Span>(domain), kind as ScaleKind, Number(count))
      return labels(ticks).join(' ')
    },
    'ticks of a time axis': (from, to, rule, width) => {
      const span = [day(from), day(to)] as const
      return labels(timeTicks(span, Number(width), rule as 'years' | 'months')).join(' ')
    },
    'a price on an axis': (usd) => axisUsd(Number(usd)),
    'a price kept exact': (usd) => shortUsd(Number(usd)),
  }))
