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
import { connectionLimit } from '#server/http/limits.ts'
import { eventStreams, STREAM, streamEvent } from '#server/http/event-streams.ts'
import { securityOf, serveAdmin } from '#server/http/serve.ts'
import { accuracy } from './decided-cards.service.ts'
import { extract } from './extraction.service.ts'
import { type PostsKit } from './posts-kit.ts'
import {
  addLinks,
  deleteLink,
  itemInQueue,
  listQueue,
  processItem,
  restoreLink,
} from '#server/posts/queue/post-queue.service.ts'
import { type FastifyInstance, type FastifyReply } from 'fastify'

/** Reading a post calls other services and costs money. */
const READS_A_MINUTE = 60
const MOST_STREAMS = 100

/** Reading posts, one at a time and in the queue. */
export function postRoutes(app: FastifyInstance, kit: PostsKit): void {
  serveAdmin(
    app,
    extractTweet,
    async ({ body, reply }) => ({
      success: true as const,
      data: await extract(kit, body, goneSignal(reply)),
    }),
    READS_A_MINUTE,
  )
  serveAdmin(app, tweetQueue, ({ query }) => listQueue(kit, query.results === 'all'))
  serveAdmin(app, tweetQueueItem, ({ params }) => itemInQueue(kit, params.id))
  serveAdmin(app, addToTweetQueue, ({ body, admin }) =>
    addLinks(kit, admin, body.urls, body.process ?? true),
  )
  serveAdmin(app, processTweetQueueItem, ({ body: { id, ...pasted }, reply }) =>
    processItem(kit, Number(id), pasted, goneSignal(reply)),
  )
  serveAdmin(app, deleteFromTweetQueue, ({ params, admin }) => deleteLink(kit, admin, params.id))
  serveAdmin(app, restoreToTweetQueue, ({ params, admin }) => restoreLink(kit, admin, params.id))
  serveAdmin(app, extractionAccuracy, () => accuracy(kit.db))

  // A stream ends with the session behind it, at the next beat at the latest.
  const stream = eventStreams(app, {
    limit: connectionLimit({ most: MOST_STREAMS }),
    check: app.sessions.requireRight('read'),
  })
  app.get(
    QUEUE_EVENTS_PATH,
    {
      exposeHeadRoute: false,
      sse: STREAM,
      onRequest: app.sessions.requireRight('read'),
      schema: {
        summary: 'Events `queue`: version and counts of the queue, whenever it changes.',
        ...securityOf('read'),
      },
      config: { rateLimit: { max: 60, timeWindow: '1 minute' } },
    },
    (request, reply) =>
      stream(request, reply, (on) => kit.follow((state) => on.send(streamEvent('queue', state)))),
  )
}

/** Ends the work when the client has gone away. */
function goneSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  // An expected end, which no client reads: it is not a fault for the log.
  raw.once('close', () => gone.abort(failure('unavailable', 'The client has gone.')))
  return gone.signal
}
