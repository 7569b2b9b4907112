import { z } from 'zod'
import { type CheckedReading, type PostToRead } from '#domain/posts/reading-fields.ts'
import { SourceError } from '#server/kit/failure.ts'

/** `pasted` is text pasted by an administrator. */
export const POST_SOURCES = ['x', 'syndication', 'oembed', 'pasted'] as const
export type PostSourceName = (typeof POST_SOURCES)[number]

/** A post quoted or replied to. */
const OtherPost = z.object({
  id: z.string().nullable(),
  handle: z.string().nullable(),
  text: z.string().nullable(),
})

/** A stored post; null for what its source does not provide. */
export const Post = z.object({
  /** From the address; for a repost, the repost's own. */
  id: z.string(),
  text: z.string(),
  /** The post continues, but its source does not provide the rest. */
  isCut: z.boolean(),
  author: z.object({
    name: z.string().nullable(),
    /** Starts with `@`. */
    handle: z.string().nullable(),
    isVerified: z.boolean().nullable(),
  }),
  /** ISO moment given by the source. */
  createdAt: z.string().nullable(),
  likes: z.number().nullable(),
  reposts: z.number().nullable(),
  replies: z.number().nullable(),
  hasMedia: z.boolean().nullable(),
  /** The reposting account; text, author and time are the original post's. */
  repost: z
    .object({ id: z.string().nullable(), by: z.string().nullable(), at: z.string().nullable() })
    .nullable(),
  quoted: OtherPost.nullable(),
  /** The post replied to; a reply to its own author is a thread. */
  answered: OtherPost.nullable(),
})
export type Post = z.infer<typeof Post>

/** Defaults for sources that provide none of these. */
export const NOT_GIVEN = {
  createdAt: null,
  likes: null,
  reposts: null,
  replies: null,
  hasMedia: null,
  repost: null,
  quoted: null,
  answered: null,
} as const satisfies Partial<Post>

/** `hidden`: shown only to people signed in to X. */
export type PostAnswer =
  | { readonly state: 'found'; readonly post: Post }
  | { readonly state: 'gone' | 'protected' | 'hidden' }

export type PostSource = {
  readonly name: Exclude<PostSourceName, 'pasted'>
  readonly title: string
  /** Whether its answer that a post does not exist is reliable. */
  readonly isSure: boolean
  /** @throws SourceError */
  readonly find: (id: string, signal: AbortSignal) => Promise<PostAnswer>
}

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
  /** Shown as `grok_used`. */
  readonly isGrok: boolean
  /** @throws AssistantError, or another SourceError; the post can then be read by the text parser alone */
  readonly read: (post: PostToRead, signal: AbortSignal) => Promise<AssistantReading>
}
