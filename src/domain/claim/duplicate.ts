import { foldHandle, foldName } from '#domain/people/name.ts'
import { isSameClaim, type Claim } from './claim.ts'
import { type Prediction } from './prediction.ts'
import { sourceKeys } from './source-input.ts'
import { type Source } from './source.ts'

/** Levels that differ by at most this share count as the same prediction. */
const NEAR = 0.02

/** The parts of a prediction that are compared, with the level in today's units. */
export type StatementKey = {
  readonly expertName: string
  readonly handle: string | null
  readonly asset: string
  readonly claim: Claim
  readonly by: number
  readonly sources?: readonly Pick<Source, 'url'>[]
}

/** Deadlines this many days apart look like duplicates to a reviewer. */
export const NEAR_DAYS = 30

/**
 * Whether two predictions are the same: same expert, asset and type, levels within two per cent of each other, and
 * either the same deadline or a shared source page that was read differently.
 *
 * @param days by which deadlines may differ
 */
export function isDuplicate(a: StatementKey, b: StatementKey, days = 0): boolean {
  if (a.asset !== b.asset || !isSameClaim(a.claim, b.claim, NEAR)) return false
  const people = expertKeys(b)
  if (!expertKeys(a).some((key) => people.includes(key))) return false
  if (Math.abs(a.by - b.by) <= days) return true
  const pages = sourceKeys(b.sources ?? [])
  return [...sourceKeys(a.sources ?? [])].some((key) => pages.has(key))
}

export function statementKeyOf({ expert, asset, claim, by, sources }: Prediction): StatementKey {
  return { expertName: expert.name, handle: expert.handle, asset, claim, by, sources }
}

/**
 * Indexes by expert: only predictions by the same expert can be duplicates.
 *
 * @returns looks up candidates, which may repeat
 */
export function byExpert<One>(
  all: readonly One[],
  statementOf: (one: One) => Pick<StatementKey, 'expertName' | 'handle'>,
): (of: Pick<StatementKey, 'expertName' | 'handle'>) => readonly One[] {
  const sorted = new Map<string, One[]>()
  for (const one of all) {
    for (const key of expertKeys(statementOf(one))) {
      const list = sorted.get(key) ?? []
      sorted.set(key, list)
      list.push(one)
    }
  }
  return (of) => expertKeys(of).flatMap((key) => sorted.get(key) ?? [])
}

/** Two predictions are by the same expert if they share a key. */
function expertKeys({ expertName, handle }: Pick<StatementKey, 'expertName' | 'handle'>): string[] {
  const name = `name ${foldName(expertName)}`
  return handle === null ? [name] : [name, `handle ${foldHandle(handle)}`]
}
