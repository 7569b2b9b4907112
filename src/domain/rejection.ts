/** The reasons for which submissions are rejected most often; administrators choose one, or write their own. */
export const REJECTION_REASONS = [
  'Spam or advertising',
  'No checkable price or date',
  'Not said by this person',
  'The source does not show it',
  'Already on record',
  'A test',
] as const
export type RejectionReason = (typeof REJECTION_REASONS)[number]

/** The reason that an administrator's words begin with; null for words of their own, which may name people. */
export function rejectionReason(words: string): RejectionReason | null {
  const folded = words.trim().toLowerCase()
  return (
    REJECTION_REASONS.find((reason) => {
      const known = reason.toLowerCase()
      // More words may follow, but not a word that only begins like it.
      return folded.startsWith(known) && !/^[\p{L}\p{N}]/u.test(folded.slice(known.length))
    }) ?? null
  )
}
