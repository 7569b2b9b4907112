import { type BoardRow } from '#contracts/board.ts'

/** What ranked people can be sorted by. */
export const SORTS = ['skill', 'time-is-up', 'luck', 'sats', 'boldness', 'calls'] as const
export type Sort = (typeof SORTS)[number]

export const SORT_NAMES: Readonly<Record<Sort, string>> = {
  skill: 'Odds × luck, lower end',
  'time-is-up': 'Time is up',
  luck: 'Hits against luck',
  sats: 'Sats at luck odds',
  boldness: 'Boldness',
  calls: 'Number of calls',
}

/** Best first; equal ones in the order that cannot be had by easy or lucky calls. */
export function sortedBy(rows: readonly BoardRow[], sort: Sort): readonly BoardRow[] {
  if (sort === 'skill') return rows
  return rows.toSorted((a, b) => valueOf(b, sort) - valueOf(a, sort))
}

function valueOf(row: BoardRow, sort: Exclude<Sort, 'skill'>): number {
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
