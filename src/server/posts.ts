import { type Pool } from 'pg'
import { threadParser } from './adapters/post-parser.ts'
import { oembedPosts } from './adapters/posts-oembed.ts'
import { syndicationPosts } from './adapters/posts-syndication.ts'
import { xPosts } from './adapters/posts-x.ts'
import { startPostJobs, type PostJobs } from './jobs/post-jobs.ts'
import { type PostSource } from './post-ports.ts'
import { type PostSettings } from './post-settings.ts'
import { type Clock, type Log } from './ports.ts'
import { type PostAssistant, type TextParser } from './reader-ports.ts'
import { type PostParts } from './routes/posts.ts'
import { adminSubmissionService } from './services/admin-submissions.ts'
import { type Catalog } from './services/catalog.ts'
import { extractionService } from './services/extraction.ts'
import { postReader } from './services/post-reader.ts'
import { queueBoard } from './services/queue-board.ts'
import { tweetQueueService } from './services/tweet-queue.ts'
import { type Db } from './store/database.ts'
import { itemsToDo } from './store/tweet-queue.ts'

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
  /** For tests: how soon a silent process is noticed, and a failed try repeated. */
  jobs?: { superviseSeconds?: number; retrySeconds?: number }
  answerWithinMs?: number
  parser?: TextParser
}): PostDesk {
  let jobs: PostJobs | null = null
  const reader = postReader({ db, clock, sources })
  const extraction = extractionService({ db, clock, log, catalog, reader, parser, assistant })
  const board = queueBoard({ db, log })
  const queue = tweetQueueService({
    db,
    clock,
    extraction,
    board,
    onWork: (first) => jobs?.nudge(first),
    ...(answerWithinMs === undefined ? {} : { answerWithinMs }),
  })
  return {
    extraction,
    queue,
    board,
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
