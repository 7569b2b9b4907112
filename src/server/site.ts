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
import { type Config } from './kit/settings/config.ts'
import { failureBody } from './kit/failure.ts'
import { type AdminDesk } from './admins/open-admins.ts'
import { serveAdminSite, type AdminSite } from './http/admin-site.ts'
import { CallCounts } from './http/call-counts.ts'
import { answerErrors } from './http/errors.ts'
import { readableUrl } from './http/readable-url.ts'
import { readInput } from './http/read-input.ts'
import { addSessions } from './http/session.ts'
import { serveSite, type Site } from './predictions/web-pages.routes.ts'
import { noticeUnbelievedProxy } from './http/unbelieved-proxy.ts'
import { adminSubmissionRoutes } from './posts/admin-submissions.routes.ts'
import { correctionRoutes } from './corrections/corrections.routes.ts'
import { fileRoutes } from './predictions/files.routes.ts'
import { healthRoutes } from './operations/health.routes.ts'
import { liveRoutes } from './prices/live.routes.ts'
import { metricsRoute, operationRoutes } from './operations/operations.routes.ts'
import { paymentRoutes, type PaymentParts } from './payments/payments.routes.ts'
import { type NostrDesk } from './publishing/nostr/open-nostr.ts'
import { type PaymentDesk } from './payments/open-payments.ts'
import { type Clock } from './kit/ports.ts'
import { pictureRoutes } from './publishing/pictures/pictures.routes.ts'
import { postRoutes, type PostParts } from './posts/posts.routes.ts'
import { recordRoutes } from './attestation/attestation.routes.ts'
import { publicRoutes } from './predictions/predictions.routes.ts'
import { reviewRoutes } from './review/review.routes.ts'
import { signInRoutes } from './admins/admins.routes.ts'
import { socialRoutes, type SocialParts } from './publishing/publishing.routes.ts'
import { type Catalog } from './predictions/catalog.service.ts'
import { type LivePrices } from './prices/live-prices.ts'
import { networkOf } from './http/network-of.ts'
import { metricsService } from './operations/metrics.service.ts'
import { pageService } from './predictions/pages.service.ts'
import { recordService } from './predictions/predictions.service.ts'
import { type StatusService } from './prices/status.service.ts'
import { submissionService } from './submissions/submissions.service.ts'
import { feedOf } from './predictions/feeds.service.ts'
import { type Db } from './kit/db.ts'
import { type Outages } from './database/outages.ts'

/** All that the app needs from outside; `main.ts` and the tests each put one together. */
export type World = {
  readonly config: Pick<Config, 'origin' | 'contacts' | 'trustProxy'>
  readonly logger: FastifyBaseLogger | false
  readonly db: Db
  readonly clock: Clock
  readonly outages: Pick<Outages, 'notice' | 'current'>
  readonly catalog: Catalog
  readonly live: LivePrices
  readonly state: StatusService
  readonly payments: PaymentParts & Pick<PaymentDesk, 'admin' | 'warnings'>
  readonly admin: AdminDesk
  /** Reading posts; left out where nobody can. */
  readonly posts?: PostParts
  /** The signed record and the pictures of predictions; left out where there are none. */
  readonly nostr?: Pick<NostrDesk, 'record' | 'pictures'>
  /** The publishing desk. */
  readonly social?: SocialParts
  /** The built web app; null serves the calls alone, as in development. */
  readonly site: Site | null
  readonly adminSite?: AdminSite | null
  /** False once the process has been told to stop. */
  readonly isOpen: () => boolean
  /** From how long a delay of the event loop on calls are turned away, milliseconds; 0 never. Left out, 2 seconds. */
  readonly busyAfterMs?: number
  /** How often that delay is looked at. */
  readonly busySampleMs?: number
}

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
const BUSY_AFTER_MS = 2_000

/** Builds the server without listening. */
export async function buildApp(world: World): Promise<FastifyInstance> {
  const { config, db, catalog, site } = world
  const app = Fastify({
    ...(world.logger ? { loggerInstance: world.logger } : { logger: false }),
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
  answerErrors(app, world.outages)
  app.addHook('onSend', async (_, reply) => {
    if (!world.isOpen()) reply.header('connection', 'close')
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
  app.addHook('onRequest', (_request, reply, next) => {
    reply.header('permissions-policy', PERMISSIONS)
    next()
  })
  await app.register(rateLimit, {
    global: false,
    store: CallCounts,
    keyGenerator: ({ ip }) => networkOf(ip),
  })
  const unbelievedProxy = noticeUnbelievedProxy(app)
  const { admin, state } = world
  const { signIn, refusals } = admin
  await addSessions(app, { signIn, refusals, origin: config.origin })
  metricsRoute(app, { metrics: metricsService({ db, state, refusals }), token: admin.metricsToken })
  await app.register(underPressure, {
    maxEventLoopDelay: world.busyAfterMs ?? BUSY_AFTER_MS,
    // A second without a sample, as after this machine stood still, would count as an endless delay.
    sampleInterval: world.busySampleMs ?? 5_000,
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
      servers: [{ url: config.origin }],
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

  const signed = world.nostr?.record ?? { shortOf: () => Promise.resolve(null) }
  const records = recordService({ db, catalog, live: world.live, signed })
  const pages = pageService({
    catalog,
    records,
    origin: config.origin,
    contacts: config.contacts,
    hasReceipt: world.payments.receipts.has,
  })
  healthRoutes(app, {
    isOpen: world.isOpen,
    isReady: () => catalog.snapshot() !== null,
    isFull: () => world.outages.current() === 'full',
    pingDatabase: () => db.execute('select 1'),
  })
  publicRoutes(app, { records, pages })
  await liveRoutes(app, world)
  const submissions = submissionService({ db, catalog, tokens: world.payments.tokens })
  const canStore = (): boolean => world.outages.current() === null
  await paymentRoutes(app, { ...world.payments, submissions, records, canStore })
  await adminSubmissionRoutes(app, { ...world.admin, submissions })
  signInRoutes(app, world.admin)
  correctionRoutes(app, { ...admin, catalog })
  const { admin: payments } = world.payments
  const warnings = async () => [...unbelievedProxy(), ...(await world.payments.warnings())]
  operationRoutes(app, { ...admin, payments, state, warnings })
  reviewRoutes(app, world.admin)
  if (world.posts) postRoutes(app, world.posts)
  if (world.social) await socialRoutes(app, world.social)
  if (world.nostr) {
    recordRoutes(app, world.nostr)
    pictureRoutes(app, world.nostr)
  }
  fileRoutes(app, {
    records,
    feed: (name) => feedOf({ db, origin: config.origin }, records.snapshot(), name),
    origin: config.origin,
  })
  app.get('/api/openapi.json', { schema: { hide: true } }, () => app.swagger())
  if (world.adminSite) await serveAdminSite(app, world.adminSite)
  if (site) await serveSite(app, { site, pages, version: catalog.snapshot })
  else {
    app.setNotFoundHandler((_, reply) => nowhere(reply))
  }
  await app.ready()
  return app
}

function nowhere(reply: FastifyReply): FastifyReply {
  return reply.code(404).send(failureBody('not_found', 'There is no such call.'))
}

function trustOf(given: Config['trustProxy']) {
  return typeof given === 'number' ? (_: string, hop: number): boolean => hop < given : given
}
