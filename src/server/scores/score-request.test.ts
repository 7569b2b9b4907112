import { describe, expect, it } from 'vitest'
import { addDays, type Day } from '#domain/day.ts'
import { type AgreedBar } from '#domain/judging/bar.ts'
import { type ScoredPrediction } from '#domain/scoring/scored-call.ts'
import { computeScores } from '#domain/scoring/scores.ts'
import { bar, openVerdict } from '#tests/support/builders.ts'
import { at, BARS, call, scores } from '#tests/support/scores.ts'
import { computeReply } from './compute-scores.ts'
import { asOfFault, requestOf, type ScoreInputs } from './score-request.ts'

function onRecord(
  predictions: readonly ScoredPrediction[],
  btc: readonly AgreedBar[] = BARS,
): ScoreInputs {
  return { predictions: [predictions], bars: { btc, mstr: [], naka: [] } }
}

const TODAY = at(729)
const CALLS = [
  call(),
  call({ made: at(100), by: at(200) }),
  call({ made: at(500), by: at(725) }),
  call({ made: at(430), madePrecision: 'month', by: at(560), usd: 190 }),
].map((one, n) => ({ ...one, id: `call-000${String(n + 1)}` }))

async function digestOf(
  record: ReturnType<typeof onRecord>,
  asOf: Day = at(600),
  today: Day = TODAY,
): Promise<string> {
  return (await requestOf(record, { asOf, mode: 'touch' }, today)).digest
}

describe('the input of scores', () => {
  it('gives the same scores as the record', async () => {
    const { request } = await requestOf(onRecord(CALLS), { asOf: TODAY, mode: 'touch' }, TODAY)
    expect(computeScores({ ...request, histories: 0 })).toEqual(
      scores(CALLS, { seed: request.seed, asOf: TODAY }),
    )
  })

  it('has the same digest if read in batches, with shared experts', async () => {
    const key = { asOf: TODAY, mode: 'touch' } as const
    const many = Array.from({ length: 9 }, (_, i) => call({ who: `Expert ${String(i % 3)}` }))
    const whole = await requestOf(onRecord(many), key, TODAY)
    const { bars } = onRecord([])
    const predictions = [[], many.slice(0, 4), [], many.slice(4)]
    expect(await requestOf({ predictions, bars }, key, TODAY)).toEqual(whole)
    const read = [...whole.request.predictions]
    expect(read).toEqual(many)
    expect(new Set(read.map(({ expert }) => expert)).size).toBe(3)
  })

  it('has a digest that depends only on what was known on that day', async () => {
    const [first, ...others] = CALLS
    if (!first) throw new Error('no call')
    const digest = await digestOf(onRecord(CALLS))
    // Stored and published: if it changes for the same input, METHOD must change.
    expect(digest).toBe('10-npKwQ-0i4K3pL8Y3oUJlwv')
    const laterBar = [...BARS, bar(addDays(TODAY, 1), 180)]
    const movingBar = BARS.map((one) =>
      one.day >= at(601) ? { ...one, moving: true as const } : one,
    )
    const otherSource = BARS.map((one) => ({ ...one, source: 'other' }))
    const laterCall = [...CALLS, call({ made: at(601), by: at(700) })]
    for (const bars of [laterBar, movingBar, otherSource]) {
      expect(await digestOf(onRecord(CALLS, bars))).toBe(digest)
    }
    expect(await digestOf(onRecord(laterCall))).toBe(digest)
    // A moving price does not count yet.
    const moving = (close: number) =>
      onRecord(CALLS, [...BARS.slice(0, 600), { ...bar(at(600), close), moving: true as const }])
    expect(await digestOf(moving(101))).toBe(await digestOf(moving(102)))
    const edited = { ...first, claim: { type: 'target', usd: 151 } } as const
    const renamed = { ...first, expert: { ...first.expert, name: 'Anne' } }
    const changed = [
      digest,
      await digestOf(onRecord([edited, ...others])),
      await digestOf(onRecord([renamed, ...others])),
      await digestOf(onRecord(others)),
      await digestOf(onRecord(CALLS, BARS.with(300, bar(at(300), 104)))),
      await digestOf(onRecord(CALLS, BARS.with(300, bar(at(300), '90..110>100')))),
      await digestOf(onRecord(CALLS), at(601)),
      (await requestOf(onRecord(CALLS), { asOf: at(600), mode: 'close' }, TODAY)).digest,
    ]
    expect(new Set(changed).size).toBe(changed.length)
  })

  it('includes overrides by administrators, but not published verdicts', async () => {
    const found = scores(CALLS).people[0]?.calls[0]
    const [first, ...others] = CALLS
    if (!found || !first) throw new Error('no call')
    const level = { min: 150, max: 150 }
    const { window } = found
    const verdict = openVerdict({ outcome: 'hit', day: at(210), level, window })
    const withReason = (reason: 'reached' | 'overridden') => {
      const one = { ...verdict, reason }
      return onRecord([{ ...first, verdicts: { touch: one, close: one } }, ...others])
    }
    const digest = await digestOf(onRecord(CALLS))
    expect(await digestOf(withReason('reached'))).toBe(digest)
    expect(await digestOf(withReason('overridden'))).not.toBe(digest)
  })

  it('notes a missing price once its day is over', async () => {
    const notes = async (today: Day): Promise<readonly string[]> =>
      computeReply(await requestOf(onRecord(CALLS), { asOf: at(730), mode: 'touch' }, today)).notes
    expect(await notes(at(730))).toEqual([])
    expect(await notes(at(731))).toEqual(['Bitcoin scores use prices up to 31/12/2023.'])
  })

  it('does not exist for a day in the future, or before the first prediction', () => {
    expect(asOfFault(at(100), at(99), TODAY)).toMatch(/^The first prediction was made on/)
    expect(asOfFault(at(100), at(100), TODAY)).toBeNull()
    expect(asOfFault(at(100), TODAY, TODAY)).toBeNull()
    expect(asOfFault(at(100), addDays(TODAY, 1), TODAY)).toMatch(/is in the future/)
    expect(asOfFault(null, TODAY, TODAY)).toBeNull()
    expect(asOfFault(null, at(100), TODAY)).toMatch(/no prediction yet/)
  })
})
