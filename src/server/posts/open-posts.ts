import { type Pool } from 'pg'
import { threadParser } from './post-parser.ts'
import { oembedPosts } from './sources/oembed.ts'
import { syndicationPosts } from './sources/syndication.ts'
import { xPosts } from './sources/x.ts'
import { startPostJobs, type PostJobs } from './posts.jobs.ts'
import { type PostSource } from './ports.ts'
import { type PostSettings } from '#server/kit/settings/posts.ts'
import { type Clock, type Log } from '#server/kit/ports.ts'
import { type PostAssistant, type TextParser } from './assistant/ports.ts'
import { type PostParts } from './posts.routes.ts'
import { adminSubmissionService } from './admin-submissions.service.ts'
import { type Catalog } from '#server/predictions/catalog.service.ts'
import { extractionService } from './extraction.service.ts'
import { postReader } from './read-post.service.ts'
import { queueFollower } from './queue/follow-queue.service.ts'
import { type Signals } from '#server/kit/signals.ts'
import { tweetQueueService } from './queue/post-queue.service.ts'
import { type Db } from '#server/kit/db.ts'
import { itemsToDo } from './queue/post-queue.store.ts'

export type PostDesk = PostParts & {
  /** Begins to work off the queue; it waits for nothing. */
  readonly start: () => void
  readonly stop: () => Promise<void>
}

/** The sources that the settings name, in the order of trust. */
export function postSources({ x, syndication, oembed }: PostSettings): readonly PostSource[] {
  return [
    ...(x?.token ? [xPosts({ url: x.url, token: x.token })] : []),
    ...(syndication ? [syndicationPosts(syndication)] : []),
    ...(oembed ? [oembedPosts(oembed)] : []),
  ]
}

/** Puts together what reads posts. */
export function openPosts({
  sources,
  assistant,
  db,
  pool,
  clock,
  log,
  catalog,
  signals,
  jobs: timing = {},
  answerWithinMs,
  parser = threadParser(),
}: {
  sources: readonly PostSource[]
  assistant: PostAssistant | null
  db: Db
  pool: Pool
  clock: Clock
  log: Log
  catalog: Pick<Catalog, 'snapshot'>
  signals: Pick<Signals, 'listen'>
  /** For tests: how soon a silent process is noticed, and a failed try repeated. */
  jobs?: { superviseSeconds?: number; retrySeconds?: number }
  answerWithinMs?: number
  parser?: TextParser
}): PostDesk {
  let jobs: PostJobs | null = null
  const reader = postReader({ db, clock, sources })
  const extraction = extractionService({ db, clock, log, catalog, reader, parser, assistant })
  const follow = queueFollower({ db, log, signals })
  const queue = tweetQueueService({
    db,
    clock,
    extraction,
    follow,
    onWork: (first) => jobs?.nudge(first),
    ...(answerWithinMs === undefined ? {} : { answerWithinMs }),
  })
  return {
    extraction,
    queue,
    follow,
    submissions: adminSubmissionService({ db, clock }),
    start: () => {
      jobs ??= startPostJobs({ pool, log, queue, toDo: () => itemsToDo(db), ...timing })
    },
    stop: async () => {
      await jobs?.stop()
      await parser.close()
    },
  }
}
