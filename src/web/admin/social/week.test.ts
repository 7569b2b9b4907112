import { describe, expect, it } from 'vitest'
import { cellAt, momentIn, movedBy, placesOf, weekOf } from './week.ts'

const at = (text: string): number => new Date(text).getTime()
const show = (ms: number): string => {
  const one = new Date(ms)
  return `${one.toLocaleDateString('en-CA')} ${one.toLocaleTimeString('en-GB')}`
}

describe('a week', () => {
  it.each(['2026-11-23T00:00', '2026-11-25T12:00', '2026-11-29T23:59'])(
    'a week begins on Monday and ends with Sunday: %s',
    (moment) => {
      const week = weekOf(at(moment))
      expect(week).toHaveLength(8)
      expect([week[0], week[6], week[7]].map((ms) => show(ms ?? 0))).toEqual([
        '2026-11-23 00:00:00',
        '2026-11-29 00:00:00',
        '2026-11-30 00:00:00',
      ])
    },
  )

  it('a week has seven days by the clock at every time of the year', () => {
    for (let day = 0; day < 366; day += 1) {
      const week = weekOf(movedBy(at('2026-01-01T12:00'), { days: day }))
      // Not everywhere is there a midnight on each day.
      for (const ms of week) expect(new Date(ms - 1).getDate()).not.toBe(new Date(ms).getDate())
      expect(new Set(week.map((ms) => new Date(ms).getDate())).size).toBe(8)
    }
  })

  it('a moment moves by a day at the same hour of the clock, and by hours over midnight', () => {
    for (let day = 0; day < 366; day += 1) {
      const from = movedBy(at('2026-01-01T12:30'), { days: day })
      expect(new Date(movedBy(from, { days: 1 })).getHours()).toBe(12)
      // Where the clock leaves out an hour, it does not get stuck there.
      expect(movedBy(movedBy(from, { hours: 13 }), { hours: -13 })).toBe(from)
    }
    expect(show(movedBy(at('2026-11-29T23:30'), { hours: 1 }))).toBe('2026-11-30 00:30:00')
    expect(show(movedBy(at('2026-11-01T00:30'), { days: -1 }))).toBe('2026-10-31 00:30:00')
  })

  it('a moment keeps its minutes in another hour', () => {
    const week = weekOf(at('2026-11-25T12:00'))
    expect(show(momentIn(week, 6, 9, at('2026-11-25T12:34:56')))).toBe('2026-11-29 09:34:56')
  })

  it('posts of the same hour lie beside each other, and others nowhere', () => {
    const week = weekOf(at('2026-11-25T12:00'))
    const moments = ['25T12:00', '25T12:59', '25T13:00', '26T12:00', '30T12:00', '22T23:59']
    expect(
      placesOf(
        week,
        moments.map((one) => at(`2026-11-${one}`)),
      ),
    ).toEqual([
      { day: 2, hour: 12, lane: 0, lanes: 2 },
      { day: 2, hour: 12, lane: 1, lanes: 2 },
      { day: 2, hour: 13, lane: 0, lanes: 1 },
      { day: 3, hour: 12, lane: 0, lanes: 1 },
      null,
      null,
    ])
  })

  it.each([
    [0, 0, 0, 0],
    [0.5, 0.5, 3, 12],
    [1, 1, 6, 23],
    [-3, 7, 0, 23],
  ])('a point belongs to an hour, also beyond the edge: %d, %d', (x, y, day, hour) => {
    expect(cellAt(x, y)).toEqual({ day, hour })
  })
})
