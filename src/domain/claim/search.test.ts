import { expect, it } from 'vitest'
import { isoDay } from '#domain/day.ts'
import { readSearch, yearOf } from './search.ts'

const NOTHING = { words: [], levels: [], digits: [], spans: [], timings: [] }

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
  ['250k on that day', { levels: [250_000], timings: ['at_end'] }],
  ['planb At the end', { words: ['planb'], timings: ['at_end'] }],
  ['on that daydream', { words: ['daydream'] }],
  ['250 000', { levels: [250_000] }],
  ['Someone said 250k', { levels: [250_000] }],
  ['someone said', { words: ['someone', 'said'] }],
  ['quarter million', { levels: [250_000] }],
  ['planb half a million', { words: ['planb'], levels: [500_000] }],
  ['a hundred thousand', { levels: [100_000] }],
  ['@100trillionUSD', { words: ['100trillionusd'] }],
  ['', {}],
])('the search %s is read as intended', (text, expected) => {
  expect(readSearch(text)).toEqual({ ...NOTHING, ...expected })
})

it.each([
  ['2026', '2026-01-01', '2026-12-31', 2026],
  ['dec 2025', '2025-12-01', '2025-12-31', null],
  ['February 2024', '2024-02-01', '2024-02-29', null],
  ['31/12/2026', '2026-12-31', '2026-12-31', null],
  ['2026-03', '2026-03-01', '2026-03-31', null],
])('the search %s is a time', (text, first, last, year) => {
  const { spans, words, levels, digits } = readSearch(text)
  expect([words, levels, digits]).toEqual([[], [], []])
  const found = spans.map((span) => [isoDay(span.first), isoDay(span.last), yearOf(span)])
  expect(found).toEqual([[first, last, year]])
})
