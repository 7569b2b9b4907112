import { barsFrom, published, statement } from '#tests/support/builders.ts'
import { type Claim } from '#domain/claim/claim.ts'
import { type Prediction } from '#domain/claim/prediction.ts'
import { day } from '#domain/day.ts'
import { judge } from '#domain/judging/judge.ts'
import { seriesOf } from '#domain/judging/series.ts'
import { type Verdict } from '#domain/judging/verdict.ts'
import { expect, it } from 'vitest'
import { punchLine } from './punch-line.ts'

const TODAY = day('2024-01-05')
const BARS = barsFrom('2024-01-01', [
  '90..130>100',
  '95..105>102',
  '101..119>110',
  ...Array<string>(7).fill('100..110>105'),
])

/** Made on the first of these days and due on the last. */
function prediction(claim: Claim, upTo = BARS.length): Prediction {
  const said = statement(claim)
  const series = seriesOf('every-day', BARS.slice(0, upTo))
  return published(said, {
    touch: judge(series, said, 'touch', TODAY),
    close: judge(series, said, 'close', TODAY),
  })
}

const LEFT = { day: day('2024-01-04'), usd: 105, change: 0.9, days: 6, chance: 0.02 }
const ODDS = { luck: 0.1, noLuck: null, motion: null, left: LEFT }

it.each<[Claim, number, string]>([
  [{ type: 'target', usd: 115 }, 10, 'Hit two days after the call'],
  [{ type: 'target', usd: 140 }, 10, '15 % short'],
  [{ type: 'target', usd: 50 }, 10, '90 % too high'],
  [{ type: 'range', min: 99, max: 106 }, 10, 'Inside the range at the end'],
  [{ type: 'range', min: 99, max: 102 }, 10, '2.9 % above $102 at the end'],
  [{ type: 'by-date', usd: 99 }, 10, 'Above the level at the end'],
  [{ type: 'top', usd: 120 }, 10, 'Held until the deadline'],
  [{ type: 'top', usd: 112 }, 10, 'Broken two days after the call'],
  [{ type: 'target', usd: 100 }, 10, 'Already true when it was said'],
  [{ type: 'bottom', usd: 200 }, 10, 'Already broken when it was said'],
  [{ type: 'target', usd: 200 }, 1, 'Has not begun yet'],
  [{ type: 'target', usd: 200 }, 4, 'Still open'],
])('the punch line of %j after %i days is %s', (claim, upTo, line) => {
  expect(punchLine(prediction(claim, upTo), 'touch', TODAY)).toBe(line)
})

it('the punch line of an open call says how far it has to go, and what luck says of that', () => {
  const open = {
    ...prediction({ type: 'target', usd: 200 }, 4),
    odds: { touch: ODDS, close: ODDS },
  }
  expect(punchLine(open, 'touch', TODAY)).toBe('+90 % in 6 days; luck says 2 %')
  const there = { ...ODDS, left: { ...LEFT, change: 0 } }
  expect(punchLine({ ...open, odds: { touch: there, close: there } }, 'touch', TODAY)).toMatch(
    /^There now, /,
  )
})

it.each<[Claim, Partial<Verdict>, string]>([
  [{ type: 'target', usd: 115 }, { day: null }, 'Hit'],
  [{ type: 'top', usd: 112 }, { day: null }, 'Broken'],
  [{ type: 'target', usd: 140 }, { nearest: null }, 'Never reached'],
  [{ type: 'range', min: 99, max: 102 }, { bar: null }, 'Outside at the end'],
  [{ type: 'target', usd: 140 }, { reason: 'overridden' }, 'Decided by an administrator'],
])('the punch line of %j with %j says what is known', (claim, known, line) => {
  const given = prediction(claim)
  const touch = { ...given.verdicts.touch, ...known }
  expect(punchLine({ ...given, verdicts: { touch, close: touch } }, 'touch', TODAY)).toBe(line)
})
