import { expect, it } from 'vitest'
import { addDays, dayFromNumber } from '#domain/day.ts'
import { isTradingDay } from '#domain/judging/calendar.ts'
import { VERDICT_DIRECTIONS } from '#domain/judging/verdict.ts'
import { randomRecord } from '#tests/support/scores.ts'
import { isDecided, scoreCalls } from './person-score.ts'
import { priceHistory, type PriceHistories } from './price-history.ts'
import { replay } from './replay.ts'
import { type ScoredCall } from './scored-call.ts'

const { bars, asOf: AS_OF, histories, calls } = randomRecord('replay', 'calls')
const decided = calls.filter(isDecided)

/** The call as a hit: luck then has to match it. */
function hit(call: ScoredCall): ScoredCall {
  return { ...call, observed: 1 }
}

it('replayed histories make each kind of call come true as often as luck expects', () => {
  const compared = calls.filter(({ expected }) => expected !== null)
  const people = compared.map((call) => [{ ...hit(call), expected: call.expectedAsDated }])
  const found = replay(histories, people, 500, 'seed')
  const off: string[] = []
  for (const direction of VERDICT_DIRECTIONS) {
    let [expected, happened, n] = [0, 0, 0]
    for (const [i, call] of compared.entries()) {
      if (call.direction !== direction) continue
      n += 1
      expected += call.expectedAsDated ?? 0
      happened += found?.ps[i]?.well ?? 0
    }
    if (n < 15 || Math.abs(happened - expected) / n > 0.04) off.push(direction)
  }
  expect(off).toEqual([])
})

it('replayed histories are the same for the same seed, and differ between seeds', () => {
  const once = replay(histories, [decided], 50, '2026-10-01')
  expect(replay(histories, [decided], 50, '2026-10-01')).toEqual(once)
  expect(replay(histories, [decided], 50, '2026-10-02')?.hits).not.toEqual(once?.hits)
})

it("replayed histories put the total hits between margins around luck's expectation", () => {
  const found = replay(histories, [decided.slice(0, 50), decided.slice(50)], 400, 'x')
  const all = found?.hits.get(null)
  const expected = decided.reduce((sum, { expectedAsDated }) => sum + (expectedAsDated ?? 0), 0)
  expect(all?.low).toBeLessThan(expected)
  expect(all?.high).toBeGreaterThan(expected)
  expect(found?.hits.get('btc')).toEqual(all)
  expect(replay(histories, [[decided[0]!]], 400, 'x')?.hits.get(null)).toEqual({
    low: 0,
    high: 1,
  })
})

it('replayed histories give the lowest p to a person who beat every history, and the highest to one who beat none', () => {
  const always = (observed: 0 | 1) =>
    replay(histories, [decided.map((call) => ({ ...call, observed }))], 99, 'x')?.ps
  expect(always(1)).toEqual([{ well: 0.01, badly: 1 }])
  expect(always(0)).toEqual([{ well: 1, badly: 0.01 }])
})

it('replayed histories draw the same days for all assets', () => {
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
  const chance = (these: readonly ScoredCall[]): number =>
    replay(both, [these.map(hit)], 600, 'x')?.ps[0]?.well ?? 0
  const independent = chance(one.slice(0, 1)) * chance(one.slice(1))
  expect(independent).toBeGreaterThan(0.02)
  expect(chance(one)).toBeGreaterThan(1.25 * independent)
})

it('replayed histories find a level that only the last session reaches in many', () => {
  const [made, to] = [dayFromNumber(1_000), dayFromNumber(1_023)]
  const claim = { type: 'target', usd: 100 * Math.exp(22.5 / 365) } as const
  const window = { from: addDays(made, 1), to }
  const luck = { expected: 0.5, expectedAsDated: 0.5, observed: 1 } as const
  const seen = { usd: 100, motion: { sigma: 1e-6, drift: 1 }, seenOnce: true }
  const drifting: ScoredCall = {
    ...calls[0]!,
    claim,
    direction: 'up',
    made,
    window,
    ...seen,
    ...luck,
  }
  expect(replay(histories, [[drifting]], 9, 'x')?.ps[0]?.well).toBe(1)
  const earlier = { ...drifting, window: { from: addDays(made, 1), to: addDays(to, -1) } }
  expect(replay(histories, [[earlier]], 9, 'x')?.ps[0]?.well).toBe(0.1)
})

it('replayed histories need a year to draw from, and a call', () => {
  const short: PriceHistories = { btc: priceHistory('btc', bars.slice(0, 400), AS_OF) }
  expect(replay(short, [decided], 10, 'x')).toBeNull()
  expect(replay(histories, [], 10, 'x')).toBeNull()
  expect(replay(histories, [decided], 0, 'x')).toBeNull()
})
