import { eq } from 'drizzle-orm'
import { onlyTexts } from '#domain/clean-text.ts'
import { type PostDate } from '#domain/posts/date-words.ts'
import { postTime, type PostAddress } from '#domain/posts/post-url.ts'
import { posts } from '#server/database/schema/posts.ts'
import { type Db } from '#server/kit/db.ts'
import { SourceError } from '#server/kit/failure.ts'
import { type Kit, type SiteKit } from '#server/kit/kit.ts'
import { iso, isoNow, requestedPauses } from '#server/kit/time.ts'
import { type PublicRecord } from '#server/record/record.service.ts'
import * as ports from './ports.ts'

/** Posts are fetched again after this. */
const FRESH_MS = 24 * 3_600_000
/** Pause for a rate-limited source that names none. */
const PAUSE_MS = 60_000
const LEAST_PAUSE_MS = 1_000
/** Tolerated difference between the source's time and the time in the id. */
const TIME_TOLERANCE_MS = 5 * 60_000

type CachedPost = {
  readonly post: ports.Post
  readonly source: ports.PostSourceName
  readonly fetchedAt: string
}

export type ReadPost = CachedPost & {
  /** ISO moment; from the post's id where possible. */
  readonly postedAt: string | null
  /** The source's time contradicts the id. */
  readonly isTimeOdd: boolean
  readonly notes: readonly string[]
}

/** A fetched post, or text pasted in its place. */
export type PostText = ReadPost & {
  readonly posted: PostDate | null
  readonly namedHandle: string | null
}

/** `mayPass`: a later attempt may succeed. */
export type PostFailure = {
  readonly why: 'gone' | 'protected' | 'hidden' | 'unavailable'
  readonly message: string
  readonly mayPass: boolean
}

export type PostReader = ReturnType<typeof postReader>

export type PostsKit = SiteKit & {
  readonly record: PublicRecord
  readonly reader: PostReader
  /** The model used beside the parser. */
  readonly assistant: ports.PostAssistant | null
  /** Called when links are ready to be read; `first` has priority. */
  readonly onWork: (first: number | null) => Promise<void>
  /** How long `process` waits for the result. */
  readonly answerWithinMs: number
}

const SAID: Readonly<Record<Exclude<PostFailure['why'], 'unavailable'>, string>> = {
  gone: 'This post does not exist: it was deleted, its account was closed, or the address is mistyped.',
  protected: 'This post is protected: only the followers of its account can read it.',
  hidden: 'X shows this post only to people who are signed in there. Paste its text instead.',
}

/**
 * Reads posts from the first source that has them: the X API if a key is set, then X's embedding services. Posts are
 * stored, so that they can be checked after deletion.
 * @param sources most trusted first
 */
export function postReader(
  { db, clock }: Pick<Kit, 'db' | 'clock'>,
  sources: readonly ports.PostSource[],
) {
  const pauses = requestedPauses({ clock })

  /** @returns a sentence in `fault` if it failed */
  async function ask(source: ports.PostSource, id: string, signal: AbortSignal) {
    if (pauses.leftMs(source.name) > 0)
      return new SourceError('busy', `${source.title} asks us to wait.`)
    try {
      return await source.find(id, signal)
    } catch (error) {
      if (!(error instanceof SourceError)) throw error
      if (error.fault === 'busy') {
        pauses.wait(source.name, Math.max(error.waitMs ?? PAUSE_MS, LEAST_PAUSE_MS))
      }
      return error
    }
  }

  /** @param before the stored post */
  async function fetchPost(
    id: string,
    before: CachedPost | null,
    signal: AbortSignal,
  ): Promise<{ cached: CachedPost; notes: string[] } | PostFailure> {
    const faults: SourceError[] = []
    const notes: string[] = []
    let absent: 'gone' | 'protected' | 'hidden' | null = null
    // Whether only one source, which may be mistaken, reports that the post is gone.
    let isAlone = false
    for (const source of sources) {
      const answer = await ask(source, id, signal)
      if (answer instanceof SourceError) {
        faults.push(answer)
        notes.push(answer.message)
        isAlone ||= !source.isSure
        continue
      }
      if (answer.state === 'found') {
        const fetchedAt = isoNow({ clock })
        const now = { post: answer.post, source: source.name, fetchedAt }
        if (before && saysLess(now, before)) {
          const note = `This is the post as it was read on ${timeOf(before)}; ${source.title} shows less of it.`
          return { cached: before, notes: [...notes, note] }
        }
        return { cached: await cachePost(db, now), notes }
      }
      // "Protected" and "hidden" imply that the post exists, which outweighs a source that finds none.
      if (absent === null || absent === 'gone') absent = answer.state
      if (source.isSure) {
        isAlone = false
        break
      }
      if (answer.state === 'gone') notes.push(`${source.title} finds no such post.`)
    }
    if (absent !== null && !(absent === 'gone' && isAlone)) {
      return { why: absent, message: SAID[absent], mayPass: false }
    }
    const mayPass = faults.some((fault) => fault.fault !== 'refused')
    return {
      why: 'unavailable',
      mayPass,
      message:
        sources.length === 0
          ? 'No source of posts is set up. Paste the text of the post instead.'
          : `The post cannot be read at the moment. ${notes.join(' ')} Paste its text instead, or try again later.`,
    }
  }

  return {
    /** @param refetch ignores a fresh stored post @throws the reason of `signal` when aborted */
    async read(
      { id }: PostAddress,
      { refetch, signal }: { refetch: boolean; signal: AbortSignal },
    ): Promise<{ ok: true; read: ReadPost } | { ok: false; failure: PostFailure }> {
      const before = await cachedPost(db, id)
      if (before && !refetch && isFresh(before, clock.now())) {
        return { ok: true, read: readOf(before, []) }
      }
      const fetched = await fetchPost(id, before, signal)
      signal.throwIfAborted()
      if ('cached' in fetched) return { ok: true, read: readOf(fetched.cached, fetched.notes) }
      if (before) return { ok: true, read: readOf(before, [outdated(before, fetched)]) }
      return { ok: false, failure: fetched }
    },
  }
}

