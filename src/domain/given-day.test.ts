import { expect, it } from 'vitest'
import { readTypedDay, isoDay } from './day.ts'

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
