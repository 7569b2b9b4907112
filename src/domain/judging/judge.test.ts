import { describe, expect, it } from 'vitest'
import { scaleClaim, type Claim } from '#domain/claim/claim.ts'
import { type Statement } from '#domain/claim/prediction.ts'
import { day, isoDay, type Day } from '#domain/day.ts'
import {
  bar,
  barsFrom,
  statement,
  TEN_DAYS,
  atLeast,
  bottom,
  range,
  target,
  top,
} from '#tests/support/builders.ts'
import { agree, type AgreedBar, splitFactor } from './bar.ts'
import { judge } from './judge.ts'
import { seriesOf } from './series.ts'
import { type Verdict } from './verdict.ts'

const LATER = day('2026-11-20')

function judged(
  bars: readonly AgreedBar[],
  claim: Claim,
  overrides: Partial<Statement> = {},
): Verdict {
  return judge(seriesOf('every-day', bars), statement(claim, overrides), 'touch', LATER)
}

function summaryOf(verdict: Verdict): string {
  const on = verdict.day === null ? '-' : isoDay(verdict.day)
  return `${verdict.outcome} ${verdict.reason} ${on}`
}

/** Said on the 1st, at 100; the window is the 2nd to the 10th. */
const RISES = TEN_DAYS.with(3, bar('2024-01-04', '105..121>108'))

describe('rule set 2', () => {
  const cases: readonly [string, Claim, string][] = [
    ['a target above is hit by the first high at it', target(119), 'hit reached 2024-01-03'],
    ['a price on the day it was said proves nothing', target(125), 'miss not-reached 2024-01-10'],
    ['a target below is hit by the first low at it', target(95), 'hit reached 2024-01-02'],
    ['a target equal to the price is already true', target(100), 'void already-true 2024-01-01'],
    ['a range is hit by the first bar that enters it', range(120, 140), 'hit reached 2024-01-04'],
    ['a range not entered is a miss', range(122, 140), 'miss not-reached 2024-01-10'],
    ['inside a range the last close decides: in', range(99, 106), 'hit closed-inside 2024-01-10'],
    ['a last close outside it is a miss', range(90, 104), 'miss closed-outside 2024-01-10'],
    ['a last close at its upper end is inside it', range(99, 105), 'hit closed-inside 2024-01-10'],
    ['a minimum is hit by the first high at it', atLeast(121), 'hit reached 2024-01-04'],
    ['the last close decides a passed minimum', atLeast(100), 'hit closed-inside 2024-01-10'],
    ['a top is missed by the first high above it', top(120), 'miss broken 2024-01-04'],
    ['a top reached exactly still holds', top(121), 'hit held 2024-01-10'],
    ['a top below the price is already broken', top(99), 'void already-broken 2024-01-01'],
    ['a bottom is missed by the first low below it', bottom(96), 'miss broken 2024-01-02'],
    ['a bottom reached exactly still holds', bottom(95), 'hit held 2024-01-10'],
    ['a bottom above the price is already broken', bottom(101), 'void already-broken 2024-01-01'],
  ]
  it.each(cases)('judges %s', (_, claim, expected) =>
    expect(summaryOf(judged(RISES, claim))).toBe(expected),
  )

  it('counts from a start that is later than the day after', () => {
    const from = day('2024-01-04')
    expect(summaryOf(judged(RISES, target(119), { from }))).toBe('hit reached 2024-01-04')
    const early = judged(RISES, target(119), { from: day('2023-12-01') })
    expect(early.window.from).toBe(day('2024-01-02'))
  })

  it('assumes the direction up, and says so, without a price from before the statement', () => {
    const verdict = judged(RISES, target(119), { made: day('2023-12-31') })
    expect(verdict.reference).toBeNull()
    expect(summaryOf(verdict)).toBe('hit reached 2024-01-01')
  })

  it('waits until the reference price is final', () => {
    const verdict = judged(RISES.slice(0, 3), target(110), { made: day('2024-01-05') })
    expect(summaryOf(verdict)).toBe('pending awaiting-prices -')
  })

  it('waits while a bar between the reference and the statement is missing', () => {
    const gap = [...barsFrom('2023-12-20', [50]), ...RISES.slice(1)]
    expect(summaryOf(judged(gap, target(80)))).toBe('pending awaiting-prices -')
    expect(summaryOf(judged(gap, top(60)))).toBe('pending awaiting-prices -')
  })

  it('needs the session after an overnight jump across a whole range', () => {
    const bars = barsFrom('2024-01-01', ['90..110>100', '150..160>155', '118..152>119', 119])
    expect(summaryOf(judged(bars, range(120, 140)))).toBe('hit reached 2024-01-03')
  })

  it('lets a bar that is still moving prove a touch, but no miss', () => {
    const bars = barsFrom('2024-01-01', ['90..110>100', '90..130>100'])
    const series = seriesOf('every-day', bars, day('2024-01-01'))
    const at = (claim: Claim, mode: 'touch' | 'close'): string =>
      summaryOf(judge(series, statement(claim, { by: day('2024-01-02') }), mode, day('2024-01-02')))
    expect(at(target(130), 'touch')).toBe('hit reached 2024-01-02')
    expect(at(target(140), 'touch')).toBe('pending open -')
    expect(at(top(120), 'touch')).toBe('pending open -')
    expect(at(atLeast(100), 'close')).toBe('pending open -')
  })
})

