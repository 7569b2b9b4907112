import { expect, it } from 'vitest'
import { day } from '#domain/day.ts'
import { openTargets } from './open-targets.ts'
import { closes, predicted } from './testing.ts'

const TODAY = day('2026-11-20')
const MADE = day('2026-10-01')
const BARS = closes('2026-09-30', 80_000, 80_000)
const spanOf = (from: string, to: string) => [day(from), day(to)]

it.each([
  ['a day', { by: day('2027-03-15') }, ['2027-03-15', '2027-03-15']],
  ['a month', { by: day('2027-03-31'), byPrecision: 'month' }, ['2027-03-01', '2027-03-31']],
  ['a year', { by: day('2028-12-31'), byPrecision: 'year' }, ['2028-01-01', '2028-12-31']],
  [
    'what is left of this year',
    { by: day('2026-12-31'), byPrecision: 'year' },
    ['2026-11-20', '2026-12-31'],
  ],
  [
    'a deadline of ours',
    { by: day('2027-10-01'), byPrecision: 'year', deadlineAssumed: true },
    ['2027-10-01', '2027-10-01'],
  ],
  ['a deadline that has passed', { by: day('2026-11-01') }, ['2026-11-01', '2026-11-01']],
] as const)('a target is due in %s', (_, given, [from, to]) => {
  const call = predicted({ type: 'target', usd: 150_000 }, BARS, { made: MADE, ...given })
  expect(openTargets([call], 'touch', TODAY).targets).toEqual([
    { name: call.expert.name, votes: 0, days: spanOf(from, to), prices: [150_000, 150_000] },
  ])
})

it.each([
  ['a range covers its band', { type: 'range', min: 100_000, max: 200_000 }, [100_000, 200_000]],
  ['a minimum is at its level', { type: 'by-date', usd: 90_000 }, [90_000, 90_000]],
] as const)('%s, over a window that was named', (_, claim, prices) => {
  const named = { made: MADE, from: day('2027-01-01'), by: day('2027-06-30') }
  const [window] = openTargets([predicted(claim, BARS, named)], 'touch', TODAY).targets
  expect(window).toMatchObject({ days: spanOf('2027-01-01', '2027-06-30'), prices })
  const plain = predicted(claim, BARS, { ...named, from: null })
  const [deadline] = openTargets([plain], 'touch', TODAY).targets
  expect(deadline?.days).toEqual(spanOf('2027-06-30', '2027-06-30'))
})

it('limits are counted apart; decided calls, those left out of the chart, and levels of nothing are left out', () => {
  const by = day('2027-12-31')
  const bars = closes('2026-09-30', 80_000, 80_000, 100_000)
  const calls = [
    predicted({ type: 'top', usd: 300_000 }, bars, { made: MADE, by }),
    predicted({ type: 'bottom', usd: 20_000 }, bars, { made: MADE, by }),
    predicted({ type: 'target', usd: 95_000 }, bars, { made: MADE, by }),
    predicted({ type: 'target', usd: 150_000 }, bars, { made: MADE, by, excludeFromChart: true }),
    predicted({ type: 'target', usd: 0 }, bars, { made: MADE, by }),
    predicted({ type: 'target', usd: 150_000 }, bars, { made: MADE, by, voteScore: 21 }),
  ]
  const { targets, limits } = openTargets(calls, 'touch', TODAY)
  expect(targets.map(({ votes }) => votes)).toEqual([21])
  expect(limits).toBe(2)
})

it('the mode that is shown decides what is open, and a level for drawing where it is', () => {
  const bars = closes('2026-09-30', 80_000, 80_000, 80_000).map((bar, i) => ({
    ...bar,
    high: i === 2 ? 120_000 : bar.close,
    low: bar.close,
  }))
  const by = day('2027-12-31')
  const call = predicted({ type: 'target', usd: 110_000 }, bars, {
    made: MADE,
    by,
    chartValue: 115_000,
  })
  expect(openTargets([call], 'touch', TODAY).targets).toEqual([])
  expect(openTargets([call], 'close', TODAY).targets[0]?.prices).toEqual([115_000, 115_000])
})
