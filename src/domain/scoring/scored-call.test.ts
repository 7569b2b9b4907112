import { expect, it } from 'vitest'
import { type Claim } from '#domain/claim/claim.ts'
import { timeOfDay } from '#domain/day.ts'
import { judge } from '#domain/judging/judge.ts'
import { seriesOf } from '#domain/judging/series.ts'
import { type Outcome } from '#domain/judging/verdict.ts'
import { range, target, top } from '#tests/support/builders.ts'
import { at, BARS, call, scores } from '#tests/support/scores.ts'
import { noLuckSentence } from './odds-text.ts'
import { type ScoredPrediction } from './scored-call.ts'
import { type ScoreRequest } from './scores.ts'

const NOT_COMPARED = { observed: null, expected: null }
const ABOVE = { direction: 'above', outcome: 'hit', observed: 1 } as const
const BELOW = { direction: 'below', outcome: 'miss', observed: 0 } as const
const AT_END = { type: 'target', timing: 'at_end' } as const

const only = (prediction: ScoredPrediction, overrides: Partial<ScoreRequest> = {}) =>
  scores([prediction], overrides).people[0]!.calls[0]!

it('a call after its time is compared over its whole window', () => {
  const found = only(call({ by: at(725) }))
  expect(found).toMatchObject({ outcome: 'hit', timeIsUp: true, observed: 1 })
  expect(found.expected).toBe(found.luck)
})

it('a call that came true early is compared with luck up to today, and not yet as ended', () => {
  const found = only(call({ by: at(900) }))
  expect(found).toMatchObject({ outcome: 'hit', timeIsUp: false, observed: 1 })
  expect(found.expected).toBeLessThan(found.luck ?? 0)
  const open = only(call({ by: at(900), usd: 200 }))
  expect(open).toMatchObject({ outcome: 'pending', observed: 0 })
  expect(scores([call({ by: at(900) })]).people[0]?.open).toMatchObject({ calls: 1, hits: 1 })
})

it('a call of an unknown day has the mean luck of its possible days, and their span', () => {
  const dated = { usd: 190, made: at(430), by: at(560) }
  const [known, unknown] = [only(call(dated)), only(call({ ...dated, madePrecision: 'month' }))]
  expect(known.span).toBeNull()
  const { low = 1, high = 0 } = unknown.span ?? {}
  expect(low).toBeLessThan(high)
  expect(unknown.luck).toBeGreaterThan(low)
  expect(unknown.luck).toBeLessThan(high)
  expect(unknown.expected).toBe(unknown.luck)
  // Histories replay the day that it carries.
  expect(unknown.expectedAsDated).toBe(known.expected)
})

it('a call longer than two years has no luck, but still ends', () => {
  const long = call({ made: at(0), by: at(729), usd: 190 })
  expect(only(long)).toMatchObject({ noLuck: expect.not.stringMatching('too-long') })
  const longer = only(call({ made: at(200), by: at(931), usd: 190 }))
  expect(longer).toMatchObject({ noLuck: 'too-long', luck: null, expected: null })
})

it('a call on a price that holds counts as holding until it is broken', () => {
  const holds = call({ claim: top(160), by: at(900) })
  expect(only(holds)).toMatchObject({ outcome: 'pending', observed: 1, timeIsUp: false })
  const broken = call({ claim: top(140), by: at(900) })
  expect(only(broken)).toMatchObject({ outcome: 'miss', observed: 0, timeIsUp: false })
})

it('a call decided at the last close is compared only once its window has ended', () => {
  const inside: Claim = range(90, 110)
  expect(only(call({ claim: inside, by: at(900) }))).toMatchObject(NOT_COMPARED)
  const ended = { observed: 1, direction: 'inside' }
  expect(only(call({ claim: inside, by: at(400) }))).toMatchObject(ended)
})

it('a call is not compared before its window begins', () => {
  const later = call({ from: at(740), by: at(900) })
  expect(only(later)).toMatchObject({ ...NOT_COMPARED, noLuck: null })
  expect(only(call({ made: at(729), by: at(900) }))).toMatchObject(NOT_COMPARED)
  expect(only(call({ made: at(728), usd: 200, by: at(900) }))).toMatchObject({ observed: 0 })
})

