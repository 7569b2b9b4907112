import { z } from 'zod'
import { SourceError } from '#server/kit/failure.ts'
import { callTo, isOk, jsonOf, type HttpLimits } from '#server/kit/http-call.ts'
import { NOT_GIVEN, type Post, type PostSource } from '#server/posts/ports.ts'
import { failedPost, hasCutMark, postCaller, repostIn, unescaped } from './ask.ts'

const TITLE = "X's embedding service"

const User = z.object({
  name: z.string().nullish(),
  screen_name: z.string().nullish(),
  verified: z.boolean().nullish(),
  is_blue_verified: z.boolean().nullish(),
})
const Other = z.object({ id_str: z.string().nullish(), text: z.string().nullish(), user: User })
const Tweet = z.object({
  __typename: z.literal('Tweet'),
  id_str: z.string(),
  text: z.string(),
  created_at: z.string().nullish(),
  user: User,
  favorite_count: z.number().nullish(),
  mediaDetails: z.array(z.unknown()).nullish(),
  photos: z.array(z.unknown()).nullish(),
  video: z.unknown().optional(),
  quoted_tweet: Other.nullish(),
  parent: Other.nullish(),
  in_reply_to_status_id_str: z.string().nullish(),
  in_reply_to_screen_name: z.string().nullish(),
  note_tweet: z.unknown().optional(),
})
type Tweet = z.infer<typeof Tweet>
const Tombstone = z.object({
  __typename: z.literal('TweetTombstone'),
  tombstone: z.object({ text: z.object({ text: z.string().nullish() }).nullish() }).nullish(),
})
const Nothing = z.strictObject({})
const Answer = z.union([Tweet, Tombstone, Nothing])

/**
 * The service behind embedded posts: unofficial, without a key, truncates long posts, and unreliable from data centres,
 * so that its "not found" proves nothing.
 * @see https://github.com/vercel/react-tweet
 */
export function syndicationPosts(url: URL, limits?: Partial<HttpLimits>): PostSource {
  const { call } = postCaller(TITLE, url, limits)
  return {
    name: 'syndication',
    title: TITLE,
    isSure: false,
    async find(id, signal) {
      const query = { id, lang: 'en', token: syndicationToken(id) }
      const answer = await call({ url: callTo(url, '/tweet-result', query), signal })
      if (answer.status === 404) return { state: 'gone' }
      if (!isOk(answer)) throw failedPost(TITLE, answer, false)
      const read = jsonOf(TITLE, answer, Answer)
      if (!('__typename' in read)) return { state: 'gone' }
      if (read.__typename === 'Tweet') return { state: 'found', post: postOf(id, read) }
      const words = read.tombstone?.text?.text ?? ''
      if (/limits who|protected/i.test(words)) return { state: 'protected' }
      if (/deleted|suspended|no longer exists|doesn.t exist/i.test(words)) return { state: 'gone' }
      return { state: 'hidden' }
    },
  }
}

/** The token required by the service, computed from the id. */
export function syndicationToken(id: string): string {
  return ((Number(id) / 1e15) * Math.PI).toString(36).replace(/(0+|\.)/g, '')
}

function postOf(id: string, tweet: Tweet): Post {
  if (tweet.id_str !== id) throw new SourceError('nonsense', `${TITLE} sent another post.`)
  const text = unescaped(tweet.text)
  const passedOn = repostIn(text)
  const own = handleOf(tweet.user.screen_name)
  const isNote = tweet.note_tweet != null
  const answered = tweet.in_reply_to_status_id_str ?? tweet.parent?.id_str ?? null
  return {
    ...NOT_GIVEN,
    id,
    text: passedOn?.text ?? text,
    isCut: isNote || hasCutMark(text) || (passedOn?.text.endsWith('\u2026') ?? false),
    author: passedOn
      ? { name: null, handle: passedOn.handle, isVerified: null }
      : {
          name: tweet.user.name ?? null,
          handle: own,
          isVerified: tweet.user.is_blue_verified ?? tweet.user.verified ?? null,
        },
    // For a repost this is the time of the repost.
    createdAt: passedOn ? null : (tweet.created_at ?? null),
    // No replies: `conversation_count` also counts indirect answers.
    likes: tweet.favorite_count ?? null,
    hasMedia: (tweet.mediaDetails ?? tweet.photos ?? []).length > 0 || tweet.video != null,
    repost: passedOn ? { id: null, by: own, at: tweet.created_at ?? null } : null,
    quoted: tweet.quoted_tweet ? otherOf(tweet.quoted_tweet) : null,
    answered:
      answered === null
        ? null
        : tweet.parent
          ? otherOf(tweet.parent)
          : { id: answered, handle: handleOf(tweet.in_reply_to_screen_name), text: null },
  }
}

function otherOf({ id_str, text, user }: z.infer<typeof Other>): NonNullable<Post['quoted']> {
  return {
    id: id_str ?? null,
    handle: handleOf(user.screen_name),
    text: text == null ? null : unescaped(text),
  }
}

function handleOf(name: string | null | undefined): string | null {
  return name ? `@${name}` : null
}
