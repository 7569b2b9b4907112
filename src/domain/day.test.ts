import { expect, it } from 'vitest'
import {
  addYears,
  day,
  deadlinePrecision,
  endOfPrecision,
  isoDay,
  readDay,
  showDay,
  showSpan,
  showTimeBetween,
  readDayInput,
  readTypedDay,
} from './day.ts'

it('a date is written as it was read, also with a time after it', () => {
  expect(readDay('1970-01-02')).toBe(1)
  const texts = ['2000-02-29', '2000-02-29T23:59:59Z', '2000-02-29 10:00']
  expect(texts.map((text) => isoDay(day(text)))).toEqual(Array(3).fill('2000-02-29'))
})

it.each(['', '2024-02-30', '2024-13-01', '08/08/2024', '2024-8-8', '2024-08-081', '0000-01-01'])(
  'readDay refuses %j',
  (text) => expect(readDay(text)).toBeNull(),
)

it('29 February stays in February', () =>
  expect(isoDay(addYears(day('2024-02-29'), -1))).toBe('2023-02-28'))

it('a date is shown with its own precision', () => {
  const known = day('2017-11-30')
  expect(showDay(known)).toBe('30/11/2017')
  expect(showDay(known, 'month')).toBe('Nov 2017')
  expect(showDay(known, 'year')).toBe('2017')
})

it('a month and a year end on their last day', () => {
  expect(isoDay(endOfPrecision(day('2024-02-10'), 'month'))).toBe('2024-02-29')
  expect(isoDay(endOfPrecision(day('2024-02-10'), 'year'))).toBe('2024-12-31')
})

it.each([
  [1, '1 day'],
  [45, '45 days'],
  [396, '13 months'],
  [1_461, '4 years'],
])('%d days are shown as %s', (days, text) => expect(showSpan(days)).toBe(text))

it('a deadline in the middle of a period is shown by its day', () => {
  expect(deadlinePrecision(day('2025-04-05'), 'year')).toBe('day')
  expect(deadlinePrecision(day('2025-12-31'), 'year')).toBe('year')
  expect(deadlinePrecision(day('2025-06-30'), 'month')).toBe('month')
})

it.each([
  ['1899-12-31', false],
  ['1900-01-01', true],
  ['2299-12-31', true],
  ['2300-01-01', false],
])('the entered date %s is parsed: %s', (text, isTaken) => {
  expect(readDayInput(text) !== null).toBe(isTaken)
  // Stored dates may be in any year, or they could not be read again.
  expect(readDay(text)).not.toBeNull()
})

it.each([
  ['2022-12-31', '2025-12-31', '3 years'],
  ['2022-12-31', '2023-06-30', '6 months'],
  ['2020-02-29', '2021-02-28', '1 year'],
  ['2025-06-23', '2026-12-31', '1 year and 6 months'],
  ['2025-12-31', '2026-01-31', '1 month'],
  ['2025-01-15', '2025-02-14', '30 days'],
  ['2025-09-30', '2025-10-01', '1 day'],
  ['2021-10-31', '2024-12-30', '3 years and 1 month'],
])('from %s to %s it is %s', (from, to, text) =>
  expect(showTimeBetween(day(from), day(to))).toBe(text),
)

it.each([
  ['31/12/2027', '2027-12-31'],
  ['3/4/2027', '2027-04-03'],
  [' 03.04.2027 ', '2027-04-03'],
  ['3-4-2027', '2027-04-03'],
  ['03 04 2027', '2027-04-03'],
  ['03042027', '2027-04-03'],
  ['2027-04-03', '2027-04-03'],
  ['29/02/2028', '2028-02-29'],
  ['29/02/2027', null],
  ['12/31/2027', null],
  ['3/4/27', null],
  ['3/4', null],
  ['3/4.2027', null],
  ['1/1/1850', null],
  ['', null],
  ['tomorrow', null],
])('a day that is typed as %j is %s', (text, iso) => {
  const day = readTypedDay(text)
  expect(day === null ? null : isoDay(day)).toBe(iso)
})
