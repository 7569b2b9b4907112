import { describe, expect, it } from 'vitest'
import { readNumber } from '#domain/price-text.ts'
import { differences, editOf, faultsAt, fieldsOf, readBack, type Draft } from './edit-fields.ts'
import { submission } from './testing.tsx'

const RANGE = submission(1, {
  prediction_type: 'range',
  price_target: null,
  price_min: 80_000,
  price_max: 120_000,
  price_prediction: '$80,000 - $120,000',
})
const TOP = submission(1, { prediction_type: 'top', price_target: null, price_max: 200_000 })

describe('an edit', () => {
  const cases: readonly (readonly [string, typeof RANGE, Draft, object])[] = [
    ['sends only what was changed', RANGE, { notes: 'new' }, { notes: 'new' }],
    ['sends nothing that was typed back', RANGE, { notes: '', price_min: '80,000' }, {}],
    ['keeps the status for its own call', RANGE, { status: 'rejected' }, {}],
    [
      'sends both ends of a range',
      RANGE,
      { price_max: '130.000' },
      { prediction_type: 'range', price_target: null, price_min: 80_000, price_max: 130_000 },
    ],
    [
      'puts a top into price_max',
      TOP,
      { price_target: '250k' },
      { prediction_type: 'top', price_target: null, price_min: null, price_max: 250_000 },
    ],
    [
      'leaves what is no number where it was typed: the server says so at the field',
      TOP,
      { price_target: 'a lot' },
      { prediction_type: 'top', price_target: 'a lot', price_min: null, price_max: null },
    ],
    [
      'puts a bottom into price_min',
      TOP,
      { prediction_type: 'bottom', price_target: '50 000' },
      { prediction_type: 'bottom', price_target: null, price_min: 50_000, price_max: null },
    ],
    [
      'sends a minimum as both ends',
      RANGE,
      { prediction_type: 'pricetimerange' },
      {
        prediction_type: 'pricetimerange',
        price_target: null,
        price_min: 80_000,
        price_max: 80_000,
      },
    ],
  ]
  it.each(cases)('%s', (_, row, draft, edit) => {
    expect(editOf(row, draft)).toEqual(edit)
  })
})

describe('a level', () => {
  it.each([
    ['100.000', '$100,000'],
    ['$1,234.50', '$1,234.50'],
    ['0.065', '$0.065'],
    ['many', null],
  ])('%s is read as %s', (text, read) => {
    expect(readBack(text)).toBe(read)
  })

  it.each([0.000_012_34, 0.065, 123.45, 1_234.567, 150_000])('%d reads back as itself', (usd) => {
    const fields = fieldsOf(submission(1, { price_target: usd }))
    expect(editOf(submission(1, { price_target: usd }), fields)).toEqual({})
    expect(readNumber(fields.price_target)).toBe(usd)
  })
})

it('shows the messages of the server at the fields of the form', () => {
  const said = { price_max: 'too low', price_prediction: 'no number', notes: 'too long' }
  expect(faultsAt({ price_max: 'too low', notes: 'too long' }, 'top')).toEqual({
    price_target: 'too low',
    notes: 'too long',
  })
  expect(faultsAt(said, 'range')).toEqual({
    price_max: 'too low',
    price_min: 'no number',
    notes: 'too long',
  })
})

it('names what somebody else has changed', () => {
  const now = { ...RANGE, notes: 'theirs', price_max: 130_000, version: 2 }
  expect(differences(RANGE, now).map(({ field, after }) => [field, after])).toEqual([
    ['price_max', '130,000'],
    ['notes', 'theirs'],
  ])
})
