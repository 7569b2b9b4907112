import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { day } from '#domain/day.ts'
import { between, makeScale, priceTicks, timeTicks, axisUsd, shortUsd } from './scale.ts'

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
  it.each([
    ['BTC at its least top', [-1000, 200_000], 'linear', 6, '$0 $50k $100k $150k $200k'],
    ['MSTR', [0, 520], 'linear', 5, '$0 $100 $200 $300 $400 $500'],
    ['a token of cents', [0.01, 0.09], 'linear', 5, '$0.02 $0.04 $0.06 $0.08'],
    ['a log axis of four decades', [100, 1_500_000], 'log', 6, '$100 $1k $10k $100k $1M'],
    ['a log axis of two decades', [2_000, 150_000], 'log', 6, '$2k $5k $10k $20k $50k $100k'],
  ] as const)('are round on %s', (_name, domain, kind, count, expected) => {
    expect(labels(priceTicks(domain, kind, count)).join(' ')).toBe(expected)
  })

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
  const ticks = (from: string, to: string, rule: 'years' | 'months', width = 1200) =>
    labels(timeTicks([day(from), day(to)], width, rule))

  it.each([
    ['two digits above three years', '2020-06-01', '2024-06-01', 'years', 1200, "'21 '22 '23 '24"],
    // Full years, and months between them, from one year to three.
    ['months between', '2023-06-01', '2025-02-01', 'years', 450, 'Jul Oct 2024 Apr Jul Oct 2025'],
    ['January with its year', '2023-11-15', '2024-03-15', 'years', 1200, 'Dec 2024 Feb Mar'],
    ['both ends of the view', '2023-12-01', '2024-03-01', 'years', 1200, 'Dec 2024 Feb Mar'],
    ['years above three years', '2021-06-01', '2024-06-02', 'months', 1200, '2022 2023 2024'],
    ['months below half a year', '2023-11-15', '2024-03-15', 'months', 1200, 'Dec Jan Feb Mar'],
  ] as const)('have %s: %s to %s by %s on %i px', (_, from, to, rule, width, expected) => {
    expect(ticks(from, to, rule, width).join(' ')).toBe(expected)
  })
  it('have years among months from one year to three of MSTR', () => {
    const named = ticks('2022-12-01', '2025-02-01', 'months', 600)
    expect(named).toEqual(expect.arrayContaining(['2023', '2024', '2025']))
  })
  it('have month and year above half a year of MSTR', () => {
    const named = ticks('2023-11-15', '2024-06-15', 'months')
    expect(named.slice(0, 3)).toEqual(['Dec 2023', 'Jan 2024', 'Feb 2024'])
  })
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

it.each([
  [0, '$0'],
  [0.06, '$0.06'],
  [5, '$5'],
  [950, '$950'],
  [12_000, '$12k'],
  [999_600, '$1M'],
  [1_500_000, '$1.5M'],
  [2_000_000, '$2M'],
  [12_400_000, '$12M'],
  [1_500_000_000, '$1.5B'],
  [-1_000, '-$1k'],
])('an axis labels %d as %s', (usd, label) => {
  expect(axisUsd(usd)).toBe(label)
})

it.each([
  [12_500, '$12.5k'],
  [25_000, '$25k'],
  [103_647, '$103.6k'],
  [0.0612, '$0.0612'],
])('keeps %d exact as %s', (usd, label) => {
  expect(shortUsd(usd)).toBe(label)
})
