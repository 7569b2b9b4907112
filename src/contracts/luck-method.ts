import { type WorkedLuck } from '#domain/scoring/worked-luck.ts'
import { type ScoredCallRow, type ScoresReply } from './scores.ts'

/** Why a call is not compared with luck: `no_luck` of the scores, or days without prices in its window. */
export type LeftOutReason = NonNullable<ScoredCallRow['no_luck']> | 'no-prices'

/** A call with the person who made it. */
type NamedCall = Pick<ScoredCallRow, 'id' | 'text' | 'asset_type' | 'made'> & {
  readonly name: string
}

/** A call from the record, and how its luck is computed. */
export type LuckExample = NamedCall &
  Pick<
    ScoredCallRow,
    'label' | 'level_min' | 'deadline' | 'direction' | 'decided' | 'seen_once'
  > & {
    readonly outcome: 'hit' | 'miss'
    readonly reference: number
    readonly sigma: number
    readonly drift: number
    /** Trading days from the day after it was made to its deadline. */
    readonly days: number
    readonly steps: WorkedLuck
  }

/** Placebo calls of one kind over all assets, or of Bitcoin alone; `direction` is null for both together, and only then it is said whether luck holds. */
export type LuckTestRow = Pick<
  ScoresReply['luck_test']['rows'][number],
  'asset_type' | 'horizon' | 'direction' | 'calls' | 'expected' | 'happened'
> & { readonly holds: boolean | null }

/** Figures of the newest scores that explain the method: of judging by highs and lows. */
export type LuckMethod = Pick<ScoresReply, 'as_of'> & {
  readonly histories: number
  /** The latest Bitcoin target whose time is up; of another asset when there is none; null without any. */
  readonly example: LuckExample | null
  readonly test: { readonly calls: number; readonly rows: readonly LuckTestRow[] }
  /** Calls that are not compared, by reason; of many only the latest are named. */
  readonly left_out: readonly {
    readonly reason: LeftOutReason
    readonly count: number
    readonly calls: readonly NamedCall[]
  }[]
}
