import { z } from 'zod'
import { SourceError } from '#server/kit/failure.ts'
import { callTo, isOk, jsonOf, type HttpLimits } from '#server/kit/http-call.ts'
import { type Post, type PostAnswer, type PostSource } from '#server/posts/ports.ts'
import { failedPost, postCaller, unescaped } from './ask.ts'

const TITLE = 'X'

const Id = z.string().regex(/^\d{1,19}$/)
const Reference = z.object({ type: z.string(), id: Id })
const Note = z.object({ text: z.string().optional() })
const XPost = z.object({
  id: Id,
  text: z.string(),
  author_id: z.string().optional(),
  created_at: z.string().optional(),
  public_metrics: z
    .object({
      like_count: z.number().optional(),
      retweet_count: z.number().optional(),
      repost_count: z.number().optional(),
      reply_count: z.number().optional(),
    })
    .optional(),
  attachments: z.object({ media_keys: z.array(z.string()).optional() }).optional(),
  // Named differently in the documentation and the OpenAPI document; both occur.
  note_tweet: Note.optional(),
  note_post: Note.optional(),
  referenced_tweets: z.array(Reference).optional(),
  referenced_posts: z.array(Reference).optional(),
})
type XPost = z.infer<typeof XPost>
const User = z.object({
  id: z.string(),
  name: z.string().optional(),
  username: z.string().optional(),
  verified: z.boolean().optional(),
})
const Problem = z.object({
  title: z.string().optional(),
  detail: z.string().optional(),
  type: z.string().optional(),
})
/** Status 200 may come with errors and no post. */
const Answer = z.object({
  data: XPost.optional(),
  includes: z
    .object({
      users: z.array(User).optional(),
      tweets: z.array(XPost).optional(),
      posts: z.array(XPost).optional(),
    })
    .optional(),
  errors: z.array(Problem).optional(),
})
type Answer = z.infer<typeof Answer>

const QUERY = {
  expansions: [
    'author_id',
    'attachments.media_keys',
    'referenced_tweets.id',
    'referenced_tweets.id.author_id',
  ].join(','),
  'tweet.fields':
    'created_at,public_metrics,note_tweet,referenced_tweets,entities,in_reply_to_user_id',
  'user.fields': 'name,username,verified,verified_type',
  'media.fields': 'type,url,preview_image_url',
}

/**
 * X API version 2 with an app's bearer token. Each post read is charged.
 * @see https://docs.x.com/x-api/posts/get-post-by-id, protocols.md §4
 */
export function xPosts(
  { url, token }: { url: URL; token: string },
  limits?: Partial<HttpLimits>,
): PostSource {
  const { call } = postCaller(TITLE, url, limits)
  return {
    name: 'x',
    title: TITLE,
    isSure: true,
    async find(id, signal) {
      const headers = { authorization: `Bearer ${token}` }
      const answer = await call({ url: callTo(url, `/2/tweets/${id}`, QUERY), headers, signal })
      if (answer.status === 404) return { state: 'gone' }
      if (!isOk(answer)) throw failedPost(TITLE, answer, true)
      const read = jsonOf(TITLE, answer, Answer)
      return read.data ? { state: 'found', post: postOf(id, read.data, read) } : missing(read)
    },
  }
}

/** The reason for a missing post, from the errors in the response. */
function missing({ errors = [] }: Answer): PostAnswer {
  const kinds = errors.map(({ type = '', title = '' }) => `${type} ${title}`).join(' ')
  if (/not-authorized-for-resource|Authorization Error/i.test(kinds)) return { state: 'protected' }
  if (/resource-not-found|Not Found/i.test(kinds)) return { state: 'gone' }
  if (/resource-unavailable|disallowed/i.test(kinds)) return { state: 'hidden' }
  throw new SourceError('nonsense', `${TITLE} sent neither a post nor a reason.`)
}

function postOf(id: string, requested: XPost, answer: Answer): Post {
  if (requested.id !== id) throw new SourceError('nonsense', `${TITLE} sent another post.`)
  const users = new Map((answer.includes?.users ?? []).map((user) => [user.id, user]))
  const { tweets = [], posts = [] } = answer.includes ?? {}
  const others = new Map([...tweets, ...posts].map((one) => [one.id, one]))
  const handleOf = (post: XPost | undefined): string | null => {
    const name = users.get(post?.author_id ?? '')?.username
    return name === undefined ? null : `@${name}`
  }
  const referenceOf = (of: XPost, kinds: readonly string[]) => {
    const { referenced_tweets: tweets = [], referenced_posts: posts = [] } = of
    const found = [...tweets, ...posts].find(({ type }) => kinds.includes(type))
    if (!found) return null
    const post = others.get(found.id)
    return { id: found.id, handle: handleOf(post), text: post ? textOf(post) : null }
  }
  const passedOn = referenceOf(requested, ['retweeted', 'reposted'])
  const passedOnPost = others.get(passedOn?.id ?? '')
  const original = passedOnPost ?? requested
  const author = users.get(original.author_id ?? '')
  const metrics = original.public_metrics
  return {
    id,
    text: textOf(original),
    // The text of a repost is truncated unless it includes the original.
    isCut: passedOn !== null && !passedOnPost,
    author: {
      name: author?.name ?? null,
      handle: handleOf(original),
      isVerified: author?.verified ?? null,
    },
    createdAt: original.created_at ?? null,
    likes: metrics?.like_count ?? null,
    reposts: metrics?.retweet_count ?? metrics?.repost_count ?? null,
    replies: metrics?.reply_count ?? null,
    hasMedia: (original.attachments?.media_keys ?? []).length > 0,
    repost: passedOn
      ? { id: passedOn.id, by: handleOf(requested), at: requested.created_at ?? null }
      : null,
    quoted: referenceOf(original, ['quoted']),
    answered: referenceOf(original, ['replied_to']),
  }
}

/** Posts above 280 characters are complete only in their note. */
function textOf(post: XPost): string {
  return unescaped(post.note_tweet?.text ?? post.note_post?.text ?? post.text)
}
