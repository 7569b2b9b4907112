import { startPostJobs, type PostJobs } from './queue/post-queue.jobs.ts'
import { type PostSource } from './ports.ts'
import { type Kit } from '#server/kit/kit.ts'
import { type PostAssistant, type TextParser } from './assistant/ports.ts'
import { adminSubmissionService } from './admin-submissions.service.ts'
import { type Catalog } from '#server/predictions/catalog.service.ts'
import { extractionService } from './extraction.service.ts'
import { postReader } from './read-post.service.ts'
import { queueFollower } from './queue/follow-queue.service.ts'
import { tweetQueueService } from './queue/post-queue.service.ts'
import { itemsToDo } from './queue/post-queue.store.ts'

/** What reading posts needs from outside. */
export type PostPorts = {
  /** In the order of trust. */
  readonly sources: readonly PostSource[]
  readonly parser: TextParser
  /** The model that reads beside the parser; null for none. */
  readonly assistant: PostAssistant | null
}

/** How soon a silent process is noticed, a failed try repeated, and an answer given without the result. */
export type PostPace = {
  readonly superviseSeconds?: number
  readonly retrySeconds?: number
  readonly answerWithinMs?: number
}

/** Reading posts: one at a time, and the queue. Nothing runs before `start`. */
export function openPosts(
  kit: Kit,
  { sources, parser, assistant }: PostPorts,
  { catalog }: { catalog: Pick<Catalog, 'snapshot'> },
  { answerWithinMs, ...timing }: PostPace = {},
) {
  const { db, pool, log } = kit
  let jobs: PostJobs | null = null
  const reader = postReader({ ...kit, sources })
  const extraction = extractionService({ ...kit, catalog, reader, parser, assistant })
  const follow = queueFollower(kit)
  const queue = tweetQueueService({
    ...kit,
    extraction,
    follow,
    onWork: (first) => jobs?.nudge(first),
    ...(answerWithinMs === undefined ? {} : { answerWithinMs }),
  })
  return {
    extraction,
    queue,
    follow,
    submissions: adminSubmissionService(kit),
    start: () => {
      jobs ??= startPostJobs({ pool, log, queue, toDo: () => itemsToDo(db), ...timing })
    },
    stop: async () => {
      await jobs?.stop()
      await parser.close()
    },
  }
}
