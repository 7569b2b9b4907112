import { type Route } from '#contracts/route.ts'
import '@fastify/rate-limit'
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { type z } from 'zod'

type Input<Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType> = {
  readonly params: z.output<Params>
  readonly query: z.output<Query>
  readonly body: z.output<Body>
  readonly request: FastifyRequest
}

/** How often one address may make a call that costs work. */
const CALLS_A_MINUTE = 240

/**
 * Answers a contract: input is checked before the handler sees it, and what the handler gives is checked and cut to the
 * reply's schema before it leaves.
 *
 * @param callsAMinute how often one address may make it
 */
export function serve<
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Reply extends z.ZodType,
>(
  app: FastifyInstance,
  route: Route<Params, Query, Body, Reply>,
  handler: (input: Input<Params, Query, Body>) => Promise<z.input<Reply>> | z.input<Reply>,
  callsAMinute = CALLS_A_MINUTE,
): void {
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const input = { params: request.params, query: request.query, body: request.body, request }
    return reply.send(await handler(input as Input<Params, Query, Body>))
  }
  register(app, route, answer, callsAMinute)
}

/** Answers a contract with bytes made ready before; see `sendHot`. */
export function serveReady(
  app: FastifyInstance,
  route: Route,
  handler: (request: FastifyRequest, reply: FastifyReply) => FastifyReply,
): void {
  register(app, route, handler, null)
}

function register(
  app: FastifyInstance,
  route: Route,
  handler: (request: FastifyRequest, reply: FastifyReply) => unknown,
  callsAMinute: number | null,
): void {
  // Nobody can sign in yet, so no call may ask for it; the guard comes with the sessions.
  if (route.access !== 'public') throw new Error(`${route.path} needs a guard`)
  app.route({
    method: route.method,
    url: route.path,
    schema: {
      summary: route.summary,
      ...(route.params ? { params: route.params } : {}),
      ...(route.query ? { querystring: route.query } : {}),
      ...(route.body ? { body: route.body } : {}),
      response: { 200: route.reply },
    },
    config:
      callsAMinute === null ? {} : { rateLimit: { max: callsAMinute, timeWindow: '1 minute' } },
    handler,
  })
}
