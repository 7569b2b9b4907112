import { randomBars, randomCalls } from '#tests/support/random-callers.ts'
import { describe, expect, it } from 'vitest'
import { addDays, dayFromNumber } from '#domain/day.ts'
import { VERDICT_DIRECTIONS } from '#domain/judging/verdict.ts'
import { isTradingDay } from '#domain/judging/calendar.ts'
import { againstLuckOf, scoreCalls } from './person-score.ts'
import { priceHistory, type PriceHistories } from './price-history.ts'
import { randomOf } from './random.ts'
import { replay, type Replayed } from './replay.ts'
import { type ScoredCall } from './scored-call.ts'

const DAYS = 2_000
const AS_OF = dayFromNumber(DAYS - 1)
const bars = randomBars(randomOf('replay'), DAYS)
const histories: PriceHistories = { btc: priceHistory('btc', bars, AS_OF) }
const said = randomCalls(randomOf('calls'), bars, {
  asOf: AS_OF,
  callers: 1,
  each: 400,
  since: dayFromNumber(800),
})
const calls = scoreCalls(histories, said, 'touch', AS_OF)

function alone(call: ScoredCall): Replayed {
  return { z: 0, calls: [call], hasWholeVotes: true }
}

describe('replayed histories', () => {
  it('make each kind of call come true as often as luck expects', () => {
    const compared = calls.filter(({ expected }) => expected !== null)
    // With one call of one vote z is above 0 exactly when it comes true.
    const found = replay(histories, compared.map(alone), 500, 'seed')
    const off: string[] = []
    for (const direction of VERDICT_DIRECTIONS) {
      let [expected, happened, n] = [0, 0, 0]
      for (const [i, call] of compared.entries()) {
        if (call.direction !== direction) continue
        n += 1
        expected += call.expectedAsDated ?? 0
        happened += found?.ps[i] ?? 0
      }
      if (n < 15 || Math.abs(happened - expected) / n > 0.04) off.push(direction)
    }
    expect(off).toEqual([])
  })

  it('are the same for the same seed, and others for another one', () => {
    const people = [{ z: againstLuckOf(calls).z ?? 0, calls }]
    const once = replay(histories, people, 50, '2026-10-01')
    expect(replay(histories, people, 50, '2026-10-01')).toEqual(once)
    expect(replay(histories, people, 50, '2026-10-02')?.luckiest).not.toEqual(once?.luckiest)
  })

  it('have a luckiest one that is luckier the more people there are', () => {
    const person = (from: number) => ({ z: 0, calls: calls.slice(from, from + 20) })
    const few = replay(histories, [person(0)], 200, 'x')
    const many = replay(
      histories,
      Array.from({ length: 15 }, (_, i) => person(i * 20)),
      200,
      'x',
    )
    expect(few?.luckiest.median).toBeLessThan(many?.luckiest.median ?? 0)
    expect(many?.luckiest.median).toBeLessThan(many?.luckiest.high ?? 0)
    expect(many?.people).toBe(15)
  })

  it('let a person who beat every history have the least p there is', () => {
    expect(replay(histories, [{ z: 99, calls }], 99, 'x')?.ps).toEqual([0.01])
    expect(replay(histories, [{ z: -99, calls }], 99, 'x')?.ps).toEqual([1])
  })

  it('draw the same days for all assets', () => {
    const stock = bars.filter(({ day }) => isTradingDay('new-york', day))
    const both = { ...histories, mstr: priceHistory('mstr', stock, AS_OF) }
    const target = (asset: 'btc' | 'mstr') => {
      const made = dayFromNumber(1_000)
      const usd = (bars[1_000]?.close ?? 0) * 1.3
      const claim = { type: 'target', usd } as const
      const one = { id: asset, asset, claim, made, from: null, by: addDays(made, 300) }
      return { ...one, createdAt: '', expert: { slug: asset, name: asset } }
    }
    const one = scoreCalls(both, [target('btc'), target('mstr')], 'touch', AS_OF)
    const chance = (these: readonly ScoredCall[]): number => {
      const { expected, variance } = againstLuckOf(these)
      // Only where all of them come true z reaches this.
      const z = (these.length - expected) / Math.sqrt(variance) - 0.01
      return replay(both, [{ z, calls: these }], 600, 'x')?.ps[0] ?? 0
    }
    const independent = chance(one.slice(0, 1)) * chance(one.slice(1))
    expect(independent).toBeGreaterThan(0.02)
    expect(chance(one)).toBeGreaterThan(1.25 * independent)
  })

  it('find a level that only the last session of many reaches', () => {
    const [some] = calls
    if (!some) throw new Error('no call')
    const [made, to] = [dayFromNumber(1_000), dayFromNumber(1_023)]
    const drifting: ScoredCall = {
      ...some,
      claim: { type: 'target', usd: 100 * Math.exp(22.5 / 365) },
      direction: 'up',
      usd: 100,
      made,
      window: { from: addDays(made, 1), to },
      motion: { sigma: 1e-6, drift: 1 },
      seenOnce: true,
      expected: 0.5,
      expectedAsDated: 0.5,
    }
    expect(replay(histories, [alone(drifting)], 9, 'x')?.ps).toEqual([1])
    const earlier = { ...drifting, window: { from: addDays(made, 1), to: addDays(to, -1) } }
    expect(replay(histories, [alone(earlier)], 9, 'x')?.ps).toEqual([0.1])
  })

  it('need a year to draw from, and a call', () => {
    const short: PriceHistories = { btc: priceHistory('btc', bars.slice(0, 400), AS_OF) }
    expect(replay(short, [{ z: 0, calls }], 10, 'x')).toBeNull()
    expect(replay(histories, [], 10, 'x')).toBeNull()
    expect(replay(histories, [{ z: 0, calls }], 0, 'x')).toBeNull()
  })
})
