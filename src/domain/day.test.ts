import { expect, it } from 'vitest'
import { storedCases } from '#tests/support/stored-cases.ts'
import {
  addYears,
  type DatePrecision,
  day,
  type Day,
  deadlinePrecision,
  endOfPrecision,
  isoDay,
  readDay,
  readDayInput,
  readTypedDay,
  showDay,
  showSpan,
  showTimeBetween,
} from './day.ts'

const iso = (read: Day | null) => (read === null ? null : isoDay(read))

it('days are read and shown as stored', () =>
  storedCases('day', {
    'read and written again': (text) => iso(readDay(text)),
    'read from a form': (text) => iso(readDayInput(text)),
    typed: (text) => iso(readTypedDay(text)),
    'years later': (text, years) => isoDay(addYears(day(text), Number(years))),
    shown: (text, precision) => showDay(day(text), precision as DatePrecision),
    'the end of its period': (text, precision) =>
      isoDay(endOfPrecision(day(text), precision as DatePrecision)),
    'the precision of a deadline': (text, precision) =>
      deadlinePrecision(day(text), precision as DatePrecision),
    'a number of days': (days) => showSpan(Number(days)),
    'the time between': (from, to) => showTimeBetween(day(from), day(to)),
  }))

it('a day is its number since 1970', () => expect(readDay('1970-01-02')).toBe(1))
