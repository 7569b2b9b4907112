import { foldHandle, foldName } from './name.ts'
import { levelsOf, type Claim } from './prediction.ts'

/** Levels so near each other mean the same prediction. */
const NEAR = 0.02

type Said = {
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
  if (a.asset !== b.asset || a.by !== b.by || a.claim.type !== b.claim.type) return false
  const [one, other] = [levelsOf(a.claim), levelsOf(b.claim)]
  return isNear(one.min, other.min) && isNear(one.max, other.max) && isSameExpert(a, b)
}

function isSameExpert(a: Said, b: Said): boolean {
  const byHandle =
    a.handle !== null && b.handle !== null && foldHandle(a.handle) === foldHandle(b.handle)
  return byHandle || foldName(a.expertName) === foldName(b.expertName)
}

function isNear(a: number, b: number): boolean {
  return Math.abs(a - b) <= NEAR * Math.max(a, b)
}
