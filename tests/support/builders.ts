import { type AgreedBar } from '#domain/bar.ts'
import { day, type Day } from '#domain/day.ts'
import { type Claim, type Statement } from '#domain/prediction.ts'

/** A bar from `low..high>close` such as `90..110>100`, or a close alone. */
export function bar(date: string | Day, prices: string | number, source = 'test'): AgreedBar {
  const at = typeof date === 'string' ? day(date) : date
  const lone = { loneHigh: null, loneLow: null }
  if (typeof prices === 'number') {
    return { day: at, open: null, high: null, low: null, close: prices, source, ...lone }
  }
  const [low = NaN, high = NaN, close = NaN] = prices.split(/\.\.|>/).map(Number)
  return { day: at, open: close, high, low, close, source, ...lone }
}

/** Bars of consecutive days. */
export function barsFrom(first: string, prices: readonly (string | number)[]): AgreedBar[] {
  return prices.map((text, i) => bar((day(first) + i) as Day, text))
}

/** A Bitcoin statement said on the day before `2024-01-02`, good until the 10th unless told otherwise. */
export function statement(claim: Claim, given: Partial<Statement> = {}): Statement {
  return {
    asset: 'btc',
    claim,
    made: day('2024-01-01'),
    from: null,
    by: day('2024-01-10'),
    ...given,
  }
}
