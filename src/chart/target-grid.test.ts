import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { day } from '#domain/day.ts'
import { type OpenTarget } from './open-targets.ts'
import { makeScale, type ScaleKind, type Span } from './scale.ts'
import {
  bandText,
  cellAt,
  countTargets,
  periodText,
  targetGrid,
  targetsIn,
  wholeGrid,
} from './target-grid.ts'

const PLOT = { x: 50, y: 10, width: 900, height: 450 }

function gridOf(days: Span, prices: Span, kind: ScaleKind) {
  const time = makeScale('linear', days, [PLOT.x, PLOT.x + PLOT.width])
  const price = makeScale(kind, prices, [PLOT.y + PLOT.height, PLOT.y])
  return { grid: targetGrid({ time, price, days, prices, plot: PLOT }), time, price }
}

function target(days: Span, prices: Span, votes = 0, name = 'Expert A'): OpenTarget {
  return { name, votes, days, prices }
}

const YEAR_2027: Span = [day('2027-01-01'), day('2027-12-31')]
const MONTHS = { columns: [1, 2, 3, 4].map((month) => day(`2027-0${String(month)}-01`)) }

describe('weights of cells', () => {
  const grid = { ...MONTHS, rows: [100_000, 150_000, 200_000] }
  const cells = (...targets: OpenTarget[]) =>
    countTargets(targets, grid).map(({ days, prices, calls }) =>
      [periodText(days), bandText(prices), calls].join(' '),
    )
  const onDay = (text: string): Span => [day(text), day(text)]

  it.each([
    ['its lowest price', '2027-02-10', [150_000, 150_000], 'Feb 2027 $150k to $200k 1'],
    ['its first day', '2027-02-01', [120_000, 120_000], 'Feb 2027 $100k to $150k 1'],
    ['its last day', '2027-01-31', [120_000, 120_000], 'Jan 2027 $100k to $150k 1'],
    ['a range up to its upper edge', '2027-01-31', [11e4, 15e4], 'Jan 2027 $100k to $150k 1'],
  ] as const)('%s', (_, due, prices, cell) => {
    expect(cells(target(onDay(due), prices))).toEqual([cell])
  })

  it.each([
    ['above', onDay('2027-02-10'), [200_000, 200_000]],
    ['below', onDay('2027-02-10'), [99_999, 99_999]],
    ['before', onDay('2026-12-31'), [120_000, 120_000]],
    ['after', onDay('2027-04-01'), [120_000, 120_000]],
  ] as const)('nothing %s the grid', (_, days, prices) => {
    expect(cells(target(days, prices))).toEqual([])
  })

  it('include a month if a window ends on its first day', () => {
    const window: Span = [day('2027-01-15'), day('2027-02-01')]
    const [cell] = cells(target(window, [120_000, 120_000]))
    expect(cell).toBe('Jan 2027 to Feb 2027 $100k to $150k 1')
  })

  it('count a range in each row that it covers', () => {
    const found = cells(target(onDay('2027-01-31'), [110_000, 160_000]))
    expect(found).toEqual(['Jan 2027 $100k to $150k 1', 'Jan 2027 $150k to $200k 1'])
  })

  it('add up the sats of calls', () => {
    const both = [
      target(onDay('2027-01-10'), [120_000, 120_000], 21),
      target(onDay('2027-01-20'), [140_000, 140_000], 100),
    ]
    expect(countTargets(both, grid)).toMatchObject([{ calls: 2, votes: 121 }])
  })
})

