import { expect, it } from 'vitest'
import { faultsAt, levelHint } from './values.ts'

it.each([
  ['100.000', 'read as $100,000'],
  ['$1,234.50', 'read as $1,234.50'],
  ['0.065', 'read as $0.065'],
  ['many', null],
  ['', null],
])('a level entered as %j has the hint %s', (text, hint) => {
  expect(levelHint(text)).toBe(hint)
})

it('maps messages of the server to form fields', () => {
  const faults = { price_max: 'too low', price_prediction: 'no number', notes: 'too long' }
  expect(faultsAt({ price_max: 'too low', notes: 'too long' }, 'top')).toEqual({
    price_target: 'too low',
    notes: 'too long',
  })
  expect(faultsAt({ price_max: 'too low', price_prediction: 'no number' }, 'top')).toEqual({
    price_target: 'too low',
  })
  expect(faultsAt(faults, 'range')).toEqual({
    price_max: 'too low',
    price_min: 'no number',
    notes: 'too long',
  })
})
