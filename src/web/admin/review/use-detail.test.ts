import { expect, it } from 'vitest'
import { readNumber } from '#domain/claim/written.ts'
import { submission } from '#tests/support/admin-rows.ts'
import {
  staleFields as stale,
  withoutTheirs as without,
} from '#web/admin/kit/prediction-fields.tsx'
import { editOf, valuesOf, type EditValues } from './use-detail.tsx'

type Changes = Partial<EditValues>
type Stored = ReturnType<typeof submission>
const staleFields = (was: Stored, now: Stored, mine: Changes) =>
  stale(valuesOf(was), valuesOf(now), mine)
const withoutTheirs = (was: Stored, now: Stored, mine: Changes) =>
  without(valuesOf(was), valuesOf(now), mine)

const RANGE = submission(1, {
  prediction_type: 'range',
  price_target: null,
  price_min: 80_000,
  price_max: 120_000,
  price_prediction: '$80,000 - $120,000',
})
const TOP = submission(1, { prediction_type: 'top', price_target: null, price_max: 200_000 })

/** A claim in the shape of a call. */
const claim = (prediction_type: string, overrides: object) => {
  const none = { price_target: null, price_min: null, price_max: null, direction: null }
  return { prediction_type, timing: 'throughout', ...none, ...overrides }
}

const cases: readonly (readonly [string, typeof RANGE, Changes, object])[] = [
  ['sends only what was changed', RANGE, { notes: 'new' }, { notes: 'new' }],
  ['sends nothing that was typed back', RANGE, { notes: '', price_min: '80,000' }, {}],
  ['keeps the status for its own call', RANGE, { status: 'rejected' }, {}],
  [
    'sends both ends of a range',
    RANGE,
    { price_max: '130.000' },
    claim('range', { price_min: 80_000, price_max: 130_000, timing: 'by' }),
  ],
  ['of a top sets price_max', TOP, { price_target: '250k' }, claim('top', { price_max: 250_000 })],
  // The server says so at the field.
  [
    'keeps text that is not a number',
    TOP,
    { price_target: 'a lot' },
    claim('top', { price_target: 'a lot' }),
  ],
  [
    'puts a bottom into price_min',
    TOP,
    { prediction_type: 'bottom', price_target: '50 000' },
    claim('bottom', { price_min: 50_000 }),
  ],
  [
    'sends a minimum as both ends',
    RANGE,
    { prediction_type: 'pricetimerange' },
    claim('pricetimerange', { price_min: 80_000, price_max: 80_000, timing: 'by' }),
  ],
  [
    'sends timing and direction together with their level',
    RANGE,
    { timing: 'throughout', direction: 'up' },
    claim('range', { price_min: 80_000, price_max: 120_000, direction: 'up' }),
  ],
  [
    'sends the choice of a person on record instead of a new one',
    submission(1, { new_influencer: true }),
    { existing_influencer_id: '7' },
    { existing_influencer_id: '7', new_influencer: false },
  ],
]
it.each(cases)('an edit %s', (_, row, changes, edit) => {
  expect(editOf(row, changes)).toEqual(edit)
})

it.each([0.000_012_34, 0.065, 123.45, 1_234.567, 150_000])(
  'formats a level of %d so that it parses back to the same number',
  (usd) => {
    const values = valuesOf(submission(1, { price_target: usd }))
    expect(editOf(submission(1, { price_target: usd }), values)).toEqual({})
    expect(readNumber(values.price_target)).toBe(usd)
  },
)

it('sends sources as a whole list, only if one has changed', () => {
  const row = submission(1)
  const { sources } = valuesOf(row)
  expect(editOf(row, { sources: structuredClone(sources) })).toEqual({})
  const more = [...sources, { ...sources[0], url: 'https://example.org/other', kind: null }]
  expect(editOf(row, { sources: more as typeof sources })).toEqual({ sources: more })
  const now = { ...row, sources: [], version: 2 }
  expect(staleFields(row, now, { sources: [] })).toMatchObject([
    { was: 'report, https://example.org/said', theirs: 'empty', yours: 'empty' },
  ])
})

it('names fields changed by another administrator', () => {
  const now = { ...RANGE, notes: 'theirs', price_max: 130_000, version: 2 }
  expect(staleFields(RANGE, now, { notes: 'mine' }).map((one) => [one.theirs, one.yours])).toEqual([
    ['130,000', 'not changed'],
    ['theirs', 'mine'],
  ])
})

it('treats the levels of another administrator as a unit, since mixing them with mine would be meaningless', () => {
  const now = { ...RANGE, price_max: 130_000, version: 2 }
  const mine = { price_min: '90,000', notes: 'mine' }
  expect(withoutTheirs(RANGE, now, mine)).toEqual({ notes: 'mine' })
  const other = { ...RANGE, twitter_handle: '@theirs', version: 2 }
  expect(withoutTheirs(RANGE, other, mine)).toEqual(mine)
})
