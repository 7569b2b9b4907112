import { type QueueEvent } from '#contracts/posts.ts'
import { type FollowQueue } from './follow-queue.service.ts'
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
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
  const guard = app.sessions.guard('read')
  const stream = eventStreams<QueueEvent>(app, {
    name: 'queue',
    most: MOST,
    check: guard,
  })
  return (request, reply) => stream(request, reply, (send) => follow(send))
}
