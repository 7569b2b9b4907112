import { type PostSource } from './ports.ts'
import { type Kit } from '#server/kit/kit.ts'
import { type PostAssistant } from './assistant/ports.ts'
import { type PublicRecord } from '#server/record/record.service.ts'
import { type PostsKit } from './posts-kit.ts'
import { postReader } from './read-post.service.ts'
import { queueFollower } from './queue/follow-queue.service.ts'
import { startPostJobs, type PostJobs } from './queue/post-queue.jobs.ts'
import { itemsToDo } from './queue/post-queue.store.ts'
import { tryLink } from './queue/try-link.service.ts'

/** The answer to `process` comes without the result after this. */
const ANSWER_WITHIN_MS = 20_000

/** What reading posts needs from outside. */
export type PostPorts = {
  /** In the order of trust. */
  readonly sources: readonly PostSource[]
  /** The model that reads beside the parser; null for none. */
  readonly assistant: PostAssistant | null
}

/** How soon a silent process is noticed, a failed try repeated, a job found, and an answer given without the result. */
export type PostPace = {
  readonly superviseSeconds?: number
  readonly retrySeconds?: number
  readonly pollSeconds?: number
  readonly answerWithinMs?: number
}

/** Reading posts: one at a time, and the queue. Nothing runs before `start`. */
export function openPosts(
  kit: Kit,
  { sources, assistant }: PostPorts,
  { record }: { record: PublicRecord },
  { answerWithinMs = ANSWER_WITHIN_MS, ...timing }: PostPace = {},
) {
  const { db, clock, pool, log, signals } = kit
  let jobs: PostJobs | null = null
  let unlisten: (() => void) | null = null
  const parts: PostsKit = {
    db,
    clock,
    log,
    record,
    reader: postReader({ db, clock, sources }),
    assistant,
    follow: queueFollower(kit),
    onWork: (first) => jobs?.nudge(first),
    answerWithinMs,
  }
  return {
    kit: parts,
    start: () => {
      // A process without jobs may have put something into the queue.
      unlisten ??= signals.listen('queue', () => jobs?.nudge(null))
      jobs ??= startPostJobs({
        pool,
        log,
        tryLink: (id, signal) => tryLink(parts, id, signal),
        toDo: () => itemsToDo(db),
        ...timing,
      })
    },
    stop: async () => {
      unlisten?.()
      await jobs?.stop()
    },
  }
}
