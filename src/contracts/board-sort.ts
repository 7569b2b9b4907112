import { type PersonScoreRow } from './scores.ts'

/** What ranked people can be sorted by. */
export const SORTS = ['skill', 'time-is-up', 'luck', 'sats', 'boldness', 'calls'] as const
export type Sort = (typeof SORTS)[number]

type Row = Pick<
  PersonScoreRow,
  'name' | 'skill' | 'shrunk' | 'against_luck' | 'sats' | 'boldness'
> & {
  readonly calls: { readonly length: number }
}

/** Best first; equal ones in the order that cannot be had by easy or lucky calls. */
export function sortedBy<One extends Row>(rows: readonly One[], sort: Sort): readonly One[] {
  const inOrder = rows.toSorted(bySkill)
  return sort === 'skill'
    ? inOrder
    : inOrder.toSorted((a, b) => valueOf(b, sort) - valueOf(a, sort))
}

function bySkill(a: Row, b: Row): number {
  const low = (b.skill?.low ?? 0) - (a.skill?.low ?? 0)
  const mean = (b.skill?.mean ?? 0) - (a.skill?.mean ?? 0)
  return low || mean || a.name.localeCompare(b.name, 'en')
}

function valueOf(row: Row, sort: Exclude<Sort, 'skill'>): number {
  switch (sort) {
    case 'time-is-up':
      return row.shrunk?.mean ?? -Infinity
    case 'luck':
      return row.against_luck.z ?? -Infinity
    case 'sats':
      return row.sats ?? -Infinity
    case 'boldness':
      return row.boldness ?? -Infinity
    case 'calls':
      return row.calls.length
  }
}
