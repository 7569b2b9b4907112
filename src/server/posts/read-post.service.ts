import { type PostDate } from '#domain/posts/date-words.ts'
import { postTime, type PostAddress } from '#domain/posts/post-url.ts'
import { POST_SOURCES, type Post, type PostSource, type PostSourceName } from './ports.ts'
import { SourceError, type Clock } from '#server/kit/ports.ts'
import { isoNow } from '#server/kit/now.ts'
import { type Db } from '#server/kit/db.ts'
import { cachePost, cachedPost, type CachedPost } from './extractions.store.ts'

/** A post read longer ago than this is asked for again. */
const FRESH_MS = 24 * 3_600_000
/** A source that asks to wait is left alone: as long as it says, else so long. */
const PAUSE_MS = 60_000
const LEAST_PAUSE_MS = 1_000
/** How far the time that a source gives may differ from the one in the number. */
const TIME_TOLERANCE_MS = 5 * 60_000

export type ReadPost = {
  readonly post: Post
  readonly source: PostSourceName
  readonly fetchedAt: string
  /** When it was said, ISO; by the post's number where that gives it. */
  readonly saidAt: string | null
  /** The source gives another time than the number does. */
  readonly isTimeOdd: boolean
  /** Errors, each a sentence. */
  readonly notes: readonly string[]
}

/** A fetched post, or the text that was pasted in its place. */
export type PostText = ReadPost & {
  readonly posted: PostDate | null
  readonly namedHandle: string | null
}

/** `mayPass`: trying again later may help. */
export type PostFailure = {
  readonly why: 'gone' | 'protected' | 'hidden' | 'unavailable'
  readonly message: string
  readonly mayPass: boolean
}

export type PostReader = ReturnType<typeof postReader>

const SAID: Readonly<Record<Exclude<PostFailure['why'], 'unavailable'>, string>> = {
  gone: 'This post does not exist: it was deleted, its account was closed, or the address is mistyped.',
  protected: 'This post is protected: only the followers of its account can read it.',
  hidden: 'X shows this post only to people who are signed in there. Paste its text instead.',
}

/**
 * Reads posts from the first source that has them: X itself where there is a key, then its services for embedding. What
 * was read is kept, so that a post can still be checked after it is deleted.
 *
 * @param sources in the order of trust
 */
export function postReader({
  db,
  clock,
  sources,
}: {
  db: Db
  clock: Clock
  sources: readonly PostSource[]
}) {
  const pausedUntil = new Map<PostSource['name'], { from: number; until: number }>()

  function isPaused({ name }: PostSource): boolean {
    const pause = pausedUntil.get(name)
    const now = clock.now()
    // A clock that was set back must not make the pause longer.
    return pause !== undefined && now >= pause.from && now < pause.until
  }

  /** Asks one source. @returns a sentence on its failure in `fault` */
  async function ask(
    source: PostSource,
    id: string,
    signal: AbortSignal,
  ): Promise<Awaited<ReturnType<PostSource['find']>> | SourceError> {
    if (isPaused(source)) return new SourceError('busy', `${source.title} asks to wait.`)
    try {
      return await source.find(id, signal)
    } catch (error) {
      if (!(error instanceof SourceError)) throw error
      if (error.fault === 'busy') {
        const from = clock.now()
        const pauseMs = Math.max(error.waitMs ?? PAUSE_MS, LEAST_PAUSE_MS)
        pausedUntil.set(source.name, { from, until: from + pauseMs })
      }
      return error
    }
  }

  /** @param before the post as it was read last */
  async function fetchPost(
    id: string,
    before: CachedPost | null,
    signal: AbortSignal,
  ): Promise<{ cached: CachedPost; notes: string[] } | PostFailure> {
    const faults: SourceError[] = []
    const said: string[] = []
    let absent: 'gone' | 'protected' | 'hidden' | null = null
    // Only one source, which may be mistaken, says that the post is gone.
    let isAlone = false
    for (const source of sources) {
      const answer = await ask(source, id, signal)
      if (answer instanceof SourceError) {
        faults.push(answer)
        said.push(answer.message)
        isAlone ||= !source.isSure
        continue
      }
      if (answer.state === 'found') {
        const fetchedAt = isoNow({ clock })
        const now = { post: answer.post, source: source.name, fetchedAt }
        if (before && saysLess(now, before)) {
          const note = `This is the post as it was read on ${timeOf(before)}; ${source.title} shows less of it.`
          return { cached: before, notes: [...said, note] }
        }
        return { cached: await cachePost(db, now), notes: said }
      }
      // "Protected" and "hidden" say that there is one, which outweighs a source that finds none.
      if (absent === null || absent === 'gone') absent = answer.state
      if (source.isSure) {
        isAlone = false
        break
      }
      if (answer.state === 'gone') said.push(`${source.title} finds no such post.`)
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
          : `The post cannot be read at the moment. ${said.join(' ')} Paste its text instead, or try again later.`,
    }
  }

  return {
    /**
     * @param refetch asks the sources although the post is known
     * @throws the reason of `signal` when that ends it
     */
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

/** Kept for a day; what may be whole the next time is not. */
function isFresh({ post, fetchedAt }: CachedPost, now: number): boolean {
  const age = now - Date.parse(fetchedAt)
  return age >= 0 && age < FRESH_MS && !post.isCut
}

/** A post never changes under its number: a less trusted source, or a cut text, must not replace what is known. */
function saysLess(now: CachedPost, before: CachedPost): boolean {
  if (now.post.isCut !== before.post.isCut) return now.post.isCut
  return POST_SOURCES.indexOf(now.source) > POST_SOURCES.indexOf(before.source)
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
  // A repost's own number gives when it was reposted; the original has another one, where that is known.
  const byNumber = postTime(post.repost ? (post.repost.id ?? '') : post.id)
  const given = post.createdAt === null ? NaN : Date.parse(post.createdAt)
  const isTimeOdd = byNumber !== null && Math.abs(given - byNumber) > TIME_TOLERANCE_MS
  const saidMs = byNumber ?? given
  return {
    ...cached,
    saidAt: Number.isFinite(saidMs) ? new Date(saidMs).toISOString() : null,
    isTimeOdd,
    notes: [
      ...notes,
      ...(isTimeOdd
        ? ['The source gives another time than the number of the post; the number counts.']
        : []),
      ...(post.isCut
        ? [
            'Only the beginning of this post can be read without an X key. Paste its whole text to be sure.',
          ]
        : []),
    ],
  }
}
