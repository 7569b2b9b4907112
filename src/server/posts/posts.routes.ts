import '#server/http/session.ts'
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import * as calls from '#contracts/posts.ts'
import { submitBtc, submitMstr, submitNaka } from '#contracts/submissions.ts'
import { swallowBodies } from '#server/http/bodies.ts'
import { eventStreams, STREAM, streamEvent } from '#server/http/event-streams.ts'
import { connectionLimit } from '#server/http/limits.ts'
import { readBody } from '#server/http/read-input.ts'
import { securityOf, serveAdmin, serve } from '#server/http/serve.ts'
import { failure } from '#server/kit/failure.ts'
import { type Submissions } from '#server/submissions/submissions.service.ts'
import { accuracy, submitAsAdmin } from './admin-submissions.service.ts'
import { extract } from './extraction.service.ts'
import * as queue from './queue/post-queue.service.ts'
import { type PostsKit } from './read-post.service.ts'

const MOST_STREAMS = 100

export function postRoutes(app: FastifyInstance, kit: PostsKit): void {
  serveAdmin(app, calls.extractTweet, async ({ body, reply }) => ({
    success: true as const,
    data: await extract(kit, body, goneSignal(reply)),
  }))
  serveAdmin(app, calls.tweetQueue, ({ query }) => queue.listQueue(kit, query.results === 'all'))
  serveAdmin(app, calls.tweetQueueItem, ({ params }) => queue.itemInQueue(kit, params.id))
  serveAdmin(app, calls.addToTweetQueue, ({ body, admin }) =>
    queue.addLinks(kit, admin, body.urls, body.process ?? true),
  )
  serveAdmin(app, calls.processTweetQueueItem, ({ body: { id, ...pasted }, reply }) =>
    queue.processItem(kit, Number(id), pasted, goneSignal(reply)),
  )
  serveAdmin(app, calls.deleteFromTweetQueue, ({ params, admin }) =>
    queue.deleteLink(kit, admin, params.id),
  )
  serveAdmin(app, calls.restoreToTweetQueue, ({ params, admin }) =>
    queue.restoreLink(kit, admin, params.id),
  )
  serveAdmin(app, calls.extractionAccuracy, () => accuracy(kit.db))

  // A stream ends with its session, at the next heartbeat at the latest.
  const isReader = app.sessions.requireRight('read')
  const stream = eventStreams(app, connectionLimit(MOST_STREAMS), isReader)
  app.get(
    calls.QUEUE_EVENTS_PATH,
    {
      exposeHeadRoute: false,
      sse: STREAM,
      onRequest: isReader,
      schema: {
        summary: 'Events `queue`: version and counts of the queue, on every change.',
        ...securityOf('read'),
      },
      config: { rateLimit: { max: 60, timeWindow: '1 minute' } },
    },
    (request, reply) =>
      stream(request, reply, (on) =>
        queue.followQueue(kit, (state) => on.send(streamEvent('queue', state))),
      ),
  )
}

/** Aborts when the client disconnects. */
function goneSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  // An AppError, as those are not logged as faults: a disconnect is expected.
  raw.once('close', () => gone.abort(failure('unavailable', 'The client has disconnected.')))
  return gone.signal
}

/** The asset of each path; null takes it from the body. */
const ROUTES = [
  [submitBtc, null],
  [submitMstr, 'mstr'],
  [submitNaka, 'naka'],
] as const

/** Submissions without payment. Others are told to pay before their body is read. */
export async function adminSubmissionRoutes(
  app: FastifyInstance,
  kit: Parameters<typeof submitAsAdmin>[0],
  submissions: Pick<Submissions, 'refuseUnpaid'>,
): Promise<void> {
  await app.register(async (scope) => {
    scope.addHook('onRequest', async (request) => {
      request.signedIn = await scope.sessions.who(request)
      if (request.signedIn) scope.sessions.ask(request, request.signedIn, 'review')
    })
    swallowBodies(scope, (request) => request.signedIn !== null)
    for (const [route, asset] of ROUTES) {
      serve(scope, route, ({ body, request }) => {
        const { signedIn } = request
        if (!signedIn && hasEnded(request)) throw failure('unauthorized', 'Please sign in.')
        if (!signedIn) return submissions.refuseUnpaid()
        return submitAsAdmin(kit, signedIn.admin, readBody(calls.AdminSubmission, body), asset)
      })
    }
  })
}

/** Requests with an expired session or token are told to sign in again, not to pay. */
function hasEnded({ headers, cookies }: FastifyRequest): boolean {
  return (
    headers.authorization !== undefined ||
    cookies['session'] !== undefined ||
    cookies['__Host-session'] !== undefined
  )
}
