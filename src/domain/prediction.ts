import { type AssetKey } from './asset.ts'
import { type DatePrecision, type Day } from './day.ts'
import { type Verdict } from './verdict.ts'

export const PREDICTION_TYPES = ['target', 'range', 'pricetimerange', 'top', 'bottom'] as const
export type PredictionType = (typeof PREDICTION_TYPES)[number]

/**
 * What somebody said the price will do, in USD.
 *
 * @see public-site.md §9, "Prediction types"
 */
export type Claim =
  /** The price reaches this level. */
  | { readonly type: 'target'; readonly usd: number }
  /** The price enters `min` to `max`, with `min < max`. */
  | { readonly type: 'range'; readonly min: number; readonly max: number }
  /** The price is at `min` or above by the deadline. */
  | { readonly type: 'pricetimerange'; readonly min: number }
  /** The price never goes above this level. */
  | { readonly type: 'top'; readonly usd: number }
  /** The price never goes below this level. */
  | { readonly type: 'bottom'; readonly usd: number }

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

/** The lowest and the highest level of a claim, USD; equal for one level. */
export function levelsOf(claim: Claim): { readonly min: number; readonly max: number } {
  switch (claim.type) {
    case 'range':
      return { min: claim.min, max: claim.max }
    case 'pricetimerange':
      return { min: claim.min, max: claim.min }
    case 'target':
    case 'top':
    case 'bottom':
      return { min: claim.usd, max: claim.usd }
  }
}

/** The same claim with every level multiplied. */
export function scaleClaim(claim: Claim, factor: number): Claim {
  switch (claim.type) {
    case 'range':
      return { type: claim.type, min: scaled(claim.min, factor), max: scaled(claim.max, factor) }
    case 'pricetimerange':
      return { type: claim.type, min: scaled(claim.min, factor) }
    case 'target':
    case 'top':
    case 'bottom':
      return { type: claim.type, usd: scaled(claim.usd, factor) }
  }
}

/** Twelve significant digits: enough for any price, and 0.1 × 3 stays equal to 0.3. */
function scaled(usd: number, factor: number): number {
  return factor === 1 ? usd : Number((usd * factor).toPrecision(12))
}
