import { expect, it } from 'vitest'
import { day } from '#domain/day.ts'
import { levelFigures } from './level-figures.ts'

const TODAY = day('2026-11-20')
const open = (usd: number, by = '2027-12-31') => ({ usd, by: day(by) })

it('one level far above the others moves the average, not the median', () => {
  const levels = { lowest: 10_000, median: 500_000, highest: 10_000_000 }
  const found = levelFigures([open(10_000), open(500_000), open(10_000_000)], TODAY)
  expect(found).toEqual({ average: 3_503_333, spread: 9_990_000, ...levels })
})

it('levels for more than ten years ahead do not count', () => {
  const found = levelFigures([open(2, '2045-12-31'), open(300)], TODAY)
  expect(found).toMatchObject({ median: 300, spread: 0 })
  const none = { average: 0, spread: 0, median: 0, lowest: 0, highest: 0 }
  expect(levelFigures([], TODAY)).toEqual(none)
})
