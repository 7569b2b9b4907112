import { type Sort } from '#contracts/board-sort.ts'

export const SORT_NAMES: Readonly<Record<Sort, string>> = {
  skill: 'Odds × luck, lower end',
  'time-is-up': 'Time is up',
  luck: 'Hits against luck',
  sats: 'Sats at luck odds',
  boldness: 'Boldness',
  calls: 'Number of calls',
}
