import { expect, it } from 'vitest'
import { addDays, dayFromNumber } from '#domain/day.ts'
import { rounds } from '#tests/support/deep.ts'
import { randomBars, randomCalls } from '#tests/support/random-callers.ts'
import { randomOf } from './replay.ts'
import { computeScores } from './scores.ts'

it.each(['touch', 'close'] as const)(
  'scores give callers without knowledge what luck expects, by %s',
  (mode) => {
    const random = randomOf(`simulated callers ${mode}`)
    const days = [700, 950, 1_199].map(dayFromNumber)
    let [open, all] = [0, 0]
    const main = { excess: 0, compared: 0 }
    const recorded = { excess: 0, compared: 0 }
    for (let world = 0; world < rounds(25, 100); world += 1) {
      const bars = randomBars(random, 1_200)
      for (const asOf of days) {
        const since = addDays(asOf, -500)
        const stated = randomCalls(random, bars, { asOf, callers: 2, each: 10, since })
        const { people } = computeScores({
          predictions: stated,
          bars: { btc: bars },
          asOf,
          mode,
          rule: 2,
          seed: '',
          histories: 0,
        })
        for (const one of people.flatMap(({ calls }) => calls)) {
          all += 1
          if (!one.timeIsUp) open += 1
          for (const [column, of] of [
            [main, one],
            [recorded, one.sinceRecorded],
          ] as const) {
            if (!of || of.observed === null || of.expected === null) continue
            column.compared += 1
            column.excess += of.observed - of.expected
          }
        }
      }
    }
    expect(open / all).toBeGreaterThan(0.4)
    expect(main.compared).toBeGreaterThan(rounds(1_000, 4_000))
    expect(recorded.compared).toBeGreaterThan(rounds(500, 2_000))
    for (const { excess, compared } of [main, recorded]) {
      expect(Math.abs(excess / compared)).toBeLessThan(0.02)
    }
  },
)
