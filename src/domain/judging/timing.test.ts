import { expect, it } from 'vitest'
import { type Claim, type Terms } from '#domain/claim/claim.ts'
import { type Statement } from '#domain/claim/prediction.ts'
import { day, isoDay } from '#domain/day.ts'
import { bar, barsFrom, claimOf, published, statement, TEN_DAYS } from '#tests/support/builders.ts'
import { jsonPart, storedCases } from '#tests/support/stored-cases.ts'
import { dependsOn, judge } from './judge.ts'
import { seriesOf } from './series.ts'
import { verdictSentence } from './verdict-text.ts'
import { type JudgeMode } from './verdict.ts'

/** Said on the 1st at 100, due on the 10th, which closes at 104. */
const [FOURTH, TENTH] = [bar('2024-01-04', '105..121>108'), bar('2024-01-10', '99..112>104')]
const BARS = TEN_DAYS.with(3, FOURTH).with(9, TENTH)
const LATER = day('2026-11-20')
const WHOLE = { timing: 'throughout' } as const
const AT_END = { timing: 'at_end' } as const
const target = (usd: number, terms: Terms): Claim => ({ type: 'target', usd, ...terms })
const range = (min: number, max: number, terms: Terms): Claim => {
  return { type: 'range', min, max, ...terms }
}

function judged(
  claim: Claim,
  mode: JudgeMode = 'touch',
  overrides: Partial<Statement> = {},
  days = 10,
) {
  const calendar = overrides.asset === 'mstr' ? 'new-york' : 'every-day'
  const series = seriesOf(calendar, BARS.slice(0, days))
  return judge(series, statement(claim, overrides), mode, LATER)
}

function summary(...args: Parameters<typeof judged>): string {
  const { outcome, reason, day: on } = judged(...args)
  return `${outcome} ${reason} ${on === null ? '-' : isoDay(on).slice(8)}`
}

it('claims with a timing are judged as stored', () =>
  storedCases('timing', {
    'a claim, by touch and by closes': (words) => {
      const [touch, close] = [summary(claimOf(words)), summary(claimOf(words), 'close')]
      return touch === close ? touch : `${touch}; ${close}`
    },
    'the sentence of a verdict': (words, mode, overrides) => {
      const claim = claimOf(words)
      const verdicts = { touch: judged(claim), close: judged(claim, 'close') }
      const more = jsonPart(overrides)
      return verdictSentence(published(statement(claim, more), verdicts, more), mode as JudgeMode)
    },
  }))

it('the end of a stock is its last session, and a window without a session is a miss', () => {
  const message = { asset: 'mstr', made: day('2024-01-04') } as const
  // The 6th and 7th are a weekend.
  const sunday = { ...message, by: day('2024-01-07') }
  expect(summary(target(105, AT_END), 'touch', sunday)).toBe('hit closed-inside 05')
  const friday = { ...message, made: day('2024-01-05'), by: day('2024-01-07') }
  expect(summary(target(104, AT_END), 'touch', friday)).toBe('miss not-reached 05')
})

const CLOSES = barsFrom('2024-01-01', [100, 102, '101..119>110', ...Array<number>(7).fill(105)])

it.each<[string, number, number | null, string]>([
  ['within 10% of a close of which the range is not known', 121, null, 'needs-range'],
  ['farther away', 123, null, 'not-reached'],
  ['where the high of the nearest day is known', 121, 2, 'not-reached'],
])('by touch, a level %s: %s', (_, level, full, reason) => {
  const bars = CLOSES.map((one, i) =>
    i === full ? one : { ...one, open: null, high: null, low: null },
  )
  const series = seriesOf('every-day', bars)
  const stated = statement(target(level, {}))
  expect(judge(series, stated, 'touch', LATER).reason).toBe(reason)
  expect(judge(series, stated, 'close', LATER).reason).toBe('not-reached')
})

it('an unknown day voids a verdict that depends on it, naming both days, until it is known', () => {
  const closes = [...Array<number>(15).fill(100), ...Array<number>(30).fill(120)]
  const bars = barsFrom('2023-12-01', closes)
  const series = seriesOf('every-day', bars)
  const on = (made: string, level: number, madePrecision: 'day' | 'month' = 'day') => {
    const dates = { made: day(made), by: day('2024-01-10'), madePrecision }
    return judge(series, statement(target(level, {}), dates), 'close', LATER)
  }
  expect(on('2023-12-01', 110).outcome).toBe('hit')
  const unknown = on('2023-12-01', 110, 'month')
  expect([unknown.outcome, unknown.reason]).toEqual(['void', 'depends-on-day'])
  expect(unknown.possibleDays).toEqual([
    { day: day('2023-12-01'), outcome: 'hit', direction: 'up' },
    { day: day('2023-12-16'), outcome: 'miss', direction: 'down' },
  ])
  expect(on('2023-12-01', 150, 'month').outcome).toBe('miss')
  const stated = statement(target(110, {}), { made: day('2023-12-01'), madePrecision: 'month' })
  expect(dependsOn(unknown, stated, day('2023-12-20'), day('2023-12-20'))).toBe(true)
})

it('a single-venue price outside a range does not break it, but is shown', () => {
  const bars = BARS.map((one, i) => (i === 2 ? { ...one, loneLow: 80 } : one))
  const stated = statement(range(95, 130, WHOLE))
  const { outcome, unconfirmed } = judge(seriesOf('every-day', bars), stated, 'touch', LATER)
  expect([outcome, unconfirmed]).toEqual(['hit', { day: day('2024-01-03'), usd: 80 }])
})

it('a price that may still change does not make the day ambiguous', () => {
  const closes = barsFrom('2023-12-01', [100, 100, 120])
  const moving = closes.map((one, i) => (i === 2 ? { ...one, moving: true as const } : one))
  const stated = statement(target(110, {}), { made: day('2023-12-01'), madePrecision: 'month' })
  const outcome = (bars: typeof closes) =>
    judge(seriesOf('every-day', bars), stated, 'close', day('2023-12-03')).outcome
  expect(outcome(moving)).toBe('pending')
  expect(outcome(closes)).toBe('void')
})
