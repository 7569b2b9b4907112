import { foldHandle, foldName } from '#domain/people/name.ts'
import { type Prediction } from './prediction.ts'
import { isSameClaim, type Claim } from './claim.ts'

/** Levels that differ by at most this share count as the same prediction. */
const NEAR = 0.02

/** The parts of a prediction that are compared; the level in today's units. */
export type Said = {
  readonly expertName: string
  readonly handle: string | null
  readonly asset: string
  readonly claim: Claim
  /** The last day that counts. */
  readonly by: number
}

/**
 * Whether two predictions are the same: same expert, asset, type and deadline, and levels within two per cent of each
 * other.
 */
export function isDuplicate(a: Said, b: Said): boolean {
  const isSameQuestion = a.asset === b.asset && a.by === b.by
  return isSameQuestion && isSameClaim(a.claim, b.claim, NEAR) && isSameExpert(a, b)
}

export function saidIn({ expert, asset, claim, by }: Prediction): Said {
  return { expertName: expert.name, handle: expert.handle, asset, claim, by }
}

function isSameExpert(a: Said, b: Said): boolean {
  const byHandle =
    a.handle !== null && b.handle !== null && foldHandle(a.handle) === foldHandle(b.handle)
  return byHandle || foldName(a.expertName) === foldName(b.expertName)
}
