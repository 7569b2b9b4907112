import helmet from '@fastify/helmet'
import rateLimit from '@fastify/rate-limit'
import swagger from '@fastify/swagger'
import underPressure from '@fastify/under-pressure'
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
} from 'fastify'
import {
  jsonSchemaTransform,
  jsonSchemaTransformObject,
  serializerCompiler,
} from 'fastify-type-provider-zod'
import { failure, failureBody } from '#server/kit/failure.ts'
import { type Kit } from '#server/kit/kit.ts'
import { type Config } from '#server/kit/settings/config.ts'
import { PRIVATE } from './cache-control.ts'
import { CallCounts, callerOf } from './call-counts.ts'
import { answerErrors } from './errors.ts'
import { readInput } from './read-input.ts'
import { readableUrl } from './readable-url.ts'
import { leadOn } from './without-capitals.ts'

/** What no page of the site ever asks a browser for. */
const PERMISSIONS = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'hid',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'serial',
  'usb',
]
  .map((feature) => `${feature}=()`)
  .join(', ')

const BODY_LIMIT = 256 * 1024
/** From how long a delay of the event loop on calls are turned away, 0 for never, and how often that delay is measured. */
export type Busy = { readonly afterMs: number; readonly sampleMs: number }

const BUSY: Busy = { afterMs: 2_000, sampleMs: 5_000 }

/** A server without routes: limits, headers, errors in our words, and the description of its calls. It does not listen yet. */
export async function openApp(
  { config, outages }: Pick<Kit, 'config' | 'outages'>,
  {
    logger,
    isOpen,
    busy = BUSY,
  }: {
    logger?: FastifyBaseLogger | undefined
    /** False once the process has been asked to stop. */
    isOpen: () => boolean
    busy?: Busy | undefined
  },
): Promise<FastifyInstance> {
  const app = Fastify({
    ...(logger ? { loggerInstance: logger } : { logger: false }),
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustOf(config.trustProxy),
    bodyLimit: BODY_LIMIT,
    forceCloseConnections: 'idle',
    requestTimeout: 30_000,
    // A connection that was open before the port closed may still bring a request: it is answered.
    return503OnClosing: false,
    rewriteUrl: ({ url = '/' }) => readableUrl(url),
    // Names have limits of their own, with a sentence; here a long one would be refused without headers.
    routerOptions: { maxParamLength: 100_000 },
    frameworkErrors: (_error, _request, reply) => void nowhere(reply),
  })
  app.setValidatorCompiler(readInput)
  app.setSerializerCompiler(serializerCompiler)
  answerErrors(app, outages)
  app.addHook('onSend', async (request, reply, payload) => {
    if (!isOpen()) reply.header('connection', 'close')
    // What does not say how long it may be kept is not kept; of failures see `answerErrors`.
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
    // Of two, a proxy in front may have believed the other one.
    const hosts = raw.rawHeaders.filter((one, n) => n % 2 === 0 && one.toLowerCase() === 'host')
    if (hosts.length > 1) throw failure('invalid', 'Please send one Host header.')
  })
  await app.register(rateLimit, {
    global: false,
    store: CallCounts,
    keyGenerator: callerOf,
  })
  await app.register(underPressure, {
    maxEventLoopDelay: busy.afterMs,
    // A second without a sample, as after a sleep of this machine, would count as an endless delay.
    sampleInterval: busy.sampleMs,
    exposeStatusRoute: false,
  })
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Proof of Price',
        version: '1',
        description: 'Public price predictions with their verdicts. Prices in USD, days in UTC.',
      },
      // Where the document itself was fetched from.
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

function trustOf(given: Config['trustProxy']) {
  return typeof given === 'number' ? (_: string, hop: number): boolean => hop < given : given
}
