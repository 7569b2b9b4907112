import { type AgreedBar } from '#domain/judging/bar.ts'
import { addDays, day, type Day } from '#domain/day.ts'
import { judge } from '#domain/judging/judge.ts'
import { type Prediction } from '#domain/claim/prediction.ts'
import { type Claim } from '#domain/claim/claim.ts'
import { seriesOf } from '#domain/judging/series.ts'
import { makeSeries, type Series } from '#chart/series.ts'

export function closes(first: string, ...prices: readonly number[]): AgreedBar[] {
  return prices.map((close, i) => ({
    day: addDays(day(first), i),
    open: null,
    high: null,
    low: null,
    close,
    source: 'test',
    loneHigh: null,
    loneLow: null,
  }))
}

export function seriesFrom(bars: readonly AgreedBar[], today: Day = day('2026-11-20')): Series {
  return makeSeries(
    { days: bars.map((bar) => bar.day), closes: bars.map((bar) => bar.close) },
    today,
  ).series
}

/** A prediction judged by the real rules over these bars, for tests; made 2024-01-01, due 2024-01-10. */
export function predicted(
  claim: Claim,
  bars: readonly AgreedBar[] = [],
  overrides: Partial<Prediction> = {},
): Prediction {
  const statement = {
    asset: 'btc',
    claim,
    made: day('2024-01-01'),
    from: null,
    by: day('2024-01-10'),
    ...overrides,
  } as const
  const series = seriesOf('every-day', bars)
  const today = day('2026-11-20')
  return {
    id: 'p1',
    expert: { id: 1, name: 'Ann Ode', slug: 'ann-ode', handle: null },
    statedClaim: claim,
    splitFactor: 1,
    madePrecision: 'day',
    byPrecision: 'day',
    deadlineAssumed: false,
    summary: '',
    sources: [],
    voteScore: 0,
    createdAt: '2024-01-01',
    chartValue: null,
    excludeFromChart: false,
    verdicts: {
      touch: judge(series, statement, 'touch', today),
      close: judge(series, statement, 'close', today),
    },
    ...statement,
  }
}
