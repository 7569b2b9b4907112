import { describe, expect, it } from 'vitest'
import { day, isoDay, type Day } from '#domain/day.ts'
import { bar, judgedOn, statement, target } from '#tests/support/builders.ts'
import { doubtful, farPrice, findJump, splitOfJump } from './jump.ts'
import { isHalfDay, lastEndedDay, sessionOf } from './series.ts'
import { agreeDay, barState, settleDay, type BarState, type SourceOnDay } from './settle.ts'
import { isInSession, nextRefresh, isCredible, type Tick } from './tick.ts'

const at = (text: string): number => Date.parse(text)
const iso = (ms: number): string => new Date(ms).toISOString().replace(':00.000Z', 'Z')

it.each([
  ['2024-03-08', '2024-03-08T14:30Z', '2024-03-08T21:00Z', 'winter, on the last Friday'],
  ['2024-03-11', '2024-03-11T13:30Z', '2024-03-11T20:00Z', 'the first Monday of summer time'],
  ['2024-11-01', '2024-11-01T13:30Z', '2024-11-01T20:00Z', 'the last Friday of summer time'],
  ['2024-11-04', '2024-11-04T14:30Z', '2024-11-04T21:00Z', 'winter again'],
  ['2006-04-03', '2006-04-03T13:30Z', '2006-04-03T20:00Z', 'by the rule of before 2007'],
  ['2006-10-30', '2006-10-30T14:30Z', '2006-10-30T21:00Z', 'by the rule of before 2007'],
  ['2024-11-29', '2024-11-29T14:30Z', '2024-11-29T18:00Z', 'half a day after Thanksgiving'],
  ['2024-12-24', '2024-12-24T14:30Z', '2024-12-24T18:00Z', 'half a day before Christmas'],
  ['2024-07-03', '2024-07-03T13:30Z', '2024-07-03T17:00Z', 'half a day in summer'],
])('sessions of %s run from %s to %s: %s', (date, begin, end) => {
  const session = sessionOf('new-york', day(date))
  expect(session && [iso(session.begin), iso(session.end)]).toEqual([begin, end])
})

it('sessions know which 3 July and 24 December are holidays', () => {
  expect(isHalfDay(day('2026-07-03'))).toBe(false)
  expect(isHalfDay(day('2021-12-24'))).toBe(false)
  expect(isHalfDay(day('2023-07-03'))).toBe(true)
})

it.each([
  ['new-york', '2024-11-29T17:59Z', '2024-11-27'],
  ['new-york', '2024-11-29T18:00Z', '2024-11-29'],
  ['new-york', '2024-12-02T20:59Z', '2024-11-29'],
  ['every-day', '2024-12-02T23:59Z', '2024-12-01'],
] as const)('sessions on %s have ended by %s up to %s', (calendar, now, last) =>
  expect(isoDay(lastEndedDay(calendar, at(now)))).toBe(last),
)

const MINUTES = 60_000
it.each([
  ['every-day', 5, '2024-06-03T12:00Z', '2024-06-03T12:05Z', 'while the day runs'],
  ['every-day', 5, '2024-06-03T23:58Z', '2024-06-04T00:05Z', 'five minutes after midnight'],
  ['every-day', null, '2024-06-04T00:06Z', '2024-06-04T01:05Z', 'once more later'],
  ['every-day', null, '2024-06-04T01:06Z', '2024-06-05T00:05Z', 'the next day'],
  ['new-york', 5, '2024-03-08T18:00Z', '2024-03-08T18:05Z', 'in session'],
  ['new-york', 5, '2024-03-08T20:58Z', '2024-03-08T21:20Z', 'after the close in winter'],
  ['new-york', 5, '2024-03-11T19:58Z', '2024-03-11T20:20Z', 'after the close in summer'],
  ['new-york', 5, '2024-11-29T17:58Z', '2024-11-29T18:20Z', 'after half a day'],
  ['new-york', 5, '2024-03-09T02:00Z', '2024-03-11T13:35Z', 'over a weekend'],
  ['new-york', null, '2024-11-27T22:00Z', '2024-11-28T01:30Z', 'late, on the eve of a holiday'],
  ['new-york', null, '2024-11-28T02:00Z', '2024-11-29T18:20Z', 'over a holiday'],
] as const)(
  'the next reading of %s every %s minutes at %s is %s: %s',
  (calendar, minutes, now, next, _when) => {
    const refreshMs = minutes === null ? null : minutes * MINUTES
    expect(iso(nextRefresh(calendar, refreshMs, at(now)))).toBe(next)
  },
)

it('knows when a live price is expected', () => {
  expect(isInSession('new-york', at('2024-03-11T13:29Z'))).toBe(false)
  expect(isInSession('new-york', at('2024-03-11T13:30Z'))).toBe(true)
  expect(isInSession('new-york', at('2024-11-29T18:00Z'))).toBe(false)
  expect(isInSession('every-day', at('2024-11-28T03:00Z'))).toBe(true)
})

