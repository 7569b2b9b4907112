import { expect, it } from 'vitest'
import { csvOf, objectsOf, type DataTable } from './tables.ts'

const TABLE: DataTable = {
  columns: [
    { name: 'who', kind: 'text', about: '' },
    { name: 'usd', kind: 'usd', about: '' },
  ],
  rows: [
    ['plain', 1.5],
    ['with "quotes", a comma\nand a line', -2],
    ['=HYPERLINK("x")', null],
    ['-1 is no number here', 1e21],
    ['ロング', 0],
    ['＝1+1', 0],
  ],
}

it('a data file as CSV follows RFC 4180, with empty cells for unknown values', () => {
  expect(csvOf(TABLE)).toBe(
    [
      '\uFEFFwho,usd',
      'plain,1.5',
      '"with ""quotes"", a comma\nand a line",-2',
      `"'=HYPERLINK(""x"")",`,
      "'-1 is no number here,1e+21",
      'ロング,0',
      "'＝1+1,0",
      '',
    ].join('\r\n'),
  )
})

it('a data file as JSON has an object per row', () => {
  expect(objectsOf(TABLE)[2]).toEqual({ who: '=HYPERLINK("x")', usd: null })
})
