import { type AssetKey } from '#domain/asset.ts'
import { type Claim } from './claim.ts'
import { type DatePrecision, type Day } from '#domain/day.ts'
import { type Verdict } from '#domain/judging/verdict.ts'

/** All that decides a prediction: who said it and where is not among it. */
export type Statement = {
  readonly asset: AssetKey
  /** The level as compared with prices: adjusted for the splits since it was said. */
  readonly claim: Claim
  readonly made: Day
  /** The first day that counts, where one was named; null means from the day after it was made. */
  readonly from: Day | null
  /** The last day that counts. */
  readonly by: Day
}

/** What was said, when, and where that can be read, as it stands on record. */
export type Recorded = {
  readonly asset: AssetKey
  /** The level in the very numbers that were said. */
  readonly said: Claim
  readonly made: Day
  readonly madePrecision: DatePrecision
  /** As of a `Statement`. */
  readonly from: Day | null
  readonly by: Day
  readonly byPrecision: DatePrecision
  /** The source named no deadline; ours is the customary one. */
  readonly deadlineAssumed: boolean
  readonly summary: string
  readonly sourceUrl: string | null
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
    /** What one of the units meant then is worth now: 10 for a level said before a ten-for-one split, 1 without. */
    readonly splitFactor: number
    /** Sats paid in support of it. */
    readonly voteScore: number
    readonly createdAt: string
    /** A level an administrator chose for drawing only, USD; null draws the claim itself. */
    readonly chartValue: number | null
    readonly excludeFromChart: boolean
    readonly verdicts: { readonly touch: Verdict; readonly close: Verdict }
  }
