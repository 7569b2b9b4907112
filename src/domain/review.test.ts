import { expect, it } from 'vitest'
import { claimOf } from '#tests/support/builders.ts'
import { jsonPart, storedCases } from '#tests/support/stored-cases.ts'
import { type AssetKey } from './asset.ts'
import { day, isoDay } from './day.ts'
import {
  mergeChange,
  namedStart,
  predictionIdOf,
  searchWords,
  REJECTION_REASONS,
  rejectionReason,
} from './review.ts'
import { type SubmissionFields } from './submission.ts'

const WHO = {
  asset_type: 'btc',
  expert_name: 'Expert A',
  submitter_email: 'a@example.org',
} as const
const ONE = { price_prediction: '$150', price_target: 150, price_min: null, price_max: null }
const ENDS = { price_prediction: '$80 - $120', price_target: null, price_min: 80, price_max: 120 }
const STORED: Readonly<Record<string, SubmissionFields>> = {
  target: { ...WHO, ...ONE, prediction_type: 'target' },
  range: { ...WHO, ...ENDS, prediction_type: 'range' },
  top: { ...WHO, ...ONE, prediction_type: 'top', price_target: null, price_max: 100 },
}

it('edits, searches, ids, start dates and reasons are read as stored', () =>
  storedCases('review', {
    'an edit of a target, top or range: type, target, minimum, maximum, and faults': (
      name,
      change,
    ) => {
      const { fields, faults } = mergeChange(STORED[name] ?? {}, jsonPart(change))
      const { prediction_type, price_target, price_min, price_max } = fields
      return [prediction_type, price_target ?? null, price_min ?? null, price_max ?? null, faults]
    },
    'another field after an edit': (name, more, change, field) => {
      const { fields } = mergeChange(
        { ...STORED[name], ...jsonPart<object>(more) },
        jsonPart(change),
      )
      return fields[field as keyof typeof fields]
    },
    'the words of a search': searchWords,
    'the id of a prediction': (expertName, asset, words) => {
      const claim = claimOf(words)
      return predictionIdOf({ expertName, asset: asset as AssetKey, claim, by: day('2027-12-31') })
    },
    'a start date, of a call made on 2025-06-01': (start, now) => {
      const named = start === 'none' ? null : day(start)
      const counts = namedStart(named, day('2025-06-01'), Date.parse(now))
      return counts === null ? null : isoDay(counts)
    },
    'what a reason to reject counts as': rejectionReason,
  }))

it.each(REJECTION_REASONS)('the reason %j counts as itself', (reason) => {
  expect(rejectionReason(reason)).toBe(reason)
})
