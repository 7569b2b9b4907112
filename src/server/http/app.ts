import helmet from '@fastify/helmet'
import rateLimit from '@fastify/rate-limit'
import { fastifySSE } from '@fastify/sse'
import swagger from '@fastify/swagger'
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import {
  jsonSchemaTransform,
  jsonSchemaTransformObject,
  serializerCompiler,
  isResponseSerializationError,
} from 'fastify-type-provider-zod'
import { type ErrorCode } from '#contracts/fields.ts'
import { pagePath } from '#domain/site.ts'
import { type OutageKind, type Outages } from '#server/database/outages.ts'
import { failure, failureBody, AppError, STATUS } from '#server/kit/failure.ts'
import { type Kit } from '#server/kit/kit.ts'
import { loggedError } from '#server/kit/log.ts'
import { decoded } from '#server/kit/text.ts'
import { PRIVATE } from './answer-cache.ts'
import { drain } from './bodies.ts'
import { CallCounts, callerOf } from './limits.ts'
import { readInput } from './read-input.ts'

const PERMISSIONS =
  'accelerometer camera display-capture geolocation gyroscope hid magnetometer microphone midi payment serial usb'
    .split(' ')
    .map((feature) => `${feature}=()`)
    .join(', ')

const BODY_LIMIT = 256 * 1024
/** Event loop delay above which calls get 503, 0 for never, and how often it is measured. */
const BUSY = { afterMs: 2_000, sampleMs: 1_000 }
export type Busy = typeof BUSY
const BUSY_SECONDS = 10

/**
 * While two ticks of a timer in a row are late: one long pause alone refuses nobody. Node's own histogram of delays would
 * wake an idle process a hundred times a second.
 */
function refuseWhenBusy(app: FastifyInstance, { afterMs, sampleMs }: Busy): void {
  if (afterMs === 0) return
  let lateTicks = 0
  let sampledMs = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    lateTicks = now - sampledMs - sampleMs > afterMs ? lateTicks + 1 : 0
    sampledMs = now
  }, sampleMs).unref()
  app.addHook('onRequest', async () => {
    if (lateTicks > 1) throw failure('unavailable', TOO_BUSY, null, BUSY_SECONDS)
  })
  app.addHook('onClose', async () => clearInterval(timer))
}

/** A server without routes: limits, headers, error messages, API description. Not yet listening. */
export async function openApp(
  { config, outages }: Pick<Kit, 'config' | 'outages'>,
  {
    logger,
    isOpen,
    busy = BUSY,
  }: {
    logger?: FastifyBaseLogger | undefined
    /** False once the process is stopping. */
    isOpen: () => boolean
    busy?: Busy | undefined
  },
): Promise<FastifyInstance> {
  const { trustProxy } = config
  const app = Fastify({
    ...(logger ? { loggerInstance: logger } : { logger: false }),
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy:
      typeof trustProxy === 'number' ? (_: string, hop: number) => hop < trustProxy : trustProxy,
    bodyLimit: BODY_LIMIT,
    forceCloseConnections: 'idle',
    requestTimeout: 30_000,
    // Requests on connections from before the port closed are still served.
    return503OnClosing: false,
    rewriteUrl: ({ url = '/' }) => readableUrl(url),
    // Contracts limit the length of parameters with a message; the router's refusal would lack headers.
    routerOptions: { maxParamLength: 100_000 },
    frameworkErrors: (_error, _request, reply) => void nowhere(reply),
  })
  app.setValidatorCompiler(readInput)
  app.setSerializerCompiler(serializerCompiler)
  answerErrors(app, outages)
  app.addHook('onSend', async (request, reply, payload) => {
    if (!isOpen()) reply.header('connection', 'close')
    // Uncached unless stated; for errors see `answerErrors`.
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', PRIVATE)
    return reply.statusCode === 404 && leadOn(request, reply) ? '' : payload
  })

  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        objectSrc: ["'none'"],
        baseUri: ["'self'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    xFrameOptions: { action: 'deny' },
    strictTransportSecurity: config.origin.startsWith('https:') ? { maxAge: 15_552_000 } : false,
  })
  app.addHook('onRequest', async ({ raw }, reply) => {
    reply.header('permissions-policy', PERMISSIONS)
    // With two, a proxy in front may have used the other.
    const hosts = raw.rawHeaders.filter((one, n) => n % 2 === 0 && one.toLowerCase() === 'host')
    if (hosts.length > 1) throw failure('invalid', 'Please send one Host header.')
  })
  await app.register(rateLimit, {
    global: false,
    store: CallCounts,
    keyGenerator: callerOf,
  })
  await app.register(fastifySSE)
  refuseWhenBusy(app, busy)
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Proof of Price',
        version: '1',
        description: 'Public price predictions with their verdicts. Prices in USD, days in UTC.',
      },
      // Relative to the address of the document.
      servers: [{ url: '/' }],
      components: {
        securitySchemes: {
          session: { type: 'apiKey', in: 'cookie', name: 'session' },
          token: { type: 'http', scheme: 'bearer' },
        },
      },
    },
    transform: jsonSchemaTransform,
    transformObject: jsonSchemaTransformObject,
  })

  return app
}

export function nowhere(reply: FastifyReply): FastifyReply {
  return reply.code(404).send(failureBody('not_found', 'There is no such call.'))
}

/**
 * A URL that the router can parse: the path begins with a slash, and each `%` is valid. The router would refuse others
 * before any headers are set. The query is unchanged: its parsers accept a stray `%`.
 * @param url as in the request line: path and query, or a whole URL as proxies send it
 */
