import { type SnapshotTable } from '#contracts/snapshots.paths.ts'
import { type JudgeMode } from '#domain/judging/verdict.ts'

/** Where a snapshot says something else than what follows from it. */
export type Difference = {
  /** `verdict`: another outcome or day; `evidence`: the same on other prices; `scores`; `files`: CSV and JSON disagree. */
  readonly kind: 'verdict' | 'evidence' | 'scores' | 'files'
  readonly table: SnapshotTable
  /** The prediction, the person, or the file. */
  readonly id: string
  readonly mode: JudgeMode | null
  readonly field: string
  readonly snapshot: string
  readonly ours: string
}

/** What could not be checked, and why. */
export type Unchecked = {
  readonly id: string
  readonly mode: JudgeMode | null
  readonly why: string
}

/** What a check came to. */
export type Found = { readonly differences: Difference[]; readonly unchecked: Unchecked[] }

/** Figures are sums: in another order they differ in their last digits. */
const ROUNDING = 1e-9

/** The paths at which two values differ. */
export function differingFields(
  theirs: unknown,
  ours: unknown,
  path = '',
): { readonly field: string; readonly snapshot: string; readonly ours: string }[] {
  if (isObject(theirs) && isObject(ours)) {
    const names = new Set([...Object.keys(theirs), ...Object.keys(ours)])
    return [...names].flatMap((name) =>
      differingFields(theirs[name], ours[name], path === '' ? name : `${path}.${name}`),
    )
  }
  if (isSame(theirs, ours)) return []
  return [{ field: path, snapshot: shown(theirs), ours: shown(ours) }]
}

function isSame(theirs: unknown, ours: unknown): boolean {
  if (typeof theirs === 'number' && typeof ours === 'number') {
    return Math.abs(theirs - ours) <= ROUNDING * Math.max(1, Math.abs(ours))
  }
  return (theirs ?? null) === (ours ?? null)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return '–'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