const full = (report: SourceOnDay['report']): SourceOnDay => ({ isFull: true, report })
const closes = (report: SourceOnDay['report']): SourceOnDay => ({ isFull: false, report })
it.each([
  ['two report after its end', [full('over'), full('over'), full('expected')], 'final'],
  ['one of two reports', [full('over'), full('expected')], 'needs-second'],
  ['one reports after the end, one before', [full('over'), full('open')], 'needs-second'],
  ['the only one reports', [full('over')], 'final'],
  ['the others have nothing to report', [full('over'), full('absent'), full('absent')], 'final'],
  ['closes confirm nothing', [full('over'), full('expected'), closes('over')], 'needs-second'],
  ['closes wait for one with highs', [closes('over'), full('expected')], 'alone'],
  ['closes are all there is', [closes('over'), full('absent')], 'final'],
  ['it runs, and two will report', [full('open'), full('expected')], 'needs-second'],
  ['it runs, with one source', [full('open')], 'alone'],
] as const)('a day settles or not when %s', (_, sources, settled) =>
  expect(settleDay(sources)).toBe(settled),
)

it('a day settles bar by bar', () => {
  expect(barState('final', true)).toBe('final')
  expect(barState('final', false)).toBe('alone')
  expect(barState('needs-second', true)).toBe('waiting')
  expect(barState('needs-second', false)).toBe('moving')
})

const OUTSIDE = new Set(['a', 'b', 'c'])
const of = (prices: string, state: BarState, source = 'a') => {
  return { ...bar('2024-01-02', prices, source), state }
}

const D1 = bar('2024-01-01', '95..105>100')
const verdict = (bars: Parameters<typeof agreeDay>[1]) => {
  const known = [D1, agreeDay('btc', bars, null, OUTSIDE)]
  return judgedOn('2024-01-02', known, statement(target(130), { by: day('2024-01-02') })).verdicts
    .touch
}

it('an unfinished bar proves nothing when only one of two venues saw it, and says so', () => {
  const alone = verdict([of('99..138000>125', 'moving')])
  expect(alone).toMatchObject({ outcome: 'pending', unconfirmed: { usd: 138_000 } })
  expect(alone.nearest).toBeNull()
  const two = [of('99..138000>125', 'moving'), of('0.06..126>125', 'moving', 'b')] as const
  const both = verdict(two)
  expect(both).toMatchObject({ outcome: 'pending', unconfirmed: { usd: 138_000 } })
  expect(both.nearest).toMatchObject({ usd: 126 })
})

it('an unfinished bar widens final ones if two venues report the same price', () => {
  const finals = [of('99..121>110', 'final'), of('98..119>110', 'final', 'b')] as const
  const agreed = agreeDay('btc', [...finals, of('97..120>115', 'alone', 'c')], null, OUTSIDE)
  expect(agreed).toMatchObject({ high: 120, low: 98, close: 110, source: 'a + b' })
  expect(agreed).toMatchObject({ loneHigh: 121, loneLow: 97 })
})

it.each([
  ['btc', '75..125>100', null, { high: 125, low: 75, loneHigh: null, loneLow: null }],
  ['btc', '74..126>100', null, { high: 100, low: 100, loneHigh: 126, loneLow: 74 }],
  ['mstr', '99..126>100', null, { high: 100, low: 99, loneHigh: 126, loneLow: null }],
  ['naka', '41..159>100', null, { high: 159, low: 41, loneHigh: null, loneLow: null }],
  ['naka', '39..161>100', null, { high: 100, low: 100, loneHigh: 161, loneLow: 39 }],
  ['btc', '99..130>100', 110, { high: 130, loneHigh: null }],
  ['btc', '99..140>100', 110, { high: 100, loneHigh: 140 }],
  ['btc', '60..101>100', 90, { low: 100, loneLow: 60 }],
] as const)(
  'a wick of the only source of %s, %s after %s, is accepted so far',
  (asset, prices, previous, expected) => {
    for (const state of ['final', 'alone'] as const) {
      expect(agreeDay(asset, [of(prices, state)], previous, OUTSIDE)).toMatchObject(expected)
    }
  },
)

it('a wick of the only source is accepted in an imported file', () => {
  const bars = [of('99..155>100', 'final', 'file')] as const
  expect(agreeDay('btc', bars, 100, OUTSIDE)).toMatchObject({ high: 155, loneHigh: null })
})

it('a wick of the only source counts once a second one saw it, even if that one failed later', () => {
  const bars = [of('99..140>100', 'final'), of('99..139>100', 'alone', 'b')] as const
  const agreed = { high: 139, loneHigh: 140, close: 100 }
  expect(agreeDay('btc', bars, 100, OUTSIDE)).toMatchObject(agreed)
})

