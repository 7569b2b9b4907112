import { describe, expect, it } from 'vitest'
import { ASSETS, type AssetKey } from '#domain/asset.ts'
import { type Claim } from '#domain/claim/claim.ts'
import { day, type Day, addYears, isoDay } from '#domain/day.ts'
import { claimOf, target } from '#tests/support/builders.ts'
import { closes, closesBy, marksOf, predicted, seriesFrom, TODAY } from '#tests/support/charts.ts'
import { storedCases } from '#tests/support/stored-cases.ts'
import {
  chosenScale,
  fittedDomain,
  frameView,
  homeDomain,
  homeSpan,
  type LivePoint,
  limitsOf,
} from './axes.ts'
import { type ScaleKind, type Span } from './scale.ts'
import { EMPTY_SERIES } from './series.ts'

const BARS = [
  ...closes('2014-06-01', 500),
  ...closes('2016-06-01', 10_000, 110_000),
  ...closes('2026-11-19', 90_000),
]
const SERIES = seriesFrom(BARS)
const ALL: Span = [day('2014-01-01'), TODAY]

const domain = (asset: AssetKey, claims: Claim[], kind: ScaleKind = 'linear', series = SERIES) =>
  homeDomain({
    axis: ASSETS[asset].axis,
    kind,
    series,
    marks: marksOf(claims.map((claim) => predicted(claim))),
    days: ALL,
    live: null,
  }).map((usd) => Number(usd.toPrecision(9)))

it('axes span what is stored', () =>
  storedCases('axes', {
    'the days of a home window: asset, frame, a deadline': (asset, frame, due) => {
      const { axis } = ASSETS[asset as AssetKey]
      const spans = due === 'none' ? [] : [[day('2026-02-01'), day(due)] as const]
      const shown = frame === 'none' ? null : (frame as '1Y' | 'ALL')
      const span = homeSpan({ axis, frame: shown, series: SERIES, spans, today: TODAY })
      return span.map((at) => isoDay(at as Day)).join(' to ')
    },
    'the prices of a home window: asset, closes, claims, axis': (asset, prices, claims, kind) => {
      const named = claims === 'none' ? [] : claims.split(', ').map(claimOf)
      const own = prices === 'none' ? [] : closes('2026-01-01', ...prices.split(' ').map(Number))
      const series = prices === 'usual' ? SERIES : seriesFrom(own)
      return domain(asset as AssetKey, named, kind as ScaleKind, series)
    },
  }))

it('the home window opens with 70% past and two years ahead', () => {
  const spans = [[TODAY, day('2030-12-31')] as const]
  const question = { axis: ASSETS.btc.axis, frame: null, series: SERIES, spans, today: TODAY }
  const [from, to] = frameView(question, homeSpan(question))
  expect((TODAY - from) / (to - from)).toBeCloseTo(0.7)
  expect(to - TODAY).toBeCloseTo(730)
})

describe('the price axis', () => {
  it('pins one outlier instead of flattening the rest', () => {
    const many = Array.from({ length: 40 }, (_, i) => target(100_000 + i * 1_000))
    expect(domain('btc', [...many, target(49_000_000)])[1]).toBe(200_000)
    expect(domain('btc', [target(49_000_000)])[1]).toBeGreaterThan(49_000_000)
    expect(domain('btc', [...many, target(49_000_000)], 'log')[1]).toBeGreaterThan(49_000_000)
  })
})

