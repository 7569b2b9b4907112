import { type Sort } from '#contracts/board-sort.ts'

export const SORT_NAMES: Readonly<Record<Sort, string>> = {
  band: 'Told from luck, then decided calls',
  'came-true': 'Share that came true',
  luck: 'Hits beyond luck',
  skill: 'Odds × luck, lower end',
  sats: 'Sats at luck odds',
  boldness: 'Boldness',
}