describe('a jump', () => {
  const closes = [bar('2024-08-06', 1_300), bar('2024-08-07', 1_350), bar('2024-08-08', 136)]
  const split = { asset: 'mstr', day: day('2024-08-08'), ratio: 10 } as const
  it('is the first change of 40% or more', () => {
    expect(findJump(null, closes, new Set())?.after.day).toBe(day('2024-08-08'))
    expect(findJump(bar('2024-08-05', 700), closes, new Set())?.after.day).toBe(day('2024-08-06'))
    expect(findJump(null, closes, new Set([day('2024-08-08')]))).toBeNull()
    expect(findJump(bar('2024-08-05', 100), [bar('2024-08-06', 139.9)], new Set())).toBeNull()
    expect(findJump(bar('2024-08-05', 100), [bar('2024-08-06', 60)], new Set())).not.toBeNull()
  })
  // A price a day from 2024-01-01 on; a gap is a day without one.
  const series = (prices: readonly (number | null)[], from = '2024-01-01') =>
    prices.flatMap((usd, i) => (usd === null ? [] : [bar((day(from) + i) as Day, usd)]))
  const TENS = [10, 10, 10, 10, 10]
  it.each([
    ['nothing if the record agrees', [100, 101], [100, 101], []],
    ['a digit too many on a known day', [100, 101, 102], [null, 1010], [2]],
    ['a shifted decimal between known days', [100, null, 102], [null, 10.1], [2]],
    ['one wrong new day, but not the days after it', [100], [null, 101, 1010, 102], [3]],
    ['other units from a day on', [100], [null, ...TENS, 100, 100], [2, 3, 4, 5, 6, 7, 8]],
    ['other units before the record', [null, null, 29], [280, 285], [1, 2]],
    ['one wrong day before the record', [null, null, null, 29], [29, 290, 28], [2]],
    ['a slow drift to another level', [100, null, null, null, 101], [null, 130, 170, 200], [3, 4]],
    ['a jump in an empty record', [], [100, 101, 1010], [3]],
    ['the first day in an empty record', [], [1010, 100, 101], [1]],
    ['nothing in an empty record', [], [100, 101], []],
  ])('a price file needs a decision about %s', (_, record, input, days) => {
    const doubts = doubtful(series(input), series(record), new Set())
    const found = [...doubts.keys()].map((one) => one - day('2024-01-01') + 1)
    expect(found.toSorted((a, b) => a - b)).toEqual(days)
  })
  it('a price file needs no decision about a real jump', () => {
    const real = new Set([day('2024-01-02')])
    expect(doubtful(series([100, 150, 151]), series([100, 100, 151]), real).size).toBe(0)
    expect(doubtful(series([null, 150]), series([100]), real).size).toBe(0)
    expect(doubtful(series([null, 1500]), series([100, 150, 151]), real).size).toBe(1)
  })
  it.each([
    ['100..139>110', 100, null],
    ['80..160>110', 110, 160],
    ['80..160>110', 120, null],
    ['60..110>100', 100, 60],
    ['60..110>100', null, 60],
    ['61..110>100', 100, null],
  ])('a range of %s after %s counts as a jump or not: %s', (prices, before, far) => {
    expect(farPrice(bar('2024-01-02', prices), before)).toBe(far)
  })
  it('is explained only by a split of its day and size', () => {
    const jump = findJump(null, closes, new Set())!
    expect(splitOfJump('mstr', jump, [split])).toEqual(split)
    expect(splitOfJump('btc', jump, [split])).toBeNull()
    expect(splitOfJump('mstr', jump, [{ ...split, ratio: 2 }])).toBeNull()
    expect(splitOfJump('mstr', jump, [{ ...split, day: day('2024-08-09') }])).toBeNull()
    // The close before is in the new units already.
    expect(splitOfJump('mstr', jump, [{ ...split, day: jump.before.day }])).toBeNull()
  })
})

const tick = (usd: number, seconds: number, source = 'a'): Tick => {
  return { source, usd, at: seconds * 1_000 }
}
const rules = { sole: false, nearSince: 0 }
it.each([
  ['the first one', tick(138_000, 0), null, [], rules, false],
  ['the first one, lasting for a minute', tick(100, 60), null, [], rules, true],
  ['the first one, seen by another', tick(100, 1), null, [tick(101, 0, 'b')], rules, true],
  ['the first one, denied', tick(60, 90), null, [tick(100, 89, 'b')], rules, false],
  ['near the last one', tick(104, 10), tick(100, 0), [], rules, true],
  ['far off, alone', tick(106, 10), tick(100, 0), [], rules, false],
  ['far off, seen by another', tick(106, 70), tick(100, 0), [tick(105, 10, 'b')], rules, true],
  ['far off, seen too long ago', tick(106, 71), tick(100, 0), [tick(105, 10, 'b')], rules, false],
  ['far off, denied', tick(0.06, 10), tick(100, 0), [tick(100, 9, 'b')], rules, false],
  ['its own echo', tick(106, 10), tick(100, 0), [tick(106, 9, 'a')], rules, false],
  ['staying there for a minute', tick(106, 60), tick(100, 0), [], { ...rules, sole: true }, true],
  ['after a long silence', tick(120, 700), tick(100, 0), [], rules, true],
  ['after a long silence, but too recent', tick(120, 30), tick(100, -700), [], rules, false],
  ['denied for a long time', tick(138, 700), tick(100, 0), [tick(100, 690, 'b')], rules, false],
])('a tick is shown or not: %s', (_, now, last, others, ticks, isVisible) =>
  expect(isCredible(now, last, others, ticks)).toBe(isVisible),
)
