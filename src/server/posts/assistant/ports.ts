import { type CheckedReading, type PostToRead } from '#domain/posts/reading-fields.ts'
import { SourceError } from '#server/kit/failure.ts'

export type { Confidence, PostToRead } from '#domain/posts/reading-fields.ts'

/**
 * A model's reading of a post, limited to what the post's words support: a field whose quoted words are not in
 * the post is null, and `notes` says so. A top is in `price_max`, a bottom and an at-least price in
 * `price_min`. `tweet_proposals` have at most 280 characters each by X's count.
 */
export type AssistantReading = CheckedReading & {
  /** The second pass; null without a prediction, or without an answer. */
  readonly refuted: { readonly is: boolean; readonly why: string } | null
  /** Total of all calls. */
  readonly use: AssistantUse
}

export type AssistantUse = {
  /** The provider's name for the model. */
  readonly model: string
  readonly calls: number
  readonly tokensIn: number
  readonly tokensOut: number
  /** Null when no price per token is set. */
  readonly costUsd: number | null
  readonly durationMs: number
}

/** A failed reading that may still have cost `use`. */
export class AssistantError extends SourceError {
  readonly use: AssistantUse

  constructor({ fault, message, waitMs }: SourceError, use: AssistantUse) {
    super(fault, message, waitMs)
    this.use = use
  }
}

export type PostAssistant = {
  /** Provider and model, such as `xai:grok-4.3`; recorded with each reading. */
  readonly name: string
  /** Shown as `grok_used`. */
  readonly isGrok: boolean
  /** @throws AssistantError, or another SourceError; the post can then be read by the text parser alone */
  readonly read: (post: PostToRead, signal: AbortSignal) => Promise<AssistantReading>
}
