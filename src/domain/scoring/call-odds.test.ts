import { expect, it } from 'vitest'
import { type AssetKey } from '#domain/asset.ts'
import { type Claim } from '#domain/claim/claim.ts'
import { type Prediction } from '#domain/claim/prediction.ts'
import { type Day, day } from '#domain/day.ts'
import { judge } from '#domain/judging/judge.ts'
import { seriesOf } from '#domain/judging/series.ts'
import { type JudgeMode } from '#domain/judging/verdict.ts'
import {
  atLeast,
  bottom,
  published,
  range,
  statement,
  target,
  top,
  barsFrom,
} from '#tests/support/builders.ts'
import { at, BARS, call, scores } from '#tests/support/scores.ts'
import { oddsOf, fanOf } from './call-odds.ts'
import { leftText, luckText, chanceText, wayToGoSentence, wayToGoText } from './odds-text.ts'
import { priceHistory } from './price-history.ts'

type Dates = { readonly from?: Day; readonly by?: Day }

/** Odds on a given day for a call made on day 200, and the call as published with them. */
function calledOn(asOf: Day, claim: Claim, dates: Dates = {}, mode: JudgeMode = 'touch') {
  const history = priceHistory('btc', BARS, asOf)
  const stated = statement(claim, { made: at(200), by: at(300), ...dates })
  const verdict = judge(history.series, stated, mode, asOf)
  const odds = oddsOf({ btc: history }, history, stated, verdict, mode)
  const verdicts = { touch: verdict, close: verdict }
  return { odds, call: published(stated, verdicts, { odds: { touch: odds, close: odds } }) }
}

const oddsOn = (...of: Parameters<typeof calledOn>) => calledOn(...of).odds
const openOn = (asOf: Day, claim: Claim) => calledOn(asOf, claim).call

const UP = target(150)

it('the odds of a call equal its luck in the scores on any day', () => {
  for (const mode of ['touch', 'close'] as const) {
    const [scored] = scores([call()], { mode }).people.flatMap(({ calls }) => calls)
    expect(scored?.luck).toBeGreaterThan(0)
    for (const asOf of [at(200), at(250), at(300), at(729)]) {
      expect(oddsOn(asOf, UP, {}, mode).luck).toBe(scored?.luck)
    }
  }
})

it('the remaining distance of an open call counts from the last close', () => {
  const { left } = oddsOn(at(250), UP)
  // Closes are 100 on even days, 102 on odd ones.
  expect(left).toMatchObject({ day: at(250), usd: 100, change: 0.5, days: 50 })
  expect(left?.chance).toBeLessThan(oddsOn(at(220), UP).left?.chance ?? 0)
  expect(oddsOn(at(299), UP).left).toMatchObject({ days: 1, chance: 0.001 })
})

it('a decided call, or one without prices, has no remaining distance', () => {
  expect(oddsOn(at(300), UP).left).toBeNull()
  expect(oddsOn(at(729), UP, { by: at(728) }).left).toBeNull()
  const none = { luck: null, noLuck: 'void', motion: null, left: null }
  expect(oddsOn(at(200), target(100))).toEqual(none)
})

const plain = (text: string | null): string => (text ?? '').replaceAll('\u00a0', ' ')

it.each<[string, Claim, number]>([
  ['a level above', target(150), 0.5],
  ['a level below', target(80), -0.2],
  ['a range above, to its near edge', range(120, 140), 0.2],
  ['a range below, to its near edge', range(60, 75), -0.25],
  ['a range around the price', range(90, 120), 0],
  ['a minimum below the price', atLeast(90), 0],
  ['a ceiling, how much it may rise', top(130), 0.3],
  ['a floor, how much it may fall', bottom(60), -0.4],
])('the remaining distance of %s', (_, claim, change) => {
  expect(oddsOn(at(250), claim).left?.change).toBeCloseTo(change, 12)
})

it('a call whose window begins later may already be there', () => {
  const { left } = oddsOn(at(725), UP, { from: at(740), by: at(800) })
  expect(left).toMatchObject({ usd: 150, change: 0, days: 75 })
  expect(left?.chance).toBeGreaterThan(0.5)
  expect(left?.chance).toBeLessThan(0.999)
})

