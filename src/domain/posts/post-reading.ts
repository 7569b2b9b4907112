import { type AssetKey } from '#domain/asset.ts'
import { type Claim } from '#domain/claim/claim.ts'
import { type DatePrecision, type Day } from '#domain/day.ts'
import { type NoLevel } from './levels.ts'
import { type PostDate } from './period.ts'
import { type Quote } from './span.ts'
import { type Doubt, type Unsaid } from './stance.ts'

/** Warnings about a reading. */
export type Caution =
  | Doubt
  /** No asset is named; such posts mean bitcoin. */
  | 'asset-assumed'
  /** The level seems to be written in thousands without saying so. */
  | 'scale-assumed'
  /** The deadline is in another sentence, or beside another level. */
  | 'deadline-apart'
  | 'no-deadline'
  /** 03/04/2027: the third of April, or the fourth of March. */
  | 'date-order'
  /** "March 27": the day, or all of March 2027. */
  | 'day-or-year'
  /** It may mean the company of the same name. */
  | 'namesake'
  /** Another part of the post is hidden, or addresses machines. */
  | 'to-machines'

/** A prediction in a post, each field with the words it came from. */
export type PostPrediction = {
  readonly asset: AssetKey
  readonly claim: Claim
  /** The first day that counts, if the post names one. */
  readonly from: Day | null
  /** The last day that counts; null when the post names none. */
  readonly by: Day | null
  readonly byPrecision: DatePrecision | null
  readonly quotes: {
    /** Null when the asset is not named. */
    readonly asset: Quote | null
    /** The words that gave the type; those of the level when the price alone does. */
    readonly type: Quote
    /** Both ends of a range, or the same words twice. */
    readonly low: Quote
    readonly high: Quote
    readonly deadline: Quote | null
    /** The words that say when it must be true, and which way the price goes. */
    readonly timing: Quote | null
    readonly direction: Quote | null
  }
  readonly cautions: readonly Caution[]
  readonly confidence: 'low' | 'medium' | 'high'
}

export type NoPrediction =
  | Unsaid
  | NoLevel
  | 'other-asset'
  | 'no-asset'
  | 'no-level'
  /** In another language than English. */
  | 'language'
  /** Its levels are in the part of the post that addresses machines. */
  | 'to-machines'
  /** Its price is from before a split of the stock. */
  | 'pre-split'

export type PostReading =
  | {
      readonly found: true
      readonly prediction: PostPrediction
      /** Other predictions of the post, best first. */
      readonly others: readonly PostPrediction[]
    }
  | {
      readonly found: false
      readonly why: NoPrediction
      /** The English name of its language, unless that is English. */
      readonly language: string | null
      /** The asset of ours that the post is about nevertheless. */
      readonly asset: { readonly key: AssetKey; readonly quote: Quote } | null
    }

/** Context of the post. */
export type PostContext = {
  /** When it was posted; null leaves out all relative dates. */
  readonly posted: PostDate | null
  /** The price of bitcoin then, USD, if known: only with it can "150-200" mean thousands. */
  readonly bitcoinUsd?: number | null
  /** The English name of its language where that is another one: such a post is not read. */
  readonly language?: string | null
}
