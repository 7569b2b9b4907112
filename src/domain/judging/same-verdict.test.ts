import { expect, it } from 'vitest'
import { day } from '#domain/day.ts'
import { barsFrom, published, statement, target } from '#tests/support/builders.ts'
import { type AgreedBar } from './bar.ts'
import { judge } from './judge.ts'
import { agreement, setByHand } from './same-verdict.ts'
import { seriesOf } from './series.ts'
import { barsThatJudge, stepsOf } from './steps.ts'

const SAID = statement(target(150), { by: day('2024-01-06') })
const BARS = barsFrom('2024-01-01', ['95..105>100', '96..110>108', '100..155>120', 130, 90, 85, 80])
const OF = (bars: readonly AgreedBar[]) => judge(seriesOf('every-day', bars), SAID, 'touch', TODAY)
const TODAY = day('2024-02-01')
const RECORDED = OF(BARS)
/** Bars with other prices from the third day on. */
const with3 = (...rest: readonly (string | number)[]) =>
  barsFrom('2024-01-01', ['95..105>100', '96..110>108', ...rest])

const HIT = 'SUCCESS on 03/01/2024'
const LATER = 'These agree, with another day: SUCCESS on'
const LACK = 'They lack some of the days that count.'
it.each([
  [BARS, true, 'These agree: SUCCESS on 03/01/2024, with the same evidence.'],
  // Another high; the level reached a day later; never reached; a day missing.
  [with3('100..156>120', 130, 90, 85), true, 'These agree: SUCCESS on 03/01/2024.'],
  [with3('100..120>120', '120..150>130', 90, 85), true, `${LATER} 04/01/2024; on record ${HIT}.`],
  [with3(120, 130, 90, 85), false, `These say MISS on 06/01/2024, the record says ${HIT}.`],
  [with3(120, 130, 90), false, `These say PENDING, the record says ${HIT}. ${LACK}`],
])('bars are compared with the verdict on record in a sentence (%#)', (bars, agrees, text) => {
  expect(agreement(RECORDED, OF(bars), 'These')).toEqual({ agrees, text })
})

it('a verdict set by an administrator is labelled as such', () => {
  const { text } = agreement(setByHand(RECORDED, 'miss'), RECORDED, 'These')
  expect(text).toContain('An administrator set the one on record')
})

it('the bars for a statement begin with the close before it counts and end with its last day', () => {
  const days = barsThatJudge(seriesOf('every-day', BARS), SAID).map((bar) => bar.day)
  expect(days).toEqual(BARS.slice(0, 6).map((bar) => bar.day))
})

it('the steps of the rule name each figure', () => {
  const series = seriesOf('every-day', BARS)
  const steps = stepsOf(published(SAID, { touch: RECORDED, close: RECORDED }), series, RECORDED)
  expect(steps.map(({ text }) => text)).toEqual([
    '$150',
    '$100 at the close of 01/01/2024: the last one up to the day it was made.',
    'Bitcoin was below the level, so it has to rise to it.',
    '02/01/2024 to 06/01/2024: 5 days.',
    'The highs of these days with $150, oldest first. The first that reaches it: 03/01/2024, open $120, high $155, low $100, close $120. Of 3 days only the close is known; it counts as high and low.',
    'Hit on 3 Jan 2024, two days after the call. Bitcoin traded as high as $155 that day.',
  ])
})

it('the steps say which prices are missing', () => {
  const series = seriesOf('every-day', BARS.toSpliced(3, 1))
  const verdict = judge(series, SAID, 'close', TODAY)
  const steps = stepsOf(published(SAID, { touch: verdict, close: verdict }), series, verdict)
  expect(steps[3]?.text).toBe(
    '02/01/2024 to 06/01/2024: 5 days; 1 price missing, the first of 04/01/2024. Without all of them, nothing counts as never reached.',
  )
})