describe('two sources', () => {
  const day2 = day('2024-01-02')
  const one = bar(day2, '95..140>100', 'a')
  const two = bar(day2, '90..120>101', 'b')

  it('agree on prices that both saw', () => {
    const prices = { high: 120, low: 95, close: 100, loneHigh: 140, loneLow: 90 }
    expect(agree([one, two])).toMatchObject({ ...prices, source: 'a + b' })
  })

  it('let no single venue decide, but record its price', () => {
    const bars = [bar('2024-01-01', 100), agree([one, two])]
    const by = day2
    const verdict = judged(bars, target(130), { by })
    expect(summaryOf(verdict)).toBe('miss not-reached 2024-01-02')
    expect(verdict.unconfirmed).toEqual({ day: day2, usd: 140 })
    expect(summaryOf(judged(bars, bottom(92), { by }))).toBe('hit held 2024-01-02')
    const hit = judged(bars, target(120), { by })
    expect(summaryOf(hit)).toBe('hit reached 2024-01-02')
    // A lone price on the deciding day is not an earlier one.
    expect(hit.unconfirmed).toBeNull()
    // A prediction decided before it was said shows no lone price.
    expect(judged(bars, top(90), { by })).toMatchObject({ outcome: 'void', unconfirmed: null })
  })

  it('put closes behind highs and lows', () => {
    expect(agree([bar(day2, 150), one])).toMatchObject({ high: 140, source: 'a' })
  })

  it('keep the close within their common range', () => {
    const [low, lower] = [bar(day2, '90..120>119', 'a'), bar(day2, '90..110>100', 'b')]
    expect(agree([low, lower])).toMatchObject({ high: 110, close: 110 })
  })

  it('with three sources, the median close counts', () => {
    const [a, b] = [bar(day2, '90..120>119', 'a'), bar(day2, '90..120>100', 'b')]
    const c = bar(day2, '90..110>99', 'c')
    for (const agreed of [agree([a, b, c]), agree([c, b, a])])
      expect(agreed).toMatchObject({ open: 100, close: 100 })
  })
})

it('a level is adjusted only for later splits', () => {
  const before: Day = day('2024-08-07')
  expect(splitFactor('mstr', before)).toBe(10)
  expect(splitFactor('mstr', day('2024-08-08'))).toBe(1)
  expect(splitFactor('btc', before)).toBe(1)
  expect(scaleClaim(target(1_800), 1 / 10)).toEqual(target(180))
})
