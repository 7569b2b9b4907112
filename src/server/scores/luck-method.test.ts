import { describe, expect, it } from 'vitest'
import { addDays, isoDay } from '#domain/day.ts'
import { testLuck } from '#domain/scoring/luck.ts'
import { priceHistory } from '#domain/scoring/price-history.ts'
import { type ScoredPrediction } from '#domain/scoring/scored-call.ts'
import { type ScoreRequest } from '#domain/scoring/scores.ts'
import { at, BARS, call, scores } from '#tests/support/scores.ts'
import { luckMethodOf } from './luck-method.ts'
import { personRow, scoresReply } from './scores-wire.ts'

const INPUTS = { digest: '', seed: '', histories: 2_000 }

function methodOf(predictions: readonly ScoredPrediction[], overrides: Partial<ScoreRequest> = {}) {
  const bars = overrides.bars?.btc ?? BARS
  const found = scores(predictions, overrides)
  const luckTest = testLuck({ btc: priceHistory('btc', bars, at(729)) }, 'touch')
  const facts = { inputs: INPUTS, lastOver: at(729), luckTest }
  return luckMethodOf(scoresReply(found, facts, found.people.map(personRow)))
}

describe('the scores on the methodology page', () => {
  it('have as an example the latest expired target, with its luck', () => {
    const later = call({ made: at(300), by: at(500), usd: 130 })
    const calls = [
      call({ by: at(400) }),
      later,
      // Not expired; not a target; a window that starts later; void.
      call({ made: at(300), by: at(900) }),
      call({ made: at(300), by: at(600), claim: { type: 'top', usd: 140 } }),
      call({ made: at(300), from: at(350), by: at(600) }),
      call({ made: at(300), by: at(600), usd: 100 }),
    ]
    const found = methodOf(calls)
    const scored = scores(calls)
      .people.flatMap((person) => person.calls)
      .find(({ id }) => id === later.id)
    expect(found.example).toMatchObject({
      id: later.id,
      name: 'Ann',
      outcome: 'miss',
      reference: 100,
      level_min: 130,
      days: 200,
    })
    expect(found.example?.steps.luck).toBeCloseTo(scored?.luck ?? 0, 10)
    expect(methodOf([call({ by: at(900) })]).example).toBeNull()
  })

  it('test luck in both directions and together over every timing', () => {
    const { test } = methodOf([call()])
    const rows = test.rows.map(({ asset_type: asset, horizon, direction }) =>
      [horizon, asset ?? 'all', direction].join(' '),
    )
    const ways = ['all up', 'all down', 'btc up', 'btc down', 'all ']
    const all = [30, 90, 180, 365, 730].flatMap((days) => ways.map((way) => `${days} ${way}`))
    expect(rows).toEqual(all)
    const whole = test.rows.filter((row) => row.asset_type === null && row.direction)
    expect(test.calls).toBe(whole.reduce((sum, { calls }) => sum + calls, 0))
    expect(
      test.rows.every(({ direction, holds }) => (direction === null) === (holds !== null)),
    ).toBe(true)
  })

  it('name omitted calls by reason, latest first and up to a limit', () => {
    const early = Array.from({ length: 60 }, (_, i) =>
      call({ made: at(10 + i), by: at(400 + i), who: `Caller ${String(i)}` }),
    )
    // The price is at 100 or 102 at that time.
    const done = call({ made: at(300), by: at(400), usd: 100 })
    const gap = call({ made: at(500), by: at(600) })
    const bars = BARS.filter(({ day }) => day !== at(550))
    const { left_out: groups } = methodOf([...early, done, gap, call()], { bars: { btc: bars } })
    expect(groups.map(({ reason, count, calls }) => [reason, count, calls.length])).toEqual([
      ['void', 1, 1],
      ['little-history', 60, 50],
      ['no-prices', 1, 1],
    ])
    const made = isoDay(addDays(at(0), 69))
    expect(groups[1]?.calls[0]).toMatchObject({ name: 'Caller 59', made })
    expect(groups[2]?.calls[0]?.id).toBe(gap.id)
    expect(methodOf([call()]).left_out).toEqual([])
  })
})
