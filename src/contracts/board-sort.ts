import { type PersonScoreRow } from './scores.ts'

/** What people can be sorted by. */
export const SORTS = ['band', 'came-true', 'luck', 'skill', 'sats', 'boldness'] as const
export type Sort = (typeof SORTS)[number]

type Row = Pick<PersonScoreRow, 'skill' | 'shrunk' | 'decided' | 'sats' | 'boldness'>

/** The greatest first. @param rows in the order of the scores, which equal ones keep */
export function sortedBy<One extends Row>(rows: readonly One[], sort: Sort): readonly One[] {
  return sort === 'band' ? rows : rows.toSorted((a, b) => valueOf(b, sort) - valueOf(a, sort))
}

function valueOf(row: Row, sort: Exclude<Sort, 'band'>): number {
  switch (sort) {
    case 'came-true':
      return row.shrunk?.mean ?? -Infinity
    case 'luck':
      return row.decided.hits - row.decided.expected
    case 'skill':
      return row.skill?.low ?? -Infinity
    case 'sats':
      return row.sats ?? -Infinity
    case 'boldness':
      return row.boldness ?? -Infinity
  }
}
