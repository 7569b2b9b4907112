import { type FollowQueue } from './follow-queue.service.ts'
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { connectionLimit } from '#server/http/connection-limit.ts'
import { eventStreams } from '#server/http/event-streams.ts'

const MOST = 100

/**
 * Sends the state of the queue as events of the name `queue`: at once, and whenever it changes. A stream ends when the
 * session behind it does, at the next beat at the latest.
 */
export function queueEvents(
  app: FastifyInstance,
  follow: FollowQueue,
): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  const answer = eventStreams(app, {
    limit: connectionLimit({ most: MOST }),
    check: app.sessions.requireRight('read'),
  })
  return (request, reply) =>
    answer(request, reply, (stream) => follow((state) => stream.send('queue', state)))
}
