import { type Readable } from 'node:stream'
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { type z } from 'zod'
import { RULES, type Right } from '#contracts/access.ts'
import { type Route } from '#contracts/route.ts'
import { type Admin, type SignedIn } from '#server/kit/admin.ts'
import { failure } from '#server/kit/failure.ts'
import '@fastify/rate-limit'
import { isLoopback } from '#server/kit/reach.ts'
import { jsonOf, type Made, type Queue, PRIVATE } from './answer-cache.ts'
import { allowAsking, openToAll } from './cross-origin.ts'
import './session.ts'

type Shared<Call extends Route> = {
  readonly params: z.output<NonNullable<Call['params']>>
  readonly query: z.output<NonNullable<Call['query']>>
  readonly request: FastifyRequest
}
type Input<Call extends Route> = Shared<Call> & {
  readonly body: z.output<NonNullable<Call['body']>>
  readonly reply: FastifyReply
}
type AdminInput<Call extends Route> = Input<Call> & {
  readonly admin: Admin
  readonly signedIn: SignedIn
}
type Reply<Call extends Route> = z.input<Call['reply']>

/** Calls a minute per address. */
const CALLS_A_MINUTE = 240
/** Limit per prefix of calls that change something. */
const CHANGES_A_MINUTE = 50
/** Allows for scripts as well as reviewing a hundred submissions. */
const ADMIN_CALLS_A_MINUTE = 1_200

/**
 * Serves a contract: input is validated before the handler sees it, and its result is validated and stripped by the
 * reply's schema.
 */
export function serve<Call extends Route>(
  app: FastifyInstance,
  route: Call,
  handler: (input: Input<Call>) => Promise<Reply<Call>> | Reply<Call>,
): void {
  servePlain(app, route, async (request, reply) => {
    const { params, query, body } = request
    const input = { params, query, body, request, reply }
    return reply.send(await handler(input as Input<Call>))
  })
}

type About = { isCached: boolean; readonly headers: Record<string, string> }

/**
 * Like `serve`, for shared responses: rendered once per version of the record (`answerCache`) and cacheable
 * (`SHARED`). The parameter `v` names a version that the response must not be older than. For large responses a
 * handler returns a function that opens a stream of JSON, which is not validated.
 */
export function serveShared<Call extends Route>(
  app: FastifyInstance,
  route: Call,
  handler: (
    input: Shared<Call> & { readonly about: About },
  ) => Promise<Reply<Call> | (() => Readable)> | Reply<Call> | (() => Readable),
  {
    isCached = true,
    isChecked = true,
    queue = 'call',
    before,
  }: {
    /** False if it may change within a version of the record. */
    readonly isCached?: boolean
    /** False for long lists: sent without validation. */
    readonly isChecked?: boolean
    readonly queue?: Queue
    /** Called before rendering for this request; an exception refuses it. */
    readonly before?: (input: Shared<Call>) => Promise<void>
  } = {},
): void {
  servePlain(app, route, async (request, reply) => {
    const { answers } = request.server
    const { v, ...query } = (request.query ?? {}) as Record<string, unknown>
    // Must not be cached, as the response may be outdated.
    if (typeof v === 'string' && v !== '' && !(await answers.isNoOlderThan(v))) {
      reply.header('cache-control', PRIVATE)
    }
    const input = { params: request.params, query: request.query, request } as Shared<Call>
    const make = async (): Promise<Made> => {
      const about: About = { isCached, headers: {} }
      const value: unknown = await handler({ ...input, about })
      if (isStream(value)) return jsonOf(value, about)
      const text = isChecked ? reply.serialize(value) : JSON.stringify(value)
      return jsonOf(typeof text === 'string' ? text : new TextDecoder().decode(text), about)
    }
    if (!isCached) return answers.once(request, reply, await make())
    // Without a schema, junk parameters would each have a response of their own.
    const address = JSON.stringify([route.path, request.params, route.query ? query : {}])
    return answers.answer(request, reply, address, make, {
      queue,
      before: before && (() => before(input)),
    })
  })
}

function isStream(value: unknown): value is () => Readable {
  return typeof value === 'function'
}

/**
 * Like `serve`, for calls that need a right: 401 without a session, 403 without the right of `access`, before a body is read.
 */
export function serveAdmin<Call extends Route>(
  app: FastifyInstance,
  route: Call,
  handler: (input: AdminInput<Call>) => Promise<Reply<Call>> | Reply<Call>,
): void {
  if (route.access === 'public') throw new Error(`${route.path} needs serve`)
  register(app, route, async (request, reply) => {
    const { params, query, body, signedIn } = request
    if (!signedIn) throw failure('unauthorized', 'Please sign in.')
    const input = { params, query, body, request, reply, signedIn, admin: signedIn.admin }
    return reply.send(await handler(input as AdminInput<Call>))
  })
}

/** Serves a contract whose handler sends the response itself. */
export function servePlain(
  app: FastifyInstance,
  route: Route,
  handler: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
): void {
  if (route.access !== 'public') throw new Error(`${route.path} needs serveAdmin`)
  register(app, route, handler)
}

function register(
  app: FastifyInstance,
  route: Route,
  handler: (request: FastifyRequest, reply: FastifyReply) => unknown,
): void {
  const isPublic = route.access === 'public'
  const { callsAMinute = isPublic ? CALLS_A_MINUTE : ADMIN_CALLS_A_MINUTE } = route
  if (route.open) allowAsking(app, route.path)
  const isChange = isPublic && route.method === 'POST'
  const most =
    callsAMinute === null || !isChange ? callsAMinute : Math.min(callsAMinute, CHANGES_A_MINUTE)
  app.route({
    method: route.method,
    url: route.path,
    ...(route.access === 'public' ? {} : { onRequest: privateTo(app, route.access) }),
    // Early, so that other origins can read refusals, too.
    ...(route.open && { onRequest: async (_, reply) => void openToAll(reply) }),
    schema: {
      summary: route.summary,
      ...(most !== null && { 'x-calls-a-minute': most }),
      ...(route.access === 'public' ? {} : securityOf(route.access)),
      ...(route.params ? { params: route.params } : {}),
      ...(route.query ? { querystring: route.query } : {}),
      ...(route.body ? { body: route.body } : {}),
      response: { 200: route.reply },
    },
    config: {
      ...(callsAMinute === null
        ? {}
        : {
            rateLimit: {
              max: ({ ip }) => (most === null || isLoopback(ip) ? callsAMinute : most),
              timeWindow: '1 minute',
            },
          }),
      ...(route.unavailableText === undefined ? {} : { unavailableText: route.unavailableText }),
    },
    handler,
  })
}

/** Serves responses that are private and may change at any time. */
function privateTo(app: FastifyInstance, right: Right) {
  const check = app.sessions.requireRight(right)
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    reply.header('cache-control', PRIVATE)
    await check(request)
  }
}

/** The reply to a change: a sentence for the person who made it. */
export const done = (message: string) => ({ success: true as const, message })

/** OpenAPI security of a call: how to authenticate, the right, and the roles that have it. */
export function securityOf(right: Right) {
  return {
    security: [{ session: [] }, ...(RULES[right].byToken ? [{ token: [] }] : [])],
    'x-right': right,
    'x-roles': RULES[right].roles,
  }
}
