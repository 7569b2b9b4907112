import { expect, it } from 'vitest'
import { addDays, dayFromNumber } from '#domain/day.ts'
import { rounds } from '#tests/support/deep.ts'
import { randomBars, randomCalls } from '#tests/support/random-callers.ts'
import { scores } from '#tests/support/scores.ts'
import { randomOf } from './replay.ts'
import { type ScoredCall } from './scored-call.ts'

it.each(['touch', 'close'] as const)(
  'scores give callers without knowledge what luck expects, by %s',
  (mode) => {
    const random = randomOf(`simulated callers ${mode}`)
    const calls: ScoredCall[] = []
    for (let world = 0; world < rounds(25, 100); world += 1) {
      const bars = randomBars(random, 1_200)
      for (const asOf of [700, 950, 1_199].map(dayFromNumber)) {
        const since = addDays(asOf, -500)
        const stated = randomCalls(random, bars, { asOf, callers: 2, each: 10, since })
        const { people } = scores(stated, { bars: { btc: bars }, asOf, mode })
        calls.push(...people.flatMap((one) => one.calls))
      }
    }
    expect(calls.filter(({ timeIsUp }) => !timeIsUp).length / calls.length).toBeGreaterThan(0.4)
    for (const [column, least] of [
      [calls, rounds(1_000, 4_000)],
      [calls.map(({ sinceRecorded }) => sinceRecorded), rounds(500, 2_000)],
    ] as const) {
      const excesses = column.flatMap((one) =>
        one && one.observed !== null && one.expected !== null ? [one.observed - one.expected] : [],
      )
      expect(excesses.length).toBeGreaterThan(least)
      const mean = excesses.reduce((sum, one) => sum + one, 0) / excesses.length
      expect(Math.abs(mean)).toBeLessThan(0.02)
    }
  },
)
