import { expect, it } from 'vitest'
import { REJECTION_REASONS, rejectionReason } from './rejection.ts'

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
