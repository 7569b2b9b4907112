import { type YearRecord } from '#domain/scoring/record-by-year.ts'
import { type BoardRow } from './board.ts'
import { type ScoresReply } from './scores.ts'

/** What a person's page says of all their calls together, by intraday prices. */
export type PersonReport = Pick<ScoresReply, 'as_of' | 'notes'> & {
  readonly figures: Omit<BoardRow, 'calls'>
  /** Newest first. */
  readonly years: readonly YearRecord[]
  /** The ids of calls that say again what an earlier one said, with that one's: they count nowhere. */
  readonly repeats: Readonly<Record<string, string>>
  /** The ids of the hit that luck expected least, and of the miss that it expected most to come true. */
  readonly best: string | null
  readonly worst: string | null
}