/** The last reading of a post; null without one, or if an earlier version stored it in another shape. */
async function cachedPost(db: Db, id: string): Promise<CachedPost | null> {
  const [row] = await db.select().from(posts).where(eq(posts.id, id))
  if (!row) return null
  const post = ports.Post.safeParse(row.content)
  if (!post.success) return null
  return { post: post.data, source: row.source, fetchedAt: iso(row.fetchedAt) }
}

/** @returns the stored post */
async function cachePost(db: Db, cached: CachedPost): Promise<CachedPost> {
  const { post, source, fetchedAt } = onlyTexts(cached)
  const values = { source, fetchedAt, content: post }
  await db
    .insert(posts)
    .values({ id: post.id, ...values })
    .onConflictDoUpdate({ target: posts.id, set: values })
  return { post, source, fetchedAt }
}

/** Complete posts stay fresh for a day; others may be complete the next time. */
function isFresh({ post, fetchedAt }: CachedPost, now: number): boolean {
  const age = now - Date.parse(fetchedAt)
  return age >= 0 && age < FRESH_MS && !post.isCut
}

/** Posts never change: a less trusted source or a truncated text must not replace a better one. */
function saysLess(now: CachedPost, before: CachedPost): boolean {
  if (now.post.isCut !== before.post.isCut) return now.post.isCut
  return ports.POST_SOURCES.indexOf(now.source) > ports.POST_SOURCES.indexOf(before.source)
}

function timeOf({ fetchedAt }: CachedPost): string {
  return `${fetchedAt.slice(0, 16).replace('T', ' ')} UTC`
}

function outdated(before: CachedPost, { why, message }: PostFailure): string {
  const at = timeOf(before)
  return why === 'unavailable'
    ? `This is the post as it was read on ${at}. ${message}`
    : `This is the post as it was read on ${at}; since then: ${message}`
}

function readOf(cached: CachedPost, notes: readonly string[]): ReadPost {
  const { post } = cached
  // A repost's id gives the time of the repost; the original has its own id, where known.
  const byNumber = postTime(post.repost ? (post.repost.id ?? '') : post.id)
  const createdMs = post.createdAt === null ? NaN : Date.parse(post.createdAt)
  const isTimeOdd = byNumber !== null && Math.abs(createdMs - byNumber) > TIME_TOLERANCE_MS
  const postedMs = byNumber ?? createdMs
  return {
    ...cached,
    postedAt: Number.isFinite(postedMs) ? new Date(postedMs).toISOString() : null,
    isTimeOdd,
    notes: [
      ...notes,
      isTimeOdd && 'The source gives a different time than the id of the post; the id counts.',
      post.isCut &&
        'Only the beginning of this post can be read without an X key. Paste its whole text to be sure.',
    ].filter((note) => note !== false),
  }
}
