import { describe, expect, it } from 'vitest'
import { ASSETS, type AssetKey } from '#domain/asset.ts'
import { type Claim } from '#domain/claim/claim.ts'
import { day } from '#domain/day.ts'
import {
  chosenScale,
  fittedDomain,
  frameView,
  homeDomain,
  homeSpan,
  type LivePoint,
} from './axes.ts'
import { makeMarks } from './marks.ts'
import { type ScaleKind, type Span } from './scale.ts'
import { EMPTY_SERIES } from './series.ts'
import { closes, predicted, seriesFrom } from '#tests/support/charts.ts'

const TODAY = day('2026-11-20')
const LAST = day('2026-11-19')
const BARS = [
  ...closes('2014-06-01', 500),
  ...closes('2016-06-01', 10_000, 110_000),
  ...closes('2026-11-19', 90_000),
]
const SERIES = seriesFrom(BARS)
const ALL: Span = [day('2014-01-01'), TODAY]

describe('the home window', () => {
  const home = (asset: AssetKey, ends: string[], frame: '1Y' | 'ALL' | null = null) =>
    homeSpan({
      axis: ASSETS[asset].axis,
      frame,
      series: SERIES,
      spans: ends.map((due) => [day('2026-02-01'), day(due)]),
      today: TODAY,
    })

  it.each([
    ['BTC without predictions', home('btc', []), [day('2015-01-01'), LAST + 540]],
    [
      'BTC with a far deadline',
      home('btc', ['2030-12-31']),
      [day('2015-01-01'), day('2030-12-31') + 360],
    ],
    [
      'BTC with a deadline in the year 9999',
      home('btc', ['9999-12-31']),
      [day('2015-01-01'), day('2056-11-20')],
    ],
    ['BTC with past deadlines only', home('btc', ['2018-12-31']), [day('2015-01-01'), LAST + 540]],
    ['BTC in one year', home('btc', [], '1Y'), [day('2025-11-20'), LAST + 540]],
    ['MSTR without predictions', home('mstr', []), [day('2026-01-01'), LAST + 180]],
    [
      'MSTR with a deadline',
      home('mstr', ['2027-12-31']),
      [day('2026-01-01'), day('2027-12-31') + 90],
    ],
    [
      'MSTR with a past deadline',
      home('mstr', ['2026-01-31']),
      [day('2026-01-01'), day('2026-12-31')],
    ],
    ['all of MSTR', home('mstr', [], 'ALL'), [day('2019-01-01'), LAST + 180]],
  ])('is that of %s', (_name, actual, expected) => {
    expect(actual).toEqual(expected)
  })

  it('opens with 70% past and two years ahead', () => {
    const question = {
      axis: ASSETS.btc.axis,
      frame: null,
      series: SERIES,
      spans: [[TODAY, day('2030-12-31')] as const],
      today: TODAY,
    }
    const [from, to] = frameView(question, homeSpan(question))
    expect((TODAY - from) / (to - from)).toBeCloseTo(0.7)
    expect(to - TODAY).toBeCloseTo(730)
  })
})

describe('the price axis', () => {
  const domain = (asset: AssetKey, claims: Claim[], kind: ScaleKind = 'linear', series = SERIES) =>
    homeDomain({
      axis: ASSETS[asset].axis,
      kind,
      series,
      marks: makeMarks(
        claims.map((claim) => predicted(claim)),
        'touch',
        TODAY,
      ).marks,
      days: ALL,
      live: null,
    }).map((usd) => Number(usd.toPrecision(9)))

  const target = (usd: number): Claim => ({ type: 'target', usd })
  it.each([
    ['BTC reaches 200,000', domain('btc', []), [-1_000, 200_000]],
    ['BTC keeps 200,000 for 150,000', domain('btc', [target(150_000)]), [-1_000, 200_000]],
    ['BTC reaches 400,000 above 300,000', domain('btc', [target(310_000)]), [-1_000, 400_000]],
    ['BTC pads above that', domain('btc', [target(500_000)]), [-1_000, 500_000 + 499_500 * 0.15]],
    ['BTC reaches 1,500,000 at a million', domain('btc', [target(1_000_000)]), [-1_000, 1_500_000]],
    ['BTC never starts below -1,000', domain('btc', [target(-50_000)]), [-1_000, 200_000]],
    [
      'MSTR pads by 15%',
      domain('mstr', [], 'linear', seriesFrom(closes('2026-01-01', 100, 300))),
      [70, 330],
    ],
    [
      'MSTR pads by $10 at least',
      domain('mstr', [], 'linear', seriesFrom(closes('2026-01-01', 100))),
      [90, 110],
    ],
    [
      'MSTR starts at 0',
      domain('mstr', [], 'linear', seriesFrom(closes('2026-01-01', 5, 300))),
      [0, 344.25],
    ],
    [
      'MSTR goes below 0 for a prediction there',
      domain('mstr', [target(-20)], 'linear', seriesFrom(closes('2026-01-01', 100))),
      [-38, 118],
    ],
    [
      'a log axis starts below the least price',
      domain('btc', [], 'log'),
      [500 / 1.5, 200_000].map((usd) => Number(usd.toPrecision(9))),
    ],
    [
      'a log axis ignores what is not above zero',
      domain('btc', [target(-1_000)], 'log'),
      [333.333333, 200_000],
    ],
    ['an empty chart has an axis', domain('btc', [], 'linear', EMPTY_SERIES), [0, 200_000]],
    ['an empty chart of cents has one', domain('naka', [], 'linear', EMPTY_SERIES), [0, 1]],
  ])('fits %s', (_name, actual, expected) => {
    expect(actual).toEqual(expected)
  })

  it('pins one outlier instead of flattening the rest', () => {
    const many = Array.from({ length: 40 }, (_, i) => target(100_000 + i * 1_000))
    expect(domain('btc', [...many, target(49_000_000)])[1]).toBe(200_000)
    expect(domain('btc', [target(49_000_000)])[1]).toBeGreaterThan(49_000_000)
    expect(domain('btc', [...many, target(49_000_000)], 'log')[1]).toBeGreaterThan(49_000_000)
  })
})

