import { describe, expect, it } from 'vitest'
import { atLeast, bottom, range, target, top } from '#tests/support/builders.ts'
import {
  editedLevels,
  formFieldOf,
  formFields,
  formLevels,
  levelText,
  levelTexts,
  readClaimInput,
} from './claim-input.ts'
import { levelsOf, makeClaim, scaleClaim, timingOf, type Claim } from './claim.ts'
import {
  claimOfColumns,
  claimType,
  columnsOfClaim,
  fieldsOfClaim,
  isFault,
  levelsOnce,
  PREDICTION_TYPES,
  predictionType,
  readClaim,
  type ClaimFields,
} from './fields.ts'
import { readWrittenClaim } from './written.ts'

const NONE = { price_target: null, price_min: null, price_max: null }
const CLAIMS = PREDICTION_TYPES.map((word) => makeClaim(claimType(word), { min: 5, max: 7 }))

describe('a claim', () => {
  it.each(CLAIMS)(
    'a claim as $type comes back from its fields and its columns as it was',
    (claim) => {
      const { prediction_type: type, ...levels } = fieldsOfClaim(claim)
      expect(readClaim({ prediction_type: type, ...levels })).toEqual(claim)
      expect(readClaim({ prediction_type: type, ...levelsOnce(claim) })).toEqual(claim)
      expect(claimOfColumns({ type, ...columnsOfClaim(claim) })).toEqual(claim)
      expect(claimType(predictionType(claim.type))).toBe(claim.type)
    },
  )

  it.each<[Claim, object]>([
    [target(5), { price_target: 5 }],
    [top(5), { price_max: 5 }],
    [bottom(5), { price_min: 5 }],
    [atLeast(5), { price_min: 5, price_max: 5 }],
    [range(5, 7), { price_min: 5, price_max: 7 }],
  ])('%j is sent as the specification maps it', (claim, levels) => {
    const fields = { prediction_type: predictionType(claim.type), ...NONE, ...levels }
    expect(fieldsOfClaim(claim)).toEqual({ ...fields, timing: timingOf(claim), direction: null })
  })

  it.each(CLAIMS)('as $type comes back from the texts of a form', (claim) => {
    const type = predictionType(claim.type)
    const texts = levelTexts(claim)
    expect(readClaimInput({ prediction_type: type, ...texts })).toEqual({ ok: true, claim })
    const fields = formFields(type)
    const filled = fields.map((field) => texts[field])
    expect(Object.values(texts).filter((text) => text !== '')).toEqual(filled)
    const levels = { ...NONE, ...Object.fromEntries(fields.map((field) => [field, '1'])) }
    expect(formLevels(type, { price_target: '1', price_min: '1', price_max: '1' })).toEqual(levels)
  })

  it('is scaled without binary rounding errors', () => {
    expect(levelsOf(scaleClaim(range(0.1, 1.1), 3))).toEqual({ min: 0.3, max: 3.3 })
  })
})

describe('fields', () => {
  it.each<[ClaimFields, object]>([
    [{ prediction_type: 'top', ...NONE, price_target: 9 }, top(9)],
    [{ prediction_type: 'bottom', ...NONE, price_target: 9 }, bottom(9)],
    [{ prediction_type: 'target', ...NONE, price_min: 9 }, target(9)],
    [{ prediction_type: 'top', ...NONE, price_prediction: '9k' }, top(9_000)],
    [{ prediction_type: 'range', ...NONE, price_prediction: '8k - 9k' }, range(8_000, 9_000)],
    // A level wins over the display text.
    [{ prediction_type: 'top', ...NONE, price_max: 9, price_prediction: '8' }, top(9)],
  ])('%j are parsed', (fields, claim) => {
    expect(readWrittenClaim(fields)).toEqual(claim)
  })

  it.each<[ClaimFields, string]>([
    [{ prediction_type: 'top', ...NONE }, 'price_target'],
    [{ prediction_type: 'top', ...NONE, price_max: 0 }, 'price_max'],
    [{ prediction_type: 'range', ...NONE, price_min: 9 }, 'price_max'],
    [{ prediction_type: 'range', ...NONE, price_min: 9, price_max: 9 }, 'price_min'],
    [{ prediction_type: 'target', ...NONE, price_target: 1e13 }, 'price_target'],
    [{ prediction_type: 'target', ...NONE, price_target: NaN }, 'price_target'],
  ])('%j have a fault at %s', (fields, field) => {
    const read = readClaim(fields)
    expect(isFault(read) && read.field).toBe(field)
  })

  it('an edit keeps the other end of a range, but no levels of another type', () => {
    const stored = { price_target: null, price_min: 5, price_max: 7 }
    expect(editedLevels('range', stored, { price_max: 8 })).toEqual({ ...stored, price_max: 8 })
    expect(editedLevels('range', null, { price_max: 8 })).toEqual({ ...NONE, price_max: 8 })
    const top = editedLevels('top', { ...NONE, price_max: 7 }, { price_target: 8 })
    expect(top).toEqual({ ...NONE, price_target: 8 })
    expect(editedLevels('range', stored, {})).toEqual(stored)
  })

  it.each([
    ['price_max', 'top', 'price_target'],
    ['price_min', 'bottom', 'price_target'],
    ['price_max', 'pricetimerange', 'price_min'],
    ['price_max', 'range', 'price_max'],
    ['price_prediction', 'range', 'price_min'],
    ['target_time', 'top', 'target_time'],
  ] as const)('a fault at %s of a %s is shown at %s', (field, type, expected) => {
    expect(formFieldOf(field, type)).toBe(expected)
  })
})

it.each([164.435, 0.065, 1_234.567, 120_000.5, 1e-8])('%d reads back from its field', (usd) => {
  const texts = { ...NONE, price_target: levelText(usd) }
  expect(readClaimInput(texts)).toEqual({ ok: true, claim: { type: 'target', usd } })
})
