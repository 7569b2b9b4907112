import { type AssetKey } from '#domain/asset.ts'
import { type Claim } from './claim.ts'
import { type DatePrecision, type Day } from '#domain/day.ts'
import { type Source } from './source.ts'
import { type Verdict } from '#domain/judging/verdict.ts'
import { type Odds } from '#domain/scoring/odds.ts'

/** Everything that decides a prediction; who said it, and where, does not. */
export type Statement = {
  readonly asset: AssetKey
  /** The levels to compare with prices: adjusted for splits since it was said. */
  readonly claim: Claim
  readonly made: Day
  /** How precisely `made` is known: of a month or a year it is a placeholder. Left out: to the day. */
  readonly madePrecision?: DatePrecision
  /** The first day that counts, if one was named; null means the day after it was made. */
  readonly from: Day | null
  /** The last day that counts. */
  readonly by: Day
}

/** What was said, when, and where it can be read, as stored on the public record. */
export type Recorded = {
  readonly asset: AssetKey
  /** The levels in the numbers that were said, not adjusted for splits. */
  readonly said: Claim
  readonly made: Day
  readonly madePrecision: DatePrecision
  /** As in `Statement`. */
  readonly from: Day | null
  readonly by: Day
  readonly byPrecision: DatePrecision
  /** The source named no deadline; this is our default one. */
  readonly deadlineAssumed: boolean
  readonly summary: string
  /** Where it can be read, best first. */
  readonly sources: readonly Source[]
}

/** A published prediction with its verdicts, as pages and charts use it. */
export type Prediction = Statement &
  Recorded & {
    readonly id: string
    readonly expert: {
      readonly id: number
      readonly name: string
      readonly slug: string
      readonly handle: string | null
    }
    /** How many of today's units one unit of that day is: 10 for a level said before a ten-for-one split, 1 without. */
    readonly splitFactor: number
    /** Sats paid to support it. */
    readonly voteScore: number
    readonly createdAt: string
    /** A level that an administrator chose for drawing only, USD; null draws the claim itself. */
    readonly chartValue: number | null
    readonly excludeFromChart: boolean
    readonly verdicts: { readonly touch: Verdict; readonly close: Verdict }
    /** What luck says of it; left out where a statement is only being tried. */
    readonly odds?: { readonly touch: Odds; readonly close: Odds } | undefined
  }

/** A prediction without its words, sources and evidence: all that a chart needs to draw it. */
export type Drawn = Omit<
  Prediction,
  'summary' | 'sources' | 'createdAt' | 'voteScore' | 'odds' | 'expert' | 'verdicts'
> & {
  readonly expert: Omit<Prediction['expert'], 'id'>
  readonly verdicts: { readonly touch: DrawnVerdict; readonly close: DrawnVerdict }
}

/** The part of a verdict that a chart needs. */
export type DrawnVerdict = Pick<Verdict, 'outcome' | 'reason' | 'day' | 'direction' | 'level'> & {
  readonly bar: { readonly close: number } | null
}