function readableUrl(url: string): string {
  const place = url.replace(/^https?:\/\/[^/?#]+/i, '')
  const own = place.startsWith('/') ? place : `/${place}`
  const at = own.search(/[?#]/)
  const [path, rest] = at < 0 ? [own, ''] : [own.slice(0, at), own.slice(at)]
  return (decoded(path) === null ? path.replaceAll('%', '%25') : path) + rest
}

/**
 * Guesses the target of an unknown address, as people type capitals. Only the first segment with capitals changes, as
 * ids and tokens are case-sensitive; the next redirect changes the next one.
 *
 * @param url path and query
 * @returns null without capitals, and for API calls
 */
export function withoutCapitals(url: string): string | null {
  const [path = ''] = url.split('?')
  const parts = pagePath(path).split('/')
  // `//name` would be another site.
  if (/^(?:|api|ws|\.well-known)$/.test(parts[1] ?? '')) return null
  for (const [at, part] of parts.entries()) {
    const plain = lowerCase(part)
    if (plain !== null) return parts.with(at, plain).join('/') + url.slice(path.length)
  }
  return null
}

/** A path segment in lower case; null if it already is, or is invalid. */
function lowerCase(part: string): string | null {
  const read = decoded(part)
  const lower = read?.toLowerCase()
  // None of our addresses contains a `%`.
  return lower === undefined || lower === read || lower.includes('%')
    ? null
    : encodeURIComponent(lower)
}

/** Redirects an unknown address to its lower-case form. @returns whether there is one */
export function leadOn({ method, url }: FastifyRequest, reply: FastifyReply): boolean {
  const plain = method === 'GET' || method === 'HEAD' ? withoutCapitals(url) : null
  if (plain === null) return false
  reply.code(301).header('location', plain).header('cache-control', PRIVATE)
  reply.removeHeader('content-type')
  return true
}

const TOO_LARGE =
  'What was sent is too large for this call. Please shorten it, or send it in parts.'
const OUR_FAULT = 'Something went wrong on our side. Please try again.'

const TOO_BUSY = 'The site is busy. Please try again in a moment.'
const READ_AWAY = 'This cannot be read for a moment. Please try again shortly.'
const SAVE_AWAY = 'Nothing can be saved for a moment. Please try again shortly.'

/** In seconds: a database is usually back at once; a full disk needs a person. */
const RETRY_AFTER: Readonly<Record<OutageKind, number>> = { away: 5, full: 60 }

declare module 'fastify' {
  // Declaration merging needs an interface.
  export interface FastifyContextConfig {
    unavailableText?: string
  }
}

/**
 * Sends every failure in the shape of the `Failure` contract and hides internals.
 *
 * @param outages gets failures first: those of a database outage are not logged per call
 */
export function answerErrors(app: FastifyInstance, outages: Pick<Outages, 'notice'>): void {
  app.setErrorHandler(async (error: FastifyError, request, reply) => {
    // These headers described the response that failed.
    for (const name of ['content-encoding', 'etag', 'last-modified']) reply.removeHeader(name)
    reply.header('cache-control', PRIVATE)
    const refuse = (
      status: number,
      code: ErrorCode,
      text: string,
      retryS: number | null = null,
    ) => {
      if (retryS !== null) reply.header('retry-after', String(retryS))
      return reply.code(status).send(failureBody(code, text))
    }
    /** The route, not the address, which may hold a receipt token. */
    const fail = (err: unknown, message: string) => {
      const route = request.routeOptions.url ?? 'none'
      request.log.error({ err: loggedError(err), route }, message)
      return refuse(500, 'internal', OUR_FAULT)
    }
    if (error instanceof AppError) {
      if (error.retryAfterS !== null) reply.header('retry-after', String(error.retryAfterS))
      const body = failureBody(error.code, error.message, error.fields ?? undefined)
      return reply.code(STATUS[error.code]).send(body)
    }
    if (isResponseSerializationError(error)) return fail(error.cause, 'a reply breaks its contract')
    if (hasCode(error, UNSTORABLE)) {
      return refuse(400, 'invalid', 'The input holds a character that cannot be stored.')
    }
    if (hasCode(error, LOCKED)) return refuse(503, 'unavailable', TOO_BUSY, RETRY_AFTER.away)
    const status = error.statusCode ?? 500
    const outage = status >= 500 ? outages.notice(error) : null
    if (outage !== null) {
      const isRead = request.method === 'GET' || request.method === 'HEAD'
      const text = request.routeOptions.config.unavailableText ?? (isRead ? READ_AWAY : SAVE_AWAY)
      return refuse(503, 'unavailable', text, RETRY_AFTER[outage])
    }
    if (status === 429) {
      return refuse(429, 'too_many', 'Too many requests. Please wait a minute.')
    }
    if (status === 413) {
      await drain(request.raw)
      return refuse(413, 'invalid', TOO_LARGE)
    }
    if (status >= 400 && status < 500) return refuse(status, 'invalid', error.message)
    return fail(error, 'a call failed')
  })
}

/** PostgreSQL rejects NUL characters in text (22021, and 22P05 in JSON). */
const UNSTORABLE = ['22021', '22P05']
/** Lock timeout: see `acquireLock`. */
const LOCKED = ['55P03']

function hasCode(error: unknown, codes: readonly unknown[]): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ('code' in at && codes.includes(at.code)) return true
  }
  return false
}
