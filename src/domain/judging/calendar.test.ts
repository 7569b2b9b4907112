import { expect, it } from 'vitest'
import { addDays, day, isoDay } from '#domain/day.ts'
import { isTradingDay, lastTradingDay, newYorkHolidays, tradingDaysBetween } from './calendar.ts'

it.each([
  ['2026-01-01', 'New Year'],
  ['2026-01-19', 'Martin Luther King Day'],
  ['2026-02-16', "Presidents' Day"],
  ['2026-04-03', 'Good Friday'],
  ['2024-03-29', 'Good Friday'],
  ['2026-05-25', 'Memorial Day'],
  ['2026-06-19', 'Juneteenth'],
  ['2026-07-03', 'Independence Day, kept on the Friday'],
  ['2026-09-07', 'Labor Day'],
  ['2026-11-26', 'Thanksgiving'],
  ['2026-12-25', 'Christmas'],
  ['2022-12-26', 'Christmas, kept on the Monday'],
  ['2001-09-12', 'closed after the attacks'],
  ['2025-01-09', 'a day of mourning'],
  ['2026-11-21', 'a Saturday'],
])('New York sessions are closed on %s: %s', (date) =>
  expect(isTradingDay('new-york', day(date))).toBe(false),
)

it.each(['2021-12-31', '2021-06-18', '2026-11-20', '2026-11-27', '2010-12-31'])(
  'New York sessions take place on %s',
  (date) => expect(isTradingDay('new-york', day(date))).toBe(true),
)

it.each([
  ['ten in a usual year', 2026, 10],
  ['one less if New Year’s Day is a Saturday', 2022, 9],
])('New York sessions have as holidays %s', (_, year, count) =>
  expect(newYorkHolidays(year).size).toBe(count),
)

it('New York sessions are found before a weekend', () => {
  expect(isoDay(lastTradingDay('new-york', day('2026-11-22')))).toBe('2026-11-20')
})

it('a coin has a bar for every day', () =>
  expect(isTradingDay('every-day', day('2026-12-25'))).toBe(true))

it.each(['every-day', 'new-york'] as const)(
  'trading days are counted one by one, %s',
  (calendar) => {
    const first = day('2019-12-20')
    let count = 0
    for (let days = 1; days <= 800; days += 1) {
      const at = addDays(first, days)
      if (isTradingDay(calendar, at)) count += 1
      expect([isoDay(at), tradingDaysBetween(calendar, first, at)]).toEqual([isoDay(at), count])
    }
  },
)

it('trading days are zero backwards, and 252 in a usual year', () => {
  const [first, last] = [day('2023-12-31'), day('2024-12-31')]
  expect(tradingDaysBetween('new-york', last, first)).toBe(0)
  expect(tradingDaysBetween('new-york', first, last)).toBe(252)
})
