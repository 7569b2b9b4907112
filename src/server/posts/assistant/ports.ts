import { type CheckedReading, type PostToRead } from '#domain/posts/reading-fields.ts'
import { SourceError } from '#server/kit/ports.ts'

export type { Confidence, PostToRead } from '#domain/posts/reading-fields.ts'

/**
 * What a model says a post predicts, as far as the post's own words support it: a field whose quoted words are not in the
 * post is null, and `notes` says so. A top is in `price_max`, a bottom and an at-least price in `price_min`.
 * Its `tweet_proposals` are at most 280 characters each by X's own count.
 */
export type AssistantReading = CheckedReading & {
  /** Whether the second pass refuted it; null when there was none: no prediction, or no answer. */
  readonly refuted: { readonly is: boolean; readonly why: string } | null
  /** For all its calls together. */
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

/** The model did not help, but asking it has cost what `use` says. */
export class AssistantError extends SourceError {
  readonly use: AssistantUse

  constructor({ fault, message, waitMs }: SourceError, use: AssistantUse) {
    super(fault, message, waitMs)
    this.use = use
  }
}

/** Reads posts with a language model. */
export type PostAssistant = {
  /** Provider and model, such as `xai:grok-4.3`; recorded with each reading. */
  readonly name: string
  /** Whether it is the Grok of xAI: shown as `grok_used`. */
  readonly isGrok: boolean
  /** @throws AssistantError, or another SourceError, when the model does not help; the post may then be read by the text parser alone */
  readonly read: (post: PostToRead, signal: AbortSignal) => Promise<AssistantReading>
}
