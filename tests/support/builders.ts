import { ASSETS } from '#domain/asset.ts'
import { type Claim, type ClaimType, makeClaim, type Terms } from '#domain/claim/claim.ts'
import { type Prediction, type Statement } from '#domain/claim/prediction.ts'
import { day, isoDay, type Day } from '#domain/day.ts'
import { type AgreedBar } from '#domain/judging/bar.ts'
import { judge } from '#domain/judging/judge.ts'
import { seriesOf } from '#domain/judging/series.ts'
import { type JudgeMode, type Verdict } from '#domain/judging/verdict.ts'
import { type DailySource } from '#server/prices/ports.ts'

/** A bar from `low..high>close` such as `90..110>100`, or only a close. */
export function bar(date: string | Day, prices: string | number, source = 'test'): AgreedBar {
  const at = typeof date === 'string' ? day(date) : date
  const lone = { loneHigh: null, loneLow: null }
  if (typeof prices === 'number') {
    return { day: at, open: null, high: null, low: null, close: prices, source, ...lone }
  }
  const [low = NaN, high = NaN, close = NaN] = prices.split(/\.\.|>/).map(Number)
  return { day: at, open: close, high, low, close, source, ...lone }
}

export function barsFrom(first: string, prices: readonly (string | number)[]): AgreedBar[] {
  return prices.map((text, i) => bar((day(first) + i) as Day, text))
}

/** Quiet days from one day to another, inclusive. */
export function quiet(from: string, to: string, price = '95..105>100'): AgreedBar[] {
  return barsFrom(from, Array<string>(day(to) - day(from) + 1).fill(price))
}

/** Ten days from a call at 100 on: the second reaches down to 95, the third up to 119. */
export const TEN_DAYS = barsFrom('2024-01-01', [
  '90..130>100',
  '95..105>102',
  '101..119>110',
  ...Array<string>(7).fill('100..110>105'),
])

/** A source of daily bars, by default of Bitcoin from Bitstamp. */
export function dailySource(
  overrides: Partial<DailySource> & Pick<DailySource, 'daily'>,
): DailySource {
  return {
    name: 'bitstamp',
    title: 'Bitstamp',
    asset: 'btc',
    isOfficial: true,
    isFull: true,
    firstDay: day('2011-08-18'),
    reachDays: null,
    pageDays: 100,
    pauseMs: 1,
    refreshMs: 120_000,
    ...overrides,
  }
}

/** A Bitcoin statement made the day before `2024-01-02`, due on the 10th by default. */
export function statement(claim: Claim, overrides: Partial<Statement> = {}): Statement {
  return {
    asset: 'btc',
    claim,
    made: day('2024-01-01'),
    from: null,
    by: day('2024-01-10'),
    ...overrides,
  }
}

/** A published prediction by Expert A, made of a statement. */
export function published(
  stated: Statement,
  verdicts: Prediction['verdicts'],
  overrides: Partial<Prediction> = {},
): Prediction {
  return {
    ...stated,
    id: 'a',
    expert: { id: 1, name: 'Expert A', slug: 'expert-a', handle: null },
    statedClaim: stated.claim,
    splitFactor: 1,
    madePrecision: 'day',
    byPrecision: 'day',
    deadlineAssumed: false,
    summary: '',
    sources: [],
    voteScore: 0,
    createdAt: '2024-01-01T00:00:00Z',
    chartValue: null,
    excludeFromChart: false,
    verdicts,
    ...overrides,
  }
}

/** A published prediction judged by the real rules over these bars, on a day. */
export function judgedOn(
  today: string,
  bars: readonly AgreedBar[],
  stated: Statement,
  overrides: Partial<Prediction> = {},
): Prediction {
  const series = seriesOf(ASSETS[stated.asset].calendar, bars)
  const by = (mode: JudgeMode) => judge(series, stated, mode, day(today))
  return published(stated, { touch: by('touch'), close: by('close') }, overrides)
}

/** An open verdict by intraday prices. */
export function openVerdict(overrides: Partial<Verdict> = {}): Verdict {
  return {
    outcome: 'pending',
    mode: 'touch',
    rule: 1,
    reason: 'open',
    day: null,
    level: { min: 1, max: 1 },
    direction: 'up',
    reference: null,
    window: { from: day('2024-01-02'), to: day('2025-12-31') },
    bar: null,
    nearest: null,
    unconfirmed: null,
    closeOnly: false,
    someClosesOnly: false,
    ...overrides,
  }
}

/** An entry of an import file; by default a Bitcoin target of $150 by Expert A. */
export function entry(id: string, overrides: Readonly<Record<string, unknown>> = {}): object {
  return {
    id,
    expert_name: 'Expert A',
    asset_type: 'btc',
    prediction_type: 'target',
    price_target: 150,
    price_min: null,
    price_max: null,
    prediction_made: '2024-01-01',
    target_time: '2024-01-10',
    summary: 'Said so.',
    source_url: 'https://example.org/source',
    ...overrides,
  }
}

/** A price file of closes on consecutive days. */
export function closesFile(first: string, closes: readonly number[]): string {
  const rows = closes.map((close, i) => `${isoDay((day(first) + i) as Day)},${String(close)}`)
  return `date,close\n${rows.join('\n')}\n`
}

export const target = (usd: number): Claim => ({ type: 'target', usd })
export const range = (min: number, max: number): Claim => ({ type: 'range', min, max })
export const atLeast = (usd: number): Claim => ({ type: 'by-date', usd })
export const top = (usd: number): Claim => ({ type: 'top', usd })
export const bottom = (usd: number): Claim => ({ type: 'bottom', usd })

/** A claim in words, such as `target 150000 at_end up` or `range 80 120 throughout`. */
export function claimOf(words: string): Claim {
  const [type, ...rest] = words.split(' ')
  const [min = NaN, max = min] = rest.map(Number).filter((usd) => !Number.isNaN(usd))
  const terms = {
    timing: rest.find((word) => /^(?:by|at_end|throughout)$/.test(word)),
    direction: rest.find((word) => /^(?:up|down)$/.test(word)),
  }
  return makeClaim(type as ClaimType, { min, max }, terms as Terms)
}
