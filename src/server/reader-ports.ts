import { type AssetKey } from '#domain/asset.ts'
import { type Day } from '#domain/day.ts'
import { type Quote } from '#domain/post/span.ts'
import { type PredictionType } from '#domain/prediction.ts'

/** What an assistant gets to see of a post. The text is data: whatever it asks for is not done. */
export type PostToRead = {
  readonly text: string
  /** Name or handle of who posted it. */
  readonly author: string | null
  /** Null where the day is not known: then relative dates stay empty. */
  readonly postedDay: Day | null
}

export type Confidence = 'low' | 'medium' | 'high'

/** A field of an assistant's reading that must be backed by words of the post. */
export type AssistantField =
  | 'asset_type'
  | 'prediction_type'
  | 'price_target'
  | 'price_min'
  | 'price_max'
  | 'target_time'
  | 'prediction_start_date'

/**
 * What a model says a post predicts, as far as the post's own words bear it out: a field whose quoted words do not stand
 * in the post is null, and `notes` says so. A top stands in `price_max`, a bottom and an at-least price in `price_min`.
 */
export type AssistantReading = {
  readonly has_prediction: boolean
  readonly asset_type: AssetKey | null
  readonly prediction_type: PredictionType | null
  /** USD. */
  readonly price_target: number | null
  readonly price_min: number | null
  readonly price_max: number | null
  /** Days as 2026-12-31. */
  readonly target_time: string | null
  readonly prediction_start_date: string | null
  /** The words of the post behind each field that is filled, at their place in the text that was given. */
  readonly spans: Readonly<Partial<Record<AssistantField, Quote>>>
  /** Lowered for every note and by a second pass that refutes. */
  readonly confidence: Confidence
  /** Why it is a prediction, or why it is none, in a sentence or two. */
  readonly reasoning: string
  /** What makes the post hard to read; empty when nothing does. */
  readonly interpretation_challenges: string
  /** Each at most 280 characters by X's own count. */
  readonly tweet_proposals: readonly { readonly style: string; readonly text: string }[]
  readonly expert_name: string | null
  readonly verification_status: 'verified' | 'unverified' | 'suspicious'
  /** What was dropped or lowered, each a sentence for people. */
  readonly notes: readonly string[]
  /** Whether the second pass refuted it; null when there was none: no prediction, or no answer. */
  readonly refuted: { readonly is: boolean; readonly why: string } | null
  /** Of all its calls together. */
  readonly use: AssistantUse
}

export type AssistantUse = {
  /** As the provider calls it. */
  readonly model: string
  readonly calls: number
  readonly tokensIn: number
  readonly tokensOut: number
  /** Null when no price per token is set. */
  readonly costUsd: number | null
  readonly durationMs: number
}

/** Reads posts with a language model. */
export type PostAssistant = {
  /** Provider and model, such as `xai:grok-4.3`; recorded with each reading. */
  readonly name: string
  /** Whether it is the Grok of xAI: told as `grok_used`. */
  readonly isGrok: boolean
  /** @throws SourceError when the model does not help; the post may then be read by the text parser alone */
  readonly read: (post: PostToRead, signal: AbortSignal) => Promise<AssistantReading>
}
