import { rolesFor, scopeFor, type Right } from '#contracts/access.ts'
import { type Route } from '#contracts/route.ts'
import { failure } from '#server/kit/failure.ts'
import { PRIVATE } from './cache-control.ts'
import { allowAsking, openToAll } from './cross-origin.ts'
import { isLoopback } from '#server/kit/network-of.ts'
import { type Admin } from '#server/kit/ports.ts'
import { type SignedIn } from '#server/kit/ports.ts'
import { jsonOf, type Made, type Queue } from './answer-cache.ts'
import '@fastify/rate-limit'
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { type Readable } from 'node:stream'
import { type z } from 'zod'
import './session.ts'

type Input<Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType> = {
  readonly params: z.output<Params>
  readonly query: z.output<Query>
  readonly body: z.output<Body>
  readonly request: FastifyRequest
  /** For headers and cookies; the answer itself is what the handler gives. */
  readonly reply: FastifyReply
}

type AdminInput<Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType> = Input<
  Params,
  Query,
  Body
> & { readonly admin: Admin; readonly signedIn: SignedIn }

/** How often one address may make a call that costs work. */
const CALLS_A_MINUTE = 240
/** How often all of one prefix may make a call that changes something. */
const CHANGES_A_MINUTE = 50
/** An administrator works through a hundred submissions; scripts do more at once. */
const ADMIN_CALLS_A_MINUTE = 1_200

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
  if (route.access !== 'public') throw new Error(`${route.path} needs serveAdmin`)
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { params, query, body } = request
    const input = { params, query, body, request, reply }
    return reply.send(await handler(input as Input<Params, Query, Body>))
  }
  register(app, route, answer, callsAMinute)
}

/** What a handler says of its answer beside the value. */
type About = { isCached: boolean; readonly headers: Record<string, string> }

type Shared<Params extends z.ZodType, Query extends z.ZodType> = {
  readonly params: z.output<Params>
  readonly query: z.output<Query>
  readonly request: FastifyRequest
}

/**
 * As `serve`, for answers that are the same for everyone: made once for each version of the record, see `answerCache`, and
 * caches may keep them, see `SHARED`. A parameter `v` names a version that the answer must not be older than. A handler
 * gives a function for what is too large to be held: it opens a stream of JSON, which is not checked.
 */
export function serveShared<
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Reply extends z.ZodType,
>(
  app: FastifyInstance,
  route: Route<Params, Query, Body, Reply>,
  handler: (
    input: Shared<Params, Query> & { readonly about: About },
  ) => Promise<z.input<Reply> | (() => Readable)> | z.input<Reply> | (() => Readable),
  {
    callsAMinute = CALLS_A_MINUTE,
    isCached = true,
    isChecked = true,
    queue = 'call',
    before,
  }: {
    /** Null where it costs next to nothing. */
    readonly callsAMinute?: number | null
    /** False where it may change while the version of the record stays. */
    readonly isCached?: boolean
    /** False for long lists: as they are made, and not cut to the schema. */
    readonly isChecked?: boolean
    readonly queue?: Queue
    /** Called before this request has an answer made; what it throws refuses the request. */
    readonly before?: (input: Shared<Params, Query>) => Promise<void>
  } = {},
): void {
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { answers } = request.server
    const { v, ...asked } = (request.query ?? {}) as Record<string, unknown>
    // One that may be older is kept by no cache.
    if (typeof v === 'string' && v !== '' && !(await answers.isNoOlderThan(v))) {
      reply.header('cache-control', PRIVATE)
    }
    const input = { params: request.params, query: request.query, request } as Shared<Params, Query>
    const make = async (): Promise<Made> => {
      const about: About = { isCached, headers: {} }
      const value: unknown = await handler({ ...input, about })
      if (isStream(value)) return jsonOf(value, about)
      const text = isChecked ? reply.serialize(value) : JSON.stringify(value)
      return jsonOf(typeof text === 'string' ? text : new TextDecoder().decode(text), about)
    }
    if (!isCached) return answers.once(request, reply, await make())
    const address = JSON.stringify([route.path, request.params, asked])
    return answers.answer(request, reply, address, make, {
      queue,
      before: before && (() => before(input)),
    })
  }
  servePlain(app, route, answer, callsAMinute)
}

function isStream(value: unknown): value is () => Readable {
  return typeof value === 'function'
}

/**
 * As `serve`, for calls that need a right: who is not signed in gets 401, and who has not the right of `access` 403, before
 * anything is read.
 */
export function serveAdmin<
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Reply extends z.ZodType,
>(
  app: FastifyInstance,
  route: Route<Params, Query, Body, Reply>,
  handler: (input: AdminInput<Params, Query, Body>) => Promise<z.input<Reply>> | z.input<Reply>,
  callsAMinute = ADMIN_CALLS_A_MINUTE,
): void {
  if (route.access === 'public') throw new Error(`${route.path} needs serve`)
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { params, query, body, signedIn } = request
    if (!signedIn) throw failure('unauthorized', 'Please sign in.')
    const input = { params, query, body, request, reply, signedIn, admin: signedIn.admin }
    return reply.send(await handler(input as AdminInput<Params, Query, Body>))
  }
  register(app, route, answer, callsAMinute)
}

/**
 * Answers a contract with what the handler sends itself.
 *
 * @param callsAMinute how often one address may make it; null where it costs next to nothing
 */
export function servePlain(
  app: FastifyInstance,
  route: Route,
  handler: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
  callsAMinute: number | null,
): void {
  if (route.access !== 'public') throw new Error(`${route.path} needs serveAdmin`)
  register(app, route, handler, callsAMinute)
}

function register(
  app: FastifyInstance,
  route: Route,
  handler: (request: FastifyRequest, reply: FastifyReply) => unknown,
  callsAMinute: number | null,
): void {
  if (route.open) allowAsking(app, route.path)
  const isChange = route.access === 'public' && route.method === 'POST'
  const most =
    callsAMinute === null || !isChange ? callsAMinute : Math.min(callsAMinute, CHANGES_A_MINUTE)
  app.route({
    method: route.method,
    url: route.path,
    ...(route.access === 'public' ? {} : { onRequest: privateTo(app, route.access) }),
    ...(route.open && { onRequest: openOnRequest }),
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

/** Before anything can refuse the call, so that its refusal can be read, too. */
function openOnRequest(_: FastifyRequest, reply: FastifyReply, next: () => void): void {
  openToAll(reply)
  next()
}

/** These answers are for one person only, and changes at any moment. */
function privateTo(app: FastifyInstance, right: Right) {
  const check = app.sessions.requireRight(right)
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    reply.header('cache-control', PRIVATE)
    await check(request)
  }
}

/** What the OpenAPI document says of a call that needs a right: how to prove who one is, the right, and who has it. */
export function securityOf(right: Right) {
  const scope = scopeFor(right)
  const isForTokens = right === 'signed-in' || scope !== null
  return {
    security: [{ session: [] }, ...(isForTokens ? [{ token: scope === null ? [] : [scope] }] : [])],
    'x-right': right,
    'x-roles': rolesFor(right),
  }
}
