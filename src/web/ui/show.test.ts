import { expect, it } from 'vitest'
import { dateOr, showDate } from './show.ts'

it.each([
  ['2026-10-01T08:00:00.000Z', '01/10/2026'],
  ['2026-10-01', '01/10/2026'],
  ['2026-02-30', 'Invalid Date'],
  ['soon', 'Invalid Date'],
  [' ', 'N/A'],
  [null, 'N/A'],
])('shows %o as %s', (written, text) => {
  expect(showDate(written)).toBe(text)
})

it('shows the alternative text for a missing date', () => {
  expect(dateOr('nothing yet', null)).toBe('nothing yet')
  expect(dateOr('nothing yet', '2026-10-01')).toBe('01/10/2026')
})