describe('the grid of a view', () => {
  it.each([
    ['linear', [5e4, 25e4], '2026-01-01', '2028-01-01', 'Feb 2027 $150k to $160k'],
    ['log', [1e4, 1e6], '2024-01-01', '2034-01-01', 'Jan 2027 to Mar 2027 $150k to $200k'],
    ['log', [1, 1e8], '2010-01-01', '2060-01-01', '2027 $100k to $200k'],
    ['linear', [5e4, 25e4], '2026-12-15', '2027-06-01', '08/02/2027 to 14/02/2027 $150k to $160k'],
    ['log', [14e4, 16e4], '2027-02-01', '2027-03-01', '10/02/2027 $155k to $156k'],
  ] as const)('is of round cells: %s %o from %s to %s', (kind, prices, from, to, cell) => {
    const { grid } = gridOf([day(from), day(to)], prices, kind)
    const due = day('2027-02-10')
    const cells = countTargets([target([due, due], [155_000, 155_000])], grid)
    expect(cells.map((one) => `${periodText(one.days)} ${bandText(one.prices)}`)).toEqual([cell])
  })

  it('the cells cover any view, ascend, and are large enough to see', () => {
    fc.assert(
      fc.property(
        fc.constantFrom<ScaleKind>('linear', 'log'),
        fc.integer({ min: 15_000, max: 30_000 }),
        fc.double({ min: 5, max: 20_000, noNaN: true }),
        fc.double({ min: 0.0001, max: 1_000_000, noNaN: true }),
        fc.double({ min: 1.01, max: 10_000, noNaN: true }),
        (kind, from, length, low, times) => {
          const days: Span = [from, from + length]
          const prices: Span = [low, low * times]
          const { grid, time, price } = gridOf(days, prices, kind)
          for (const [edges, span, toPx] of [
            [grid.columns, days, time.toPx],
            [grid.rows, prices, price.toPx],
          ] as const) {
            // Edges are rounded to twelve digits.
            expect(edges[0]).toBeLessThanOrEqual(span[0] * (1 + 1e-11))
            expect(edges.at(-1)).toBeGreaterThanOrEqual(span[1] * (1 - 1e-11))
            const sizes = edges.slice(1).map((edge, i) => Math.abs(toPx(edge) - toPx(edges[i]!)))
            // The shortest month has 28 days.
            expect(Math.min(...sizes)).toBeGreaterThan(13)
          }
        },
      ),
    )
  })

  it('each cell counts its calls, and no call in view is missing', () => {
    const from = fc.integer({ min: 20_500, max: 22_500 })
    const low = fc.integer({ min: 20, max: 900 }).map((thousands) => thousands * 1_000)
    const call = fc
      .tuple(from, fc.nat(800), low, fc.constantFrom(0, 0, 30_000, 400_000))
      .map(([from, long, low, high]) => target([from, from + long], [low, low + high]))
    fc.assert(
      fc.property(
        fc.array(call, { maxLength: 30 }),
        fc.constantFrom<ScaleKind>('linear', 'log'),
        (targets, kind) => {
          const { grid } = gridOf([20_000, 24_000], [10_000, 2_000_000], kind)
          const cells = countTargets(targets, grid)
          for (const cell of cells) expect(targetsIn(targets, cell)).toHaveLength(cell.calls)
          const found = new Set(cells.flatMap((cell) => targetsIn(targets, cell)))
          expect(found.size).toBe(targets.length)
          for (const { days, prices } of targets) {
            expect(cellAt(cells, days[0], prices[0])).not.toBeNull()
          }
        },
      ),
    )
  })
})

it('a table contains all calls by year and price', () => {
  const targets = [
    target(YEAR_2027, [150_000, 150_000]),
    target([day('2045-12-31'), day('2045-12-31')], [3_000_000, 49_000_000]),
  ]
  const cells = countTargets(targets, wholeGrid(targets))
  const bands = ['$3M to $5M', '$5M to $7M', '$7M to $10M', '$10M to $15M', '$15M to $20M']
  const far = [...bands, '$20M to $30M', '$30M to $50M'].map((band) => `2045 ${band}`)
  const texts = cells.map(({ days, prices }) => `${periodText(days)} ${bandText(prices)}`)
  expect(texts).toEqual(['2027 $150k to $200k', ...far])
  expect(countTargets([], wholeGrid([]))).toEqual([])
})
