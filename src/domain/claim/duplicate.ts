import { foldHandle, foldName } from '#domain/people/name.ts'
import { type Prediction } from './prediction.ts'
import { isSameClaim, type Claim } from './claim.ts'

/** Levels so near each other mean the same prediction. */
const NEAR = 0.02

/** What is compared of a prediction; its level in today's units. */
export type Said = {
  readonly expertName: string
  readonly handle: string | null
  readonly asset: string
  readonly claim: Claim
  /** The last day that counts. */
  readonly by: number
}

/**
 * Whether two predictions are the same one: of the same expert about the same asset, of the same kind, with levels within
 * two per cent and the same deadline.
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
