import { expect, it } from 'vitest'
import { type AssetKey } from '#domain/asset.ts'
import { day } from '#domain/day.ts'
import { readPriceLines } from './price-file.ts'

const parse = (csv: string) => {
  const lines = csv.trimEnd().split('\n')
  return lines.map((line, i) => ({ record: line.split(','), info: { lines: i + 1 } }))
}
const read = (text: string, asset: AssetKey = 'btc') =>
  readPriceLines(text, { asset, source: 'mine', nowMs: Date.parse('2026-11-24T12:00:00Z'), parse })

it('accepts price files with columns in any order, and ignores other columns', () => {
  const row = { day: 19_723, open: null, high: 110, low: 95, close: 105, source: 'mine' }
  const file = read('Volume,Close,Low,High,Date\n7,105,95,110,2024-01-01\n')
  expect(file).toEqual({ ok: true, bad: [], rows: [row] })
})

it.each([
  ['time,price', 'date and close'],
  ['date,open,high,low', 'date and close'],
  ['date,close,close', 'the column close twice'],
])('a price file with the columns %s is refused with a message', (head, words) => {
  const file = read(`${head}\n1,2,3,4\n`)
  expect(file.ok ? null : file.broken).toContain(words)
})

it.each([
  ['2026-11-23', null],
  ['2026-11-24', '2026-11-24 is not over yet'],
  ['2026-02-29', '"2026-02-29" is not a date such as 2024-08-08'],
  ['2025-06-16 00:00:00-04:00', null],
  ['2025-06-16T00:00:00Z', null],
  ['2025-06-16 09:30:00', '"2025-06-16 09:30:00" is not a date such as 2024-08-08'],
  ['x'.repeat(50_000), `"${'x'.repeat(40)}…" is not a date such as 2024-08-08`],
])('a line of a price file of %s is accepted once its day is over: %j', (date, reason) => {
  const file = read(`date,close\n${date},105\n`)
  expect(file.ok && file.bad.map((one) => one.reason)).toEqual(reason === null ? [] : [reason])
  expect(file.ok && file.rows.length).toBe(reason === null ? 1 : 0)
})

it.each([
  ['2026-11-22', 'MSTR does not trade on Sunday'],
  // The next one.
  ['2026-11-28', 'MSTR does not trade on Saturday'],
  ['2025-06-19', 'MSTR does not trade on 19/06/2025'],
])('a line of a stock for %s without a session is refused: %s', (date, reason) => {
  expect(read(`date,close\n${date},105\n`, 'mstr')).toMatchObject({ rows: [], bad: [{ reason }] })
})

it('the later of two rows for one day in a price file counts', () => {
  const rows = [{ close: 100 }, { day: day('2024-01-02'), close: 106 }]
  const file = read('date,close\n2024-01-02,105\n2024-01-01,100\n2024-01-02,106\n')
  expect(file).toMatchObject({ rows, bad: [] })
})

it.each([
  ['291.77,282.38,291.78', { high: 291.78, close: 291.78 }],
  ['291.8,282.4,291.84', { high: 291.84 }],
  ['291.7699890136719,282.3800048828125,291.77001953125', { high: 291.77001953125 }],
  ['291.77,282.38,282.37', { low: 282.37 }],
  ['291.77,282.38,291.79', null],
  ['3,1,4', null],
])('high, low and close of %s are accepted with rounding differences: %j', (prices, bar) => {
  const file = read(`date,high,low,close\n2024-01-01,${prices}\n`)
  expect(file).toMatchObject(bar ? { rows: [bar], bad: [] } : { rows: [], bad: [{ row: 2 }] })
})
