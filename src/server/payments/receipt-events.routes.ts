import { type Receipts } from './receipts.service.ts'
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { connectionLimit } from '#server/http/connection-limit.ts'
import { eventStreams } from '#server/http/event-streams.ts'

/** Open streams of one address and in total; a page that is refused one polls instead. */
const MOST_AN_ADDRESS = 20
const MOST = 2_000

/** Sends a receipt as events of the name `receipt`: at once, and whenever it changes. */
export function receiptEvents(
  app: FastifyInstance,
  receipts: Pick<Receipts, 'follow'>,
): (request: FastifyRequest, reply: FastifyReply, token: string) => Promise<FastifyReply> {
  const answer = eventStreams(app, {
    limit: connectionLimit({ most: MOST, mostOfOne: MOST_AN_ADDRESS }),
  })
  return (request, reply, token) =>
    answer(request, reply, (stream) =>
      receipts.follow(
        token,
        (receipt) => stream.send('receipt', receipt),
        (error) => {
          request.log.warn({ err: error }, 'a receipt could not be sent; its page asks again')
          stream.end()
        },
      ),
    )
}