it.each([
  [0.001, '<1%, less than 1 in 1,000'],
  [0.12, '12%, 1 in 8'],
  [0.0012, '<1%, 1 in 833'],
  [0.4, '40%, 1 in 2.5'],
  [0.5, '50%, 1 in 2'],
  [0.6, '60%'],
  [0.999, '>99%'],
])('a chance of %d is shown as %s', (chance, text) => {
  expect(plain(chanceText(chance))).toBe(`Its chance was ${text}`)
})

it.each<[string, Claim, string]>([
  ['a level above', target(150), 'Needs +50% in 50 days · <1% chance'],
  ['a level below', target(95.5), 'Needs −4.5% in 50 days · 68% chance'],
  ['a level far above', target(1_200), 'Needs ×12 in 50 days · <1% chance'],
  ['a range around the price', range(90, 120), 'There now, 50 days to go ·'],
  ['a ceiling', top(130), 'At most +30% for 50 days · 95% chance'],
  ['a floor', bottom(60), 'At most −40% for 50 days · >99% chance'],
])('the remaining distance of %s in a sentence', (_, claim, text) => {
  const open = openOn(at(250), claim)
  expect(plain(wayToGoText(open, 'touch', at(250)))).toContain(text)
  expect(plain(wayToGoSentence(open, 'touch'))).toMatch(/, from \$100 on 08\/09\/2022\.$/)
})

it.each<[string, Claim, string]>([
  ['a level above', target(150), '+50% to go'],
  ['a range around the price', range(90, 120), 'there now'],
  ['a ceiling', top(130), 'at most +30%'],
])('the remaining distance of %s in a few words', (_, claim, text) => {
  expect(leftText(openOn(at(250), claim), 'touch', at(254))).toBe(text)
  const old = text === 'there now' ? 'there on 08/09/2022' : `${text} from 08/09/2022`
  expect(leftText(openOn(at(250), claim), 'touch', at(255))).toBe(old)
})

it('the words for the remaining distance name the day of old prices', () => {
  const open = openOn(at(250), UP)
  expect(wayToGoText(open, 'touch', at(254))).toContain('in 50 days ·')
  expect(wayToGoText(open, 'touch', at(255))).toMatch(/^\+50% to go from 08\/09\/2022 ·/)
})

it('a call that cannot be compared with luck says why', () => {
  expect(luckText(openOn(at(250), target(120)), 'touch')).toMatch(/^Its chance was /)
  expect(luckText(openOn(at(250), target(100)), 'touch')).toMatch(/^It is void/)
})

const LEVEL_BARS = barsFrom('2023-12-29', [100, 100, 100, 100])

/** A call of a year, made at $100 on 01/01/2024. */
function made(
  motion: { sigma: number; drift: number } | null,
  asset: AssetKey = 'btc',
): Prediction {
  const stated = statement(target(150), { asset, by: day('2024-12-31') })
  const verdict = judge(seriesOf('every-day', LEVEL_BARS), stated, 'touch', day('2024-01-01'))
  const one = { luck: 0.5, noLuck: null, motion, left: null }
  return published(stated, { touch: verdict, close: verdict }, { odds: { touch: one, close: one } })
}

it('the fan begins at the price when it was made and ends where luck puts it at the deadline', () => {
  const fan = fanOf(made({ sigma: 0.6, drift: 0.1 }), 'touch') ?? []
  expect(fan[0]).toEqual({ day: day('2024-01-01'), half: [100, 100], most: [100, 100] })
  expect(fan.at(-1)?.day).toBe(day('2024-12-31'))
  // e^(0.1 ± z × 0.6) after 365 days.
  expect(fan.at(-1)?.half[0]).toBeCloseTo(73.73, 1)
  expect(fan.at(-1)?.half[1]).toBeCloseTo(165.65, 1)
  expect(fan.at(-1)?.most[0]).toBeCloseTo(41.19, 1)
  expect(fan.at(-1)?.most[1]).toBeCloseTo(296.55, 1)
  const days = fan.map((one) => one.day)
  expect(days).toEqual([...new Set(days)].toSorted((a, b) => a - b))
})

it('the fan of a stock spreads on trading days only', () => {
  const fan = fanOf(made({ sigma: 0.6, drift: 0 }, 'mstr'), 'touch') ?? []
  // 252 sessions were left of 2024: one year.
  expect(fan.at(-1)?.most[1]).toBeCloseTo(100 * Math.exp(1.6449 * 0.6), 6)
})

it('a call without luck has no fan', () => {
  expect(fanOf(made(null), 'touch')).toBeNull()
})
