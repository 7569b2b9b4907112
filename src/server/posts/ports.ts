import { z } from 'zod'

/** Where posts are read from; `pasted` is text that an administrator pasted. */
export const POST_SOURCES = ['x', 'syndication', 'oembed', 'pasted'] as const
export type PostSourceName = (typeof POST_SOURCES)[number]

/** A post another one speaks of. */
const OtherPost = z.object({
  id: z.string().nullable(),
  handle: z.string().nullable(),
  text: z.string().nullable(),
})

/** A post as it is stored: what its source does not give is null. */
export const Post = z.object({
  /** That of the address; for a repost, the repost's own. */
  id: z.string(),
  text: z.string(),
  /** The post goes on, and its source does not give the rest. */
  isCut: z.boolean(),
  author: z.object({
    name: z.string().nullable(),
    /** With its `@`. */
    handle: z.string().nullable(),
    isVerified: z.boolean().nullable(),
  }),
  /** ISO moment, as the source says. */
  createdAt: z.string().nullable(),
  likes: z.number().nullable(),
  reposts: z.number().nullable(),
  replies: z.number().nullable(),
  hasMedia: z.boolean().nullable(),
  /** The account that reposted it; text, author and time are the original post's. */
  repost: z
    .object({ id: z.string().nullable(), by: z.string().nullable(), at: z.string().nullable() })
    .nullable(),
  quoted: OtherPost.nullable(),
  /** The post it replies to; a reply to its own author is a thread. */
  answered: OtherPost.nullable(),
})
export type Post = z.infer<typeof Post>

/** A source that gives none of these. */
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

/** `hidden`: shown only to people who are signed in at X. */
export type PostAnswer =
  | { readonly state: 'found'; readonly post: Post }
  | { readonly state: 'gone' | 'protected' | 'hidden' }

/** A way to read posts by their number. */
export type PostSource = {
  readonly name: Exclude<PostSourceName, 'pasted'>
  /** As people read it. */
  readonly title: string
  /** Whether "there is no such post" is certain from this source alone. */
  readonly isSure: boolean
  /** @throws SourceError when it does not help */
  readonly find: (id: string, signal: AbortSignal) => Promise<PostAnswer>
}
