import { foldHandle, foldName } from '#domain/people/name.ts'
import { type Prediction } from './prediction.ts'
import { sourceKeys } from './source-address.ts'
import { type Source } from './source.ts'
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
  /** Where it can be read or heard, if that is compared. */
  readonly sources?: readonly Pick<Source, 'url'>[]
}

/**
 * Whether two predictions are the same: same expert, asset and type, levels within two per cent of each other, and the
 * same deadline; or another deadline and a source that is the same page, which was read in two ways then.
 */
export function isDuplicate(a: Said, b: Said): boolean {
  if (a.asset !== b.asset || !isSameClaim(a.claim, b.claim, NEAR) || !isSameExpert(a, b))
    return false
  return a.by === b.by || isSameSource(a, b)
}

function isSameSource({ sources: some = [] }: Said, { sources: others = [] }: Said): boolean {
  const keys = sourceKeys(others)
  return [...sourceKeys(some)].some((key) => keys.has(key))
}

export function saidIn({ expert, asset, claim, by, sources }: Prediction): Said {
  return { expertName: expert.name, handle: expert.handle, asset, claim, by, sources }
}

function isSameExpert(a: Said, b: Said): boolean {
  const keys = expertKeys(b)
  return expertKeys(a).some((key) => keys.includes(key))
}

/**
 * Many predictions, sorted once by who said them: of the thousands, only those of the same expert can be duplicates.
 *
 * @returns gives those that may be by the same expert; some twice
 */
export function byExpert<One>(
  all: readonly One[],
  said: (one: One) => Pick<Said, 'expertName' | 'handle'>,
): (of: Pick<Said, 'expertName' | 'handle'>) => readonly One[] {
  const sorted = new Map<string, One[]>()
  for (const one of all) {
    for (const key of expertKeys(said(one))) {
      const list = sorted.get(key) ?? []
      sorted.set(key, list)
      list.push(one)
    }
  }
  return (of) => expertKeys(of).flatMap((key) => sorted.get(key) ?? [])
}

/** Two predictions of one expert have at least one of them in common. */
function expertKeys({ expertName, handle }: Pick<Said, 'expertName' | 'handle'>): string[] {
  const name = `name ${foldName(expertName)}`
  return handle === null ? [name] : [name, `handle ${foldHandle(handle)}`]
}
