import { foldHandle } from '#domain/people/name.ts'
import { isSigned } from '#domain/reply.ts'
import { readPostUrl } from '#domain/posts/post-url.ts'
import { readSourceAddress } from '#domain/web-address.ts'
import { type ReplyEvidence } from '#server/database/schema/replies.ts'
import { failure } from '#server/kit/failure.ts'
import { type Caller } from '#server/kit/limiter.ts'
import { mayRead, type RepliesKit } from './replies-kit.ts'

const LONGEST_TEXT = 2_000

type Evidence = Extract<ReplyEvidence, { way: 'post' }>

/**
 * Reads the post that should contain a code. Refuses a reply whose post is by someone else or lacks the code; leaves
 * unreadable posts, or ones with only the code, to an administrator.
 * @throws AppError `invalid` with a sentence for the field
 */
export async function readPostProof(
  kit: RepliesKit,
  input: { readonly url: string; readonly code: string; readonly handles: readonly string[] },
  { caller, signal }: { readonly caller: Caller; readonly signal: AbortSignal },
): Promise<Evidence> {
  const { code, handles } = input
  const trimmed = input.url.trim()
  const address = readPostUrl(trimmed)
  const url = address?.url ?? (/^https:\/\//i.test(trimmed) ? readSourceAddress(trimmed) : null)
  if (url === null) throw wrong('Please give the link to your post: it starts with https://.')
  const evidence = { way: 'post', url, code, handles: [...handles] } as const
  if (!address) {
    const unread = 'It is not on X, so the program cannot read it.'
    return { ...evidence, read: null, unread, isMatch: false }
  }
  if (!(await mayRead(kit, caller))) {
    const unread = 'Many posts were read today, so the program did not read this one.'
    return { ...evidence, read: null, unread, isMatch: false }
  }
  const answer = await kit.reader
    .read(address, { refetch: false, signal })
    .catch((error: unknown) => {
      if (signal.aborted) return null
      throw error
    })
  if (answer === null) {
    return { ...evidence, read: null, unread: 'Reading it took too long.', isMatch: false }
  }
  if (!answer.ok) {
    if (answer.failure.why === 'gone') throw wrong(answer.failure.message)
    return { ...evidence, read: null, unread: answer.failure.message, isMatch: false }
  }
  const { post, source, fetchedAt } = answer.read
  const { handle } = post.author
  if (post.repost) throw wrong('This is a repost. Please post the code yourself.')
  const hasCode = post.text.toUpperCase().includes(code.toUpperCase())
  if (!hasCode && !post.isCut) throw wrong(`This post does not have the code ${code}.`)
  const isTheirs = handle !== null && handles.some((one) => foldHandle(one) === foldHandle(handle))
  if (handle !== null && handles.length > 0 && !isTheirs) {
    throw wrong(`This post is by ${handle}. On record is ${handles.join(', ')}.`)
  }
  const read = { handle, text: post.text.slice(0, LONGEST_TEXT), source, fetchedAt }
  return { ...evidence, read, unread: null, isMatch: isSigned(post.text, code) && isTheirs }
}

function wrong(sentence: string) {
  return failure('invalid', sentence, { url: sentence })
}
