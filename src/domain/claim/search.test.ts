import { predictionsOfRows } from '#contracts/prediction-wire.ts'
import { isoDay } from '#domain/day.ts'
import { predictionRow } from '#tests/support/web-fixtures.ts'
import { describe, expect, it } from 'vitest'
import { fitsSearch, namesPerson, readSearch, yearOf, namesLevel } from './search.ts'

const NOTHING = { words: [], levels: [], digits: [], spans: [] }

describe('reading a search', () => {
  it.each([
    ['saylor', { words: ['saylor'] }],
    ['150k', { levels: [150_000] }],
    ['$150,000', { levels: [150_000] }],
    ['150.000', { levels: [150_000] }],
    ['1.5 million', { levels: [1_500_000] }],
    ['$2026', { levels: [2026] }],
    ['150', { digits: ['150'] }],
    ['planb 100k', { words: ['planb'], levels: [100_000] }],
    ['  Émile —  ', { words: ['emile'] }],
    ['99/99/2026', { words: ['99', '99', '2026'] }],
    ['', {}],
  ])('%s is read as what was meant', (text, wanted) => {
    expect(readSearch(text)).toEqual({ ...NOTHING, ...wanted })
  })

  it.each([
    ['2026', '2026-01-01', '2026-12-31', 2026],
    ['dec 2025', '2025-12-01', '2025-12-31', null],
    ['February 2024', '2024-02-01', '2024-02-29', null],
    ['31/12/2026', '2026-12-31', '2026-12-31', null],
    ['2026-03', '2026-03-01', '2026-03-31', null],
  ])('%s is a time', (text, first, last, year) => {
    const { spans, words, levels, digits } = readSearch(text)
    expect([words, levels, digits]).toEqual([[], [], []])
    expect(spans.map((span) => [isoDay(span.first), isoDay(span.last), yearOf(span)])).toEqual([
      [first, last, year],
    ])
  })
})

const [ONE] = predictionsOfRows([
  predictionRow({
    influencer: {
      id: 1,
      name: 'Plan B',
      slug: 'plan-b',
      score: 0,
      is_firm: false,
      x_handle: '100trillionUSD',
    },
    price_target: 135_000,
    prediction_made: '2021-06-20',
    prediction_date: '2021-06-20',
    target_time: '2022-12-31',
    quote: 'It follows the halving.',
  }),
])
if (!ONE) throw new Error('no prediction')

describe('what fits a search', () => {
  it.each([
    ['plan', true],
    ['planb', true],
    ['lan', false],
    ['135k', true],
    ['135', true],
    ['35', false],
    ['136k', false],
    ['2021', true],
    ['2022', true],
    ['2023', false],
    ['jun 2021', true],
    ['20/06/2021', true],
    ['21/06/2021', false],
    ['plan b 2021 135k halving', true],
    ['plan b 2021 130k', false],
    ['bitcoin', true],
    ['btc', true],
    ['', true],
  ])('%s fits: %s', (text, fits) => {
    expect(fitsSearch(readSearch(text), ONE)).toBe(fits)
  })

  it.each([
    ['planb', true],
    ['plan b', true],
    ['@100trillionusd', true],
    ['100trillion', true],
    ['saylor', false],
    ['', false],
  ])('%s names the person: %s', (text, names) => {
    expect(namesPerson(ONE.expert, readSearch(text).words)).toBe(names)
  })
})

it('a range is named exactly by either end, and around by what is between', () => {
  const levels = { price_target: null, price_min: 80_000, price_max: 120_000 }
  const [range] = predictionsOfRows([predictionRow({ prediction_type: 'range', ...levels })])
  const said = [79_999, 80_000, 100_000, 120_000, 120_001].map(
    (usd) => range && namesLevel(range, usd),
  )
  expect(said).toEqual(['no', 'exactly', 'around', 'exactly', 'no'])
  // While it is typed, too.
  expect(['8', '12', '10'].map((text) => range && fitsSearch(readSearch(text), range))).toEqual([
    true,
    true,
    false,
  ])
})
