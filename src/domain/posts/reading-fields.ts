import { type AssetKey } from '#domain/asset.ts'
import { timingOf, type StatedDirection, type Timing } from '#domain/claim/claim.ts'
import {
  type PredictionType,
  type LevelField,
  type Levels,
  predictionType,
  levelsOnce,
  NO_LEVELS,
} from '#domain/claim/fields.ts'
import { isoDay, readDay, type Day } from '#domain/day.ts'
import { type Proposal } from '#domain/publishing/post-compose.ts'
import { type PostDate } from './date-words.ts'
import { type Quote } from './plain.ts'
import { type PostReading } from './post-reading.ts'

/** A reading on the wire; missing levels and dates are null. */
export type ReadingFields = Pick<
  CheckedReading,
  'has_prediction' | Exclude<BackedField, 'prediction_start_date'> | 'spans'
>

/** The reading as fields, each level in one field only. */
export function fieldsOfReading(reading: PostReading): ReadingFields {
  if (!reading.found) {
    return {
      has_prediction: false,
      asset_type: reading.asset?.key ?? null,
      prediction_type: null,
      ...NO_LEVELS,
      target_time: null,
      timing: null,
      direction: null,
      spans: reading.asset ? { asset_type: reading.asset.quote } : {},
    }
  }
  const { asset, claim, by, quotes } = reading.prediction
  const levels = levelsOnce(claim)
  return {
    has_prediction: true,
    asset_type: asset,
    prediction_type: predictionType(claim.type),
    ...levels,
    target_time: isoDay(by),
    timing: timingOf(claim),
    direction: claim.direction ?? null,
    spans: {
      ...(quotes.asset ? { asset_type: quotes.asset } : {}),
      prediction_type: quotes.type,
      ...(levels.price_target === null ? {} : { price_target: quotes.low }),
      ...(levels.price_min === null ? {} : { price_min: quotes.low }),
      ...(levels.price_max === null ? {} : { price_max: quotes.high }),
      ...(quotes.deadline ? { target_time: quotes.deadline } : {}),
      ...(quotes.timing ? { timing: quotes.timing } : {}),
      ...(quotes.direction ? { direction: quotes.direction } : {}),
    },
  }
}

/** Reads `2026-03-10`, an ISO moment, `2026-03` or `2026`. @returns null for any other text */
export function readPostDate(text: string): PostDate | null {
  const plain = text.trim()
  const month = /^\d{4}-\d{2}$/.test(plain)
  const year = /^\d{4}$/.test(plain)
  const day: Day | null = readDay(month ? `${plain}-01` : year ? `${plain}-01-01` : plain)
  if (day === null) return null
  return { day, precision: month ? 'month' : year ? 'year' : 'day' }
}

/** The parts of a post sent to an assistant. The text is data: requests in it are not followed. */
export type PostToRead = {
  readonly text: string
  /** Name or handle of its author. */
  readonly author: string | null
  /** If null, relative dates stay empty. */
  readonly postedDay: Day | null
  /** English name of its language; null for English. */
  readonly language: string | null
}

export type Confidence = 'low' | 'medium' | 'high'

export const LOWER_CONFIDENCE: Readonly<Record<Confidence, Confidence>> = {
  high: 'medium',
  medium: 'low',
  low: 'low',
}

/** A field that must be supported by words of the post. */
export type BackedField =
  | 'asset_type'
  | 'prediction_type'
  | LevelField
  | 'target_time'
  | 'prediction_start_date'
  | TermField

export type TermField = 'timing' | 'direction'

export type DateField = 'target_time' | 'prediction_start_date'

/** A model's unchecked answer about a post. */
export type ReadingDraft = Levels & {
  readonly has_prediction: boolean
  readonly asset_type: AssetKey | null
  readonly prediction_type: PredictionType | null
  readonly target_time: string | null
  readonly prediction_start_date: string | null
  /** Null for the type's default. */
  readonly timing: Timing | null
  readonly direction: StatedDirection | null
  readonly words: Readonly<Record<BackedField, string | null>>
  readonly expert_name: string | null
  readonly confidence: Confidence
  readonly reasoning: string
  readonly interpretation_challenges: string
  readonly tweet_proposals: readonly Proposal[]
  readonly verification_status: 'verified' | 'unverified' | 'suspicious'
}

/** A draft checked against the words of the post. A top is in `price_max`, a bottom or minimum in `price_min`. */
export type CheckedReading = Omit<ReadingDraft, 'words'> & {
  /** The words of the post behind each filled field, positioned in the given text. */
  readonly spans: Readonly<Partial<Record<BackedField, Quote>>>
  /** Removed or less certain fields, one sentence each. */
  readonly notes: readonly string[]
}

/** Field names for people. */
export const FIELD_NAMES: Readonly<Record<BackedField, string>> = {
  asset_type: 'asset',
  prediction_type: 'type',
  price_target: 'price target',
  price_min: 'minimum price',
  price_max: 'maximum price',
  target_time: 'target date',
  prediction_start_date: 'start date',
  timing: 'timing',
  direction: 'direction',
}
