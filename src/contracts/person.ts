import { type YearRecord } from '#domain/scoring/record-by-year.ts'
import { type BoardRow } from './board.ts'
import { type ScoresReply } from './scores.ts'

/** A level that a person said again with a later deadline before it was reached. */
type MovedDeadlineRow = {
  /** `$250,000` */
  readonly text: string
  /** The statements, oldest first; `deadline` as 2026-12-31. */
  readonly calls: readonly { readonly id: string; readonly deadline: string }[]
  /** Days from the first deadline to the last. */
  readonly days: number
}

/** What a person's page says of all their calls together, by intraday prices. */
export type PersonReport = Pick<ScoresReply, 'as_of' | 'notes'> & {
  readonly figures: Omit<BoardRow, 'calls'>
  /** Newest first. */
  readonly years: readonly YearRecord[]
  /** The ids of the hit that luck expected least, and of the miss that it expected most to come true. */
  readonly best: string | null
  readonly worst: string | null
  /** The farthest first. */
  readonly moved: readonly MovedDeadlineRow[]
}
