import { expect, it } from 'vitest'
import { day, type DatePrecision } from '#domain/day.ts'
import { type Source, dayConflict } from './source.ts'

/** Made on 10 March 2026. */
const POST = 'https://x.com/experta/status/2031278883117924352'
const PAGE = 'https://example.org/said'

function source(url: string, more: Partial<Source> = {}): Source {
  return { kind: 'report', url, date: null, archivedUrl: null, quotation: null, ...more }
}

const OLD = source(PAGE, { date: '2025-03-10' })
it.each<[string, DatePrecision, readonly Source[], ReturnType<typeof dayConflict>]>([
  ['2026-03-10', 'day', [source(POST)], null],
  ['2026-03-11', 'day', [source(POST)], older('post', '10/03/2026', '2026-03-10')],
  ['2026-03-31', 'month', [source(POST)], null],
  ['2026-04-30', 'month', [source(POST)], older('post', '10/03/2026', '2026-03-10')],
  ['2015-03-01', 'day', [source(POST)], younger('post-younger')],
  ['2026-03-01', 'day', [source(POST, { kind: 'own' })], younger('post-younger')],
  ['2026-01-01', 'day', [source(POST, { kind: 'own' })], younger('own-post-younger')],
  ['2025-12-31', 'year', [source(POST, { kind: 'own' })], younger('own-post-younger')],
  // An article may be of a later day, but not of an earlier one.
  ['2026-03-01', 'day', [source(PAGE, { date: '2026-03-10' })], null],
  ['2026-03-01', 'day', [source(PAGE, { date: '2026-02' })], older('source', '02/2026', null)],
  ['2026-03-01', 'day', [source(PAGE)], null],
  // The post itself and a later report agree with the date; an older source does not.
  ['2026-03-10', 'day', [source(POST), source(PAGE, { date: '2026-03-12' })], null],
  ['2026-03-10', 'day', [source(POST), OLD], older('source', '10/03/2025', '2025-03-10')],
])('made %s (%s) against its sources', (made, precision, sources, conflict) => {
  expect(dayConflict(sources, { made: day(made), precision })).toEqual(conflict)
})

function older(what: string, shown: string, of: string | null) {
  return { code: 'source-older' as const, found: `The ${what} is from ${shown}`, day: of }
}

function younger(code: 'post-younger' | 'own-post-younger') {
  return { code, found: 'The post is from 10/03/2026', day: '2026-03-10' }
}
