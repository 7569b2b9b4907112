import { expect, it } from 'vitest'
import { range, target, top } from '#tests/support/builders.ts'
import { addDays, day } from './day.ts'
import {
  mergeChange,
  namedStart,
  predictionIdOf,
  searchWords,
  type SubmissionChange,
  REJECTION_REASONS,
  rejectionReason,
} from './review.ts'
import { type SubmissionFields } from './submission.ts'

const EMAIL = 'a@example.org'
const WHO = { asset_type: 'btc', expert_name: 'Expert A', submitter_email: EMAIL } as const
const ONE = { price_prediction: '$150', price_target: 150, price_min: null, price_max: null }
const ENDS = { price_prediction: '$80 - $120', price_target: null, price_min: 80, price_max: 120 }
const TARGET: SubmissionFields = { ...WHO, ...ONE, prediction_type: 'target' }
const RANGE: SubmissionFields = { ...WHO, ...ENDS, prediction_type: 'range' }
const AT_MOST = { price_target: null, price_max: 100 }
const TOP: SubmissionFields = { ...TARGET, ...AT_MOST, prediction_type: 'top' }
const NEWER = { price_target: 170, price_prediction: '$150' }

it.each<[string, SubmissionFields, SubmissionChange, unknown[]]>([
  ['leaves what it does not name', TARGET, { notes: 'x' }, ['target', 150, null, null]],
  ['sets a level', TARGET, { price_target: '160' }, ['target', '160', null, null]],
  ['clears a level', TARGET, { price_target: null }, ['target', null, null, null]],
  ['moves a top', TOP, { price_target: 120 }, ['top', 120, null, null]],
  ['keeps the other end', RANGE, { price_max: 130 }, ['range', null, 80, 130]],
  ['keeps a lone level', TARGET, { prediction_type: 'bottom' }, ['bottom', null, 150, null]],
  ['lacks a second end', TARGET, { prediction_type: 'range' }, ['range', null, 150, null]],
  // Ends of a range are never derived from other types, nor used for them.
  ['is a range', TOP, { prediction_type: 'range', price_min: 50 }, ['range', null, 50, null]],
  ['is a top', RANGE, { prediction_type: 'top' }, ['top', null, null, null]],
  ['reads a text', TARGET, { price_prediction: '160k' }, ['target', 160_000, null, null]],
  ['reads both ends', RANGE, { price_prediction: '90 to 130' }, ['range', null, 90, 130]],
  ['repeats the text', TARGET, { price_prediction: '$150' }, ['target', 150, null, null]],
  ['has a level beside an old text', TARGET, NEWER, ['target', 170, null, null]],
])('an edit that %s is read', (_, stored, change, expected) => {
  const { fields, faults } = mergeChange(stored, change)
  const { prediction_type: type, price_target: target, price_min: min, price_max: max } = fields
  expect([type, target ?? null, min ?? null, max ?? null]).toEqual(expected)
  expect(faults).toEqual({})
})

it.each<[SubmissionFields, SubmissionChange, string | null | undefined]>([
  [{ ...RANGE, timing: 'throughout' }, { price_max: 130 }, 'throughout'],
  [{ ...RANGE, timing: 'throughout' }, { prediction_type: 'target', price_target: 1 }, null],
  [TARGET, { prediction_type: 'top', timing: 'at_end' }, 'at_end'],
])('an edit of %j by %j leaves the timing %s', (stored, change, timing) => {
  expect(mergeChange(stored, change).fields.timing).toBe(timing)
})

it('an edit moves it to another asset', () => {
  expect(mergeChange(TARGET, { asset_type: 'mstr' }).fields.asset_type).toBe('mstr')
})

it('an edit says that a text contains no price', () => {
  const { faults } = mergeChange(TARGET, { price_prediction: 'the moon' })
  expect(faults).toEqual({ price_prediction: 'Please enter a number, such as 100,000.' })
})

it('an edit accepts the second name of the email field', () => {
  const email = (change: SubmissionChange) => mergeChange(TARGET, change).fields.submitter_email
  expect(email({ email: 'b@example.org' })).toBe('b@example.org')
  const both = { email: 'b@example.org', submitter_email: 'c@example.org' }
  expect(email(both)).toBe('c@example.org')
  expect(email({})).toBe(EMAIL)
})

it.each([
  ['Tom tom Lee', "'tom':* & 'lee':*"],
  ['José  Müller', `'jose':* & 'muller':*`],
  ['@user_12', `'user':* & '12':*`],
  ['$104,500', `'104':* & '500':*`],
  [`'); drop -- \u0000 \\`, `'drop':*`],
  ['& | ! <->', null],
  ['', null],
  ['a b c d e f g h i j', `'a':* & 'b':* & 'c':* & 'd':* & 'e':* & 'f':* & 'g':* & 'h':*`],
])('the search %j is %j', (typed, words) => {
  expect(searchWords(typed)).toBe(words)
})

it.each([
  ['Jane Doe', 'btc', target(150_000), 'jane-doe-150000-2027'],
  ['José', 'mstr', range(80.5, 120), 'jose-mstr-80-5-120-2027'],
  ['★', 'naka', top(0.06), 'expert-naka-0-06-2027'],
] as const)('%s is found at a readable id', (expertName, asset, claim, id) => {
  expect(predictionIdOf({ expertName, asset, claim, by: day('2027-12-31') })).toBe(id)
})

const made = day('2025-06-01')
const now = Date.parse('2026-11-20T09:00:00Z')
it.each([
  ['none', null, null],
  ['today, which the form offers', day('2026-11-20'), null],
  ['today, as it still is in the far west', day('2026-11-19'), null],
  ['the day it was said', made, null],
  ['the day after, which counts anyway', addDays(made, 1), null],
  ['a later day', day('2025-07-01'), day('2025-07-01')],
  ['tomorrow', day('2026-11-21'), day('2026-11-21')],
  ['a future day', day('2027-01-01'), day('2027-01-01')],
])('a start date is read: %s', (_, start, expected) => {
  expect(namedStart(start, made, now)).toBe(expected)
})

it('a start date of today in the easternmost time zone is ignored, too', () => {
  const evening = Date.parse('2026-11-20T10:00:00Z')
  expect(namedStart(day('2026-11-21'), made, evening)).toBeNull()
  expect(namedStart(day('2026-11-19'), made, Date.parse('2026-11-20T12:00:00Z'))).not.toBeNull()
})

it.each([
  ...REJECTION_REASONS.map((reason) => [reason, reason] as const),
  ['already on record.', 'Already on record'],
  ['  Spam or advertising: the third one today', 'Spam or advertising'],
  ['A testimony is no source', null],
  ['I know Jane Doe, and this is spam or advertising', null],
  ['', null],
] as const)('the reason of %j is counted as %j', (words, reason) => {
  expect(rejectionReason(words)).toBe(reason)
})