it('a call with a missing day in its window is not compared, even if it came true', () => {
  const gap = { btc: BARS.filter((_, i) => i !== 400) }
  const hit = { outcome: 'hit', timeIsUp: false, observed: null }
  expect(only(call({ by: at(725) }), { bars: gap })).toMatchObject(hit)
  const miss = { outcome: 'miss', timeIsUp: true, observed: 0 }
  expect(only(call({ by: at(390) }), { bars: gap })).toMatchObject(miss)
  const createdAt = new Date(timeOfDay(at(725))).toISOString()
  const onLastDay = only(call({ by: at(725), usd: 200, createdAt }), { bars: gap })
  expect(onLastDay).toMatchObject({ outcome: 'pending', sinceRecorded: null })
})

it.each<[Partial<ScoredPrediction>, string | null, RegExp]>([
  [{ made: at(89) }, 'little-history', /^There is too little history: luck needs 90/],
  [{ made: at(90) }, null, /^$/],
  [{ made: at(-5) }, 'no-reference', /^The price of BTC on 27\/12\/2021.*not known/],
  [{ claim: target(100) }, 'void', /^It is void, and counts in nothing/],
  [{ claim: top(90) }, 'void', /^It is void, and counts in nothing/],
  [{ by: at(100) }, 'no-day', /does not trade on any day of its window/],
  [{ asset: 'naka' }, 'no-reference', /^The price of NAKA/],
])('a call of %j may have no luck: %s', (input, reason, sentence) => {
  const found = only(call(input))
  expect(found.noLuck).toBe(reason)
  expect(found.luck === null).toBe(reason !== null)
  expect(noLuckSentence(found) ?? '').toMatch(sentence)
})

it('a call by touch with closes only is observed once a day, as by closes', () => {
  expect(only(call())).toMatchObject({ seenOnce: true })
  expect(only(call()).luck).toEqual(only(call(), { mode: 'close' }).luck)
  const full = BARS.map((one) => ({ ...one, high: one.close, low: one.close }))
  expect(only(call(), { bars: { btc: full } }).luck).toBeGreaterThan(only(call()).luck ?? 1)
})

it.each<[Outcome, object]>([
  ['hit', { outcome: 'hit', timeIsUp: true, observed: 1 }],
  ['void', { outcome: 'void', timeIsUp: false, noLuck: 'void' }],
  ['pending', { outcome: 'pending', timeIsUp: false, observed: null }],
])('a call that an administrator set to %s is taken so', (outcome, expected) => {
  const missed = call()
  const byRule = judge(seriesOf('every-day', BARS), missed, 'touch', at(729))
  expect(byRule.outcome).toBe('miss')
  const verdict = { ...byRule, outcome, reason: 'overridden', day: null } as const
  expect(only({ ...missed, verdicts: { touch: verdict, close: byRule } })).toMatchObject(expected)
})

it.each([
  ['the day it was made', 200, {}, { made: at(200), outcome: 'hit' }],
  ['a later day', 300, {}, { made: at(300), outcome: 'hit', observed: 1, timeIsUp: true }],
  ['the day before it was decided', 720, {}, { made: at(720), outcome: 'hit' }],
  ['the day on which it was decided', 721, {}, null],
  ['the last day of a call that missed', 725, { usd: 200 }, null],
  ['a day after today', 800, { by: at(900), usd: 200 }, null],
  // The last day decides, although the price was beyond the level.
  ['a day at its level', 724, { claim: { ...AT_END, usd: 140 } }, ABOVE],
  ['a day above it', 300, { claim: { ...AT_END, usd: 90 } }, BELOW],
] as const)('a call recorded here on %s', (_, recorded, input, since) => {
  const createdAt = new Date(timeOfDay(at(recorded)) + 3_600_000).toISOString()
  expect(only(call({ by: at(725), createdAt, ...input }))).toMatchObject({ sinceRecorded: since })
})
