import { describe, expect, it } from 'vitest'
import { claimOf, range } from '#tests/support/builders.ts'
import { jsonPart, storedCases } from '#tests/support/stored-cases.ts'
import {
  editedLevels,
  formFieldOf,
  formFields,
  formLevels,
  levelText,
  levelTexts,
  readClaimInput,
} from './claim-input.ts'
import { levelsOf, makeClaim, scaleClaim } from './claim.ts'
import {
  claimOfColumns,
  claimType,
  columnsOfClaim,
  fieldsOfClaim,
  isFault,
  levelsOnce,
  PREDICTION_TYPES,
  predictionType,
  type PredictionType,
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

it('fields of claims are read as stored', () =>
  storedCases('fields', {
    'a claim as it is sent': (words) => fieldsOfClaim(claimOf(words)),
    'fields as a claim': (fields) =>
      readWrittenClaim({ ...NONE, ...jsonPart<ClaimFields>(fields) }),
    'the field at fault': (fields) => {
      const read = readClaim({ ...NONE, ...jsonPart<ClaimFields>(fields) })
      return isFault(read) ? read.field : read
    },
    'where a form shows a fault': (field, type) =>
      formFieldOf(field as Parameters<typeof formFieldOf>[0], type as PredictionType),
    'an edit keeps the other end of a range, but no levels of another type': (
      type,
      stored,
      edit,
    ) => {
      const levels = stored === 'null' ? null : { ...NONE, ...jsonPart<object>(stored) }
      return editedLevels(type as PredictionType, levels, jsonPart(edit))
    },
  }))

it('a level that is not a number is at fault', () => {
  const read = readClaim({ prediction_type: 'target', ...NONE, price_target: NaN })
  expect(read).toMatchObject({ field: 'price_target' })
})

it.each([164.435, 0.065, 1_234.567, 120_000.5, 1e-8])('%d reads back from its field', (usd) => {
  const texts = { ...NONE, price_target: levelText(usd) }
  expect(readClaimInput(texts)).toEqual({ ok: true, claim: { type: 'target', usd } })
})
