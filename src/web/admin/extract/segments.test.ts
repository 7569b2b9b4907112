import { expect, it } from 'vitest'
import { segmentsOf } from './segments.ts'

const TEXT = 'BTC 80-120k by 2027'

it('a text is cut where the words of its fields begin and end', () => {
  const found = segmentsOf(TEXT, {
    price_min: { start: 4, end: 11, text: '80-120k' },
    price_max: { start: 7, end: 11, text: '120k' },
    asset_type: { start: 0, end: 3, text: 'BTC' },
  })
  expect(found.map(({ text, fields, ends }) => [text, fields, ends])).toEqual([
    ['BTC', ['asset_type'], ['asset_type']],
    [' ', [], []],
    ['80-', ['price_min'], []],
    ['120k', ['price_min', 'price_max'], ['price_min', 'price_max']],
    [' by 2027', [], []],
  ])
})

it('words that are not in the text are left out', () => {
  const found = segmentsOf(TEXT, { price_min: { start: 4, end: 99, text: 'x' } })
  expect(found).toEqual([{ text: TEXT, fields: [], ends: [] }])
  expect(segmentsOf('', {})).toEqual([])
})