describe('the price axis of a chosen view', () => {
  const week: Span = [day('2024-01-01'), day('2024-01-08')]
  const series = seriesFrom(closesBy('2023-12-01', 60, (i) => 1_000 + i * 10))
  const targets = (...levels: number[]) =>
    marksOf(
      levels.map((usd, i) => predicted(target(usd), [], { id: String(i), by: day('2024-01-05') })),
    )
  const fitted = (
    levels: number[],
    kind: ScaleKind = 'linear',
    days = week,
    live: LivePoint | null = null,
  ) => fittedDomain({ axis: ASSETS.btc.axis, kind, series, marks: targets(...levels), days, live })

  it('fits the price line of the days in view', () => {
    const [low, high] = fitted([])
    expect([low > 1_290 && low < 1_310, high > 1_380 && high < 1_400]).toEqual([true, true])
  })
  it('includes the live price on a day in view, including the first and last', () => {
    const live = (date: string) => ({ day: day(date), usd: 1_500 })
    const around = ['2023-12-31', '2024-01-01', '2024-01-08', '2024-01-09']
    const taken = around.filter((date) => fitted([], 'linear', week, live(date))[1] > 1_500)
    expect(taken).toEqual(['2024-01-01', '2024-01-08'])
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
    const [bottom, top] = fitted([], 'linear', [day('2023-01-01'), day('2023-01-08')])
    expect(top).toBeGreaterThan(bottom)
    const { axis } = ASSETS.btc
    const marks = marksOf(
      [1_000, 9_000].map((usd) => predicted(target(usd), [], { by: day('2030-01-05') })),
    )
    const days: Span = [day('2030-01-01'), day('2030-02-01')]
    const alone = (kind: ScaleKind) => fittedDomain({ axis, kind, series, marks, days, live: null })
    const [least, most] = alone('linear')
    expect(least).toBeLessThan(1_000)
    expect(most).toBeGreaterThan(9_000)
    const [low, high] = alone('log')
    expect(high / 9_000).toBeCloseTo(1_000 / low)
  })
  it('the chart chooses a log axis if the line would fill less than 15% of the height', () => {
    const { axis } = ASSETS.mstr
    const days: Span = [day('2023-12-01'), day('2024-02-01')]
    const choose = (levels: number[], of = series) =>
      chosenScale({ axis, series: of, marks: targets(...levels), days, live: null })
    expect([choose([]), choose([3_000]), choose([5_500])]).toEqual(['linear', 'linear', 'log'])
    expect(choose([5_500], EMPTY_SERIES)).toBe('linear')
  })
})

const RISING = closesBy('2014-06-01', 4_556, (i) => 500 + 20 * i)

/** Calls as `who made due`, all at an unreachable level. */
function opening(asset: AssetKey, ...calls: readonly string[]) {
  const predictions = calls.map((call, i) => {
    const [slug = '', made = '', by = ''] = call.split(' ')
    const expert = { id: i, name: slug, slug, handle: null }
    return predicted(target(1e6), RISING, { id: String(i), expert, made: day(made), by: day(by) })
  })
  const marks = marksOf(predictions)
  const series = seriesFrom(RISING)
  const question = { asset: ASSETS[asset], series, marks, live: null, today: TODAY, isPast: false }
  const [from, to] = limitsOf({ ...question, withTargets: false, scale: null }, null).opening
  return {
    has: (made: string, due: string) => from < day(made) && to > day(due),
    future: (to - TODAY) / (to - from),
    ends: to,
  }
}

const PENDING = ['a 2024-01-01 2027-06-30', 'b 2025-01-01 2031-12-31', 'c 2026-01-01 2045-12-31']
const MISSED = 'd 2021-01-01 2022-12-31'

it.each(['btc', 'mstr'] as const)(
  'open calls of %s open with all deadlines up to 2035 and half the view in the future',
  (asset) => {
    const { has, future, ends } = opening(asset, ...PENDING)
    expect(has('2025-01-01', '2035-12-30')).toBe(true)
    expect(ends).toBeLessThan(day('2037-01-01'))
    expect(future).toBeGreaterThanOrEqual(0.5)
  },
)

it('all open calls of one person are in view, half of it in the future', () => {
  const view = opening('btc', 'a 2020-07-01 2020-12-31', 'a 2026-01-01 2027-06-30')
  expect(view.has('2020-07-01', '2027-06-30')).toBe(true)
  expect(view.future).toBeGreaterThan(0.49)
  // A single call is shown whatever its deadline.
  expect(opening('btc', 'a 2024-01-01 2045-12-31').has('2024-01-01', '2045-12-31')).toBe(true)
})

it.each(['btc', 'mstr'] as const)(
  'calls of several people, some decided, leave the price of %s large',
  (asset) => {
    const { has, future } = opening(asset, ...PENDING, MISSED)
    expect(has('2021-01-01', '2022-12-31')).toBe(true)
    expect(future).toBeLessThanOrEqual(0.5)
  },
)

it.each([[MISSED], [MISSED, 'e 2021-01-01 2021-12-31']])(
  'a view of decided calls (%#) ends at least three months in the future',
  (...calls) => {
    for (const asset of ['btc', 'mstr'] as const) {
      expect(opening(asset, ...calls).ends).toBeGreaterThanOrEqual(TODAY + 91)
      expect(opening(asset, ...calls).ends).toBeLessThan(addYears(TODAY, 3))
    }
  },
)
