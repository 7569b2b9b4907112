import fc from 'fast-check'
import { expect, it } from 'vitest'
import { addDays, day, type Day } from '#domain/day.ts'
import { bar, barsFrom, judgedOn, statement, target } from '#tests/support/builders.ts'
import { barsAsOf, predictionAsOf } from './as-of.ts'
import { type CorporateAction } from './bar.ts'
import { setByHand } from './same-verdict.ts'
import { seriesOf } from './series.ts'
import { JUDGE_MODES, type Outcome } from './verdict.ts'

const BARS = barsFrom('2024-01-01', ['95..105>100', '96..110>108', '100..155>120', 130, 90, 85])
const SAID = statement(target(150), { by: day('2024-01-06') })

const now = (stated = SAID, bars = BARS) => judgedOn('2024-02-01', bars, stated)

function asOf(date: string, one = now(), isPinned = false) {
  const then = day(date)
  const series = seriesOf('every-day', barsAsOf(BARS, then, [], 'btc'))
  return predictionAsOf(one, series, then, [], isPinned)
}

const outcomes = (date: string, one = now(), isPinned = false): Outcome[] => {
  const { touch, close } = asOf(date, one, isPinned).verdicts
  return [touch.outcome, close.outcome]
}

it('an override applies from its day on; before that the verdict is pending', () => {
  const { touch, close } = now().verdicts
  const verdicts = { touch: setByHand(touch, 'miss'), close: setByHand(close, 'miss') }
  const ruled = { ...now(), verdicts }
  // The rule finds a hit on the 3rd, which the ruling takes back.
  expect(outcomes('2024-01-03', ruled)).toEqual(['pending', 'pending'])
  expect(outcomes('2024-01-06', ruled)).toEqual(['miss', 'miss'])
})

it('a frozen prediction keeps its verdict', () => {
  const one = now(SAID, BARS.with(2, bar('2024-01-03', 120)))
  expect(one.verdicts.touch.outcome).toBe('miss')
  expect(outcomes('2024-01-06', one)).toEqual(['hit', 'miss'])
  expect(outcomes('2024-01-06', one, true)).toEqual(['miss', 'miss'])
  expect(outcomes('2024-01-05', one, true)).toEqual(['pending', 'pending'])
})

it('later events do not change a past day', () => {
  const price = fc.double({ min: 50, max: 200, noNaN: true })
  fc.assert(
    fc.property(
      fc.array(price, { minLength: 4, maxLength: 30 }),
      fc.nat(40),
      fc.double({ min: 60, max: 190, noNaN: true }),
      (closes, at, usd) => {
        const bars = barsFrom('2024-01-01', closes)
        const then = addDays(day('2024-01-01'), at)
        const stated = statement(target(usd), { by: day('2024-01-20') })
        const seen = (known: typeof bars) => {
          const past = barsAsOf(known, then, [], 'btc')
          const series = seriesOf('every-day', past)
          return [past, predictionAsOf(now(stated, known), series, then, [], false).verdicts]
        }
        expect(seen(bars)).toEqual(seen(bars.filter((one) => one.day <= then)))
      },
    ),
  )
})

const actions: readonly CorporateAction[] = [{ asset: 'mstr', day: day('2024-08-08'), ratio: 10 }]
const bars = barsFrom('2024-08-06', ['11..13>12', '12..14.1>13.3', '12..15>14'])
const dates = { made: day('2024-08-06'), by: day('2024-12-31') }
const stated = statement(target(14), { asset: 'mstr', ...dates })
const one = { ...now(stated, bars), statedClaim: target(140), splitFactor: 10 }
const asSeen = (then: Day) => {
  const known = barsAsOf(bars, then, actions, 'mstr')
  const series = seriesOf('new-york', known)
  const closes = known.map(({ close }) => close)
  return { closes, ...predictionAsOf(one, series, then, actions, false) }
}

it('a split that has not happened yet is in no price and no level', () => {
  const before = asSeen(day('2024-08-07'))
  expect(before).toMatchObject({ closes: [120, 133], claim: { usd: 140 }, splitFactor: 1 })
  expect(before.verdicts.touch).toMatchObject({ outcome: 'hit', level: { min: 140 } })
  expect(before.verdicts.touch.bar).toMatchObject({ high: 141, low: 120 })
})

it('a split counts from its own day on', () => {
  const after = asSeen(day('2024-08-08'))
  expect(after).toMatchObject({ closes: [12, 13.3, 14], claim: { usd: 14 }, splitFactor: 10 })
  expect(JUDGE_MODES.map((mode) => after.verdicts[mode].outcome)).toEqual(['hit', 'hit'])
})

it('a bar of an unfinished day is not known on that day', () => {
  const moving = { ...bar('2024-01-02', 5), moving: true as const }
  const before = bar('2024-01-01', 4)
  expect(barsAsOf([before, moving], day('2024-01-03'), [], 'btc')).toEqual([before])
})