describe('the price axis of a chosen view', () => {
  const week: Span = [day('2024-01-01'), day('2024-01-08')]
  const series = seriesFrom(
    closes('2023-12-01', ...Array.from({ length: 60 }, (_, i) => 1_000 + i * 10)),
  )
  const targets = (...levels: number[]) =>
    makeMarks(
      levels.map((usd, i) =>
        predicted({ type: 'target', usd }, [], { id: String(i), by: day('2024-01-05') }),
      ),
      'touch',
      TODAY,
    ).marks
  const fitted = (
    levels: number[],
    kind: ScaleKind = 'linear',
    days = week,
    live: LivePoint | null = null,
  ) =>
    fittedDomain({
      axis: ASSETS.btc.axis,
      kind,
      series,
      marks: targets(...levels),
      days,
      live,
    })

  it('fits the price line of the days in view', () => {
    const [low, high] = fitted([])
    expect(low).toBeLessThan(1_310)
    expect(low).toBeGreaterThan(1_290)
    expect(high).toBeGreaterThan(1_380)
    expect(high).toBeLessThan(1_400)
  })
  it('includes the live price on a day in view, including the first and last', () => {
    const isTaken = (date: string) =>
      fitted([], 'linear', week, { day: day(date), usd: 1_500 })[1] > 1_500
    expect(['2023-12-31', '2024-01-01', '2024-01-08', '2024-01-09'].map(isTaken)).toEqual([
      false,
      true,
      true,
      false,
    ])
  })
  it.each(['linear', 'log'] as const)('includes a level near the line on a %s axis', (kind) => {
    expect(fitted([1_440], kind)[1]).toBeGreaterThan(1_440)
    expect(fitted([1_285], kind)[0]).toBeLessThan(1_285)
  })
  it.each(['linear', 'log'] as const)(
    'leaves the line a fifth of a %s axis, and more in a view of weeks',
    (kind) => {
      const part = ([low, high]: Span, of: Span): number =>
        kind === 'log'
          ? Math.log(of[1] / of[0]) / Math.log(high / low)
          : (of[1] - of[0]) / (high - low)
      expect(fitted([1_000_000, 1], kind)).toEqual(fitted([], kind))
      expect(part(fitted([1_449, 1_276], kind), [1_310, 1_380])).toBeGreaterThan(0.3)
      expect(fitted([1_500], kind)).toEqual(fitted([], kind))
      const months: Span = [day('2023-12-01'), day('2024-02-15')]
      expect(fitted([3_000], kind, months)[1]).toBeGreaterThan(3_000)
      expect(part(fitted([3_300, 500], kind, months), [1_000, 1_590])).toBeGreaterThan(0.15)
    },
  )
  it('shows levels without any prices, and a default price with neither', () => {
    const later: Span = [day('2023-01-01'), day('2023-01-08')]
    const [low, high] = fitted([], 'linear', later)
    expect(high).toBeGreaterThan(low)
    const ahead = makeMarks(
      [predicted({ type: 'target', usd: 5_000 }, [], { by: day('2030-01-05') })],
      'touch',
      TODAY,
    ).marks
    const view: Span = [day('2030-01-01'), day('2030-02-01')]
    const visible = fittedDomain({
      axis: ASSETS.btc.axis,
      kind: 'linear',
      series,
      marks: ahead,
      days: view,
      live: null,
    })
    expect(visible[0]).toBeLessThan(5_000)
    expect(visible[1]).toBeGreaterThan(5_000)
  })
  it('the chart chooses a log axis if the line would fill less than 15% of the height', () => {
    const choose = (levels: number[]) =>
      chosenScale({
        axis: ASSETS.mstr.axis,
        series,
        marks: targets(...levels),
        days: [day('2023-12-01'), day('2024-02-01')],
        live: null,
      })
    expect(choose([])).toBe('linear')
    expect(choose([3_000])).toBe('linear')
    expect(choose([5_500])).toBe('log')
    expect(
      chosenScale({
        axis: ASSETS.mstr.axis,
        series: EMPTY_SERIES,
        marks: targets(5_500),
        days: week,
        live: null,
      }),
    ).toBe('linear')
  })
})
