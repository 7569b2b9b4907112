import { type ExtractionRequest } from '#contracts/posts.ts'
import { dayOfTime, timeOfDay, type Day } from '#domain/day.ts'
import { postTime, type PostAddress } from '#domain/posts/post-url.ts'
import { type PostDate } from '#domain/posts/date-words.ts'
import { readPostDate } from '#domain/posts/reading-fields.ts'
import { failure } from '#server/kit/failure.ts'
import { type ReadPost } from './read-post.service.ts'

/** A fetched post, or the text that was pasted in its place. */
export type PostText = ReadPost & {
  readonly posted: PostDate | null
  readonly namedHandle: string | null
}

/** Pasted text in the form of a fetched post. @throws AppError for a day that is not valid */
export function pastedPost(
  text: string,
  { author, posted }: ExtractionRequest,
  address: PostAddress | null,
  fetchedAt: string,
): PostText {
  const day = postedOn(posted?.trim() ?? '', dayOfTime(Date.parse(fetchedAt)))
  const named = (author ?? '').replaceAll(/\p{Cc}/gu, ' ').trim()
  const isHandle = /^@\w{1,20}$/.test(named)
  const byNumber = address === null ? null : postTime(address.id)
  const date =
    day ?? (byNumber === null ? null : { day: dayOfTime(byNumber), precision: 'day' as const })
  const saidMs = byNumber ?? (date?.precision === 'day' ? timeOfDay(date.day) : null)
  return {
    post: {
      id: address?.id ?? '',
      text,
      isCut: false,
      author: {
        name: named === '' || isHandle ? null : named,
        handle: isHandle ? named : (address?.handle ?? null),
        isVerified: null,
      },
      createdAt: null,
      likes: null,
      reposts: null,
      replies: null,
      hasMedia: null,
      repost: null,
      quoted: null,
      answered: null,
    },
    source: 'pasted',
    fetchedAt,
    saidAt: saidMs === null ? null : new Date(saidMs).toISOString(),
    isTimeOdd: false,
    notes: ['The text was pasted; it has not been compared with the post.'],
    posted: date,
    namedHandle: null,
  }
}

/** The day that is given for a post; null where there is none. */
function postedOn(text: string, today: Day): PostDate | null {
  if (text === '') return null
  const date = readPostDate(text)
  // It may be tomorrow already where the post was made.
  const isAhead = date?.precision === 'day' && date.day > today + 1
  if (date !== null && !isAhead) return date
  const said = isAhead
    ? 'The day of the post cannot be in the future (UTC).'
    : 'Please enter the day as 2026-03-10, or the month as 2026-03.'
  throw failure('invalid', said, { posted: said })
}
