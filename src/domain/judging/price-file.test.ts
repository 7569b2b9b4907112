import { expect, it } from 'vitest'
import { readPriceLines } from './price-file.ts'

const read = (text: string) =>
  readPriceLines(text, {
    asset: 'btc',
    source: 'mine',
    nowMs: Date.parse('2026-11-24T12:00:00Z'),
    parse: (csv) =>
      csv
        .trimEnd()
        .split('\n')
        .map((line, i) => ({ record: line.split(','), info: { lines: i + 1 } })),
  })

it('a price file may have its columns in any order, among others', () => {
  expect(read('Volume,Close,Low,High,Date\n7,105,95,110,2024-01-01\n')).toEqual({
    ok: true,
    bad: [],
    rows: [{ day: 19_723, open: null, high: 110, low: 95, close: 105, source: 'mine' }],
  })
})

it.each([
  ['time,price', 'date and close'],
  ['date,open,high,low', 'date and close'],
  ['date,close,close', 'the column close twice'],
])('a price file with the columns %s is refused in a sentence', (head, words) => {
  const file = read(`${head}\n1,2,3,4\n`)
  expect(file.ok ? null : file.broken).toContain(words)
})

it.each([
  ['2026-11-23', null],
  ['2026-11-24', '2026-11-24 is not over yet'],
  ['2026-02-29', '"2026-02-29" is no date such as 2024-08-08'],
])('a line of a price file of %s is taken once its day is over: %j', (date, reason) => {
  const file = read(`date,close\n${date},105\n`)
  expect(file.ok && file.bad.map((one) => one.reason)).toEqual(reason === null ? [] : [reason])
  expect(file.ok && file.rows.length).toBe(reason === null ? 1 : 0)
})
