import {
  addToTweetQueue,
  deleteFromTweetQueue,
  extractionAccuracy,
  extractTweet,
  processTweetQueueItem,
  QUEUE_EVENTS_PATH,
  restoreToTweetQueue,
  tweetQueue,
  tweetQueueItem,
} from '#contracts/posts.ts'
import { failure } from '#server/kit/failure.ts'
import { queueEvents } from './queue/queue-events.routes.ts'
import { securityOf, serveAdmin } from '#server/http/serve.ts'
import { type AdminSubmissions } from './admin-submissions.service.ts'
import { type Extraction } from './extraction.service.ts'
import { type FollowQueue } from './queue/follow-queue.service.ts'
import { type TweetQueue } from './queue/post-queue.service.ts'
import { type FastifyInstance, type FastifyReply } from 'fastify'

/** Reading a post asks strangers and costs money, so it is not for loops. */
const READS_A_MINUTE = 60

export type PostParts = {
  readonly extraction: Extraction
  readonly queue: TweetQueue
  readonly follow: FollowQueue
  readonly submissions: AdminSubmissions
}

/** Reading posts, one at a time and in the queue. */
export function postRoutes(
  app: FastifyInstance,
  { extraction, queue, follow, submissions }: PostParts,
): void {
  serveAdmin(
    app,
    extractTweet,
    async ({ body, reply }) => ({
      success: true as const,
      data: await extraction.extract(body, goneSignal(reply)),
    }),
    READS_A_MINUTE,
  )
  serveAdmin(app, tweetQueue, ({ query }) => queue.list(query.results === 'all'))
  serveAdmin(app, tweetQueueItem, ({ params }) => queue.item(params.id))
  serveAdmin(app, addToTweetQueue, ({ body, admin }) =>
    queue.add(admin, body.urls, body.process ?? true),
  )
  serveAdmin(app, processTweetQueueItem, ({ body }) => queue.process(Number(body.id)))
  serveAdmin(app, deleteFromTweetQueue, ({ params, admin }) => queue.delete(admin, params.id))
  serveAdmin(app, restoreToTweetQueue, ({ params, admin }) => queue.restore(admin, params.id))
  serveAdmin(app, extractionAccuracy, () => submissions.accuracy())

  const events = queueEvents(app, follow)
  app.get(
    QUEUE_EVENTS_PATH,
    {
      exposeHeadRoute: false,
      onRequest: app.sessions.guard('read'),
      schema: {
        summary: 'Events `queue`: version and counts of the queue, whenever it changes.',
        ...securityOf('read'),
      },
      config: { rateLimit: { max: 60, timeWindow: '1 minute' } },
    },
    events,
  )
}

/** Ends the work for an asker who has gone away. */
function goneSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  // An expected end, answered to nobody: no fault of ours that belongs into the log.
  raw.once('close', () => gone.abort(failure('unavailable', 'The asker has gone.')))
  return gone.signal
}
