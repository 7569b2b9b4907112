import { describe, expect, it } from 'vitest'
import { addDays, day, isoDay } from '#domain/day.ts'
import { bar, judgedOn, statement, target } from '#tests/support/builders.ts'
import { storedCases } from '#tests/support/stored-cases.ts'
import { type Calendar } from './calendar.ts'
import { doubtful, farPrice, findJump, splitOfJump } from './jump.ts'
import { isHalfDay, lastEndedDay, sessionOf } from './series.ts'
import { agreeDay, barState, settleDay, type BarState, type SourceOnDay } from './settle.ts'
import { isInSession, nextRefresh, isCredible, type Tick } from './tick.ts'

const at = (text: string): number => Date.parse(text)
const iso = (ms: number): string => new Date(ms).toISOString().replace(':00.000Z', 'Z')

/** A price a day from 2024-01-01 on, with `-` for a day without one. */
const series = (prices: string) =>
  prices
    .split(' ')
    .flatMap((usd, i) => (usd === '-' ? [] : [bar(addDays(day('2024-01-01'), i), Number(usd))]))

/** A price such as `100@60`: dollars and seconds, of venue b unless it is our own. */
function tick(text: string, source = 'a'): Tick {
  const [usd, seconds] = text.replace(' own', '').split('@').map(Number)
  return { source, usd: usd ?? NaN, at: (seconds ?? NaN) * 1_000 }
}

it('sessions, days, jumps and ticks are told apart as stored', () =>
  storedCases('prices', {
    'a session of New York': (date) => {
      const session = sessionOf('new-york', day(date))
      return session && `${iso(session.begin)} to ${iso(session.end)}`
    },
    'whether it is half a day': (date) => isHalfDay(day(date)),
    'the last ended day': (calendar, now) => isoDay(lastEndedDay(calendar as Calendar, at(now))),
    'the next reading, after these minutes at this time': (calendar, minutes, now) =>
      iso(
        nextRefresh(
          calendar as Calendar,
          minutes === 'none' ? null : Number(minutes) * 60_000,
          at(now),
        ),
      ),
    'whether a live price is expected': (calendar, now) =>
      isInSession(calendar as Calendar, at(now)),
    'a day of sources, those with closes only in brackets': (sources) =>
      settleDay(
        sources.split(' ').map((one) => {
          const report = one.replaceAll(/[()]/g, '') as SourceOnDay['report']
          return { isFull: report === one, report }
        }),
      ),
    'one bar of a day': (settled, when) =>
      barState(settled as Parameters<typeof barState>[0], when === 'ended'),
    'days of a price file that need a decision, beside the record': (
      file,
      record,
      real?: string,
    ) => {
      const known = new Set(real === undefined ? [] : [day('2024-01-02')])
      const found = [...doubtful(series(file), series(record), known).keys()]
      return found.map((one) => one - day('2024-01-01') + 1).toSorted((a, b) => a - b)
    },
    'the far price of a range, after a close': (prices, before) =>
      farPrice(bar('2024-01-02', prices), before === 'none' ? null : Number(before)),
    'whether a tick is shown: now, the last one, those of others': (
      now,
      last,
      others = 'none',
      sole?: string,
    ) => {
      const seen = others === 'none' ? [] : [tick(others, others.includes('own') ? 'a' : 'b')]
      const rules = { sole: sole !== undefined, nearSince: 0 }
      return isCredible(tick(now), last === 'none' ? null : tick(last), seen, rules)
    },
  }))

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
