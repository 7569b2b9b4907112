import { type FastifyInstance } from 'fastify'
import { accountRoutes, signInRoutes } from '#server/admins/admins.routes.ts'
import {
  signedInBySession,
  signedInByToken,
  type AdminKit,
} from '#server/admins/sessions.service.ts'
import { proofRoutes } from '#server/attestation/proofs.routes.ts'
import { type Proofs } from '#server/attestation/proofs.service.ts'
import { correctionRoutes } from '#server/corrections/corrections.routes.ts'
import { embedRoutes } from '#server/embeds/embeds.routes.ts'
import { followingRoutes } from '#server/following/following.routes.ts'
import { type OpenFollowing } from '#server/following/open-following.ts'
import { answerCache } from '#server/http/answer-cache.ts'
import { nowhere } from '#server/http/app.ts'
import { noticeUnbelievedProxy } from '#server/http/cross-origin.ts'
import { addSessions } from '#server/http/session.ts'
import { serveAdminSite, type AdminSite } from '#server/http/static-files.ts'
import { failure } from '#server/kit/failure.ts'
import { type Jobs } from '#server/kit/jobs.ts'
import { type SiteKit } from '#server/kit/kit.ts'
import { type Outbox } from '#server/kit/outbox.ts'
import { realRelays } from '#server/kit/settings/nostr.ts'
import { openApiRoutes } from '#server/open-api/open-api.routes.ts'
import { openDataRoutes, snapshotRoutes } from '#server/open-data/open-data.routes.ts'
import { type Snapshots } from '#server/open-data/snapshots/snapshots.service.ts'
import { auditLogService } from '#server/operations/audit-log.service.ts'
import { failedService } from '#server/operations/failed.service.ts'
import { metricsService } from '#server/operations/metrics.service.ts'
import {
  healthRoutes,
  metricsRoute,
  operationRoutes,
} from '#server/operations/operations.routes.ts'
import { operationsService } from '#server/operations/operations.service.ts'
import { lightningAddressService } from '#server/payments/lightning-address.service.ts'
import { type OpenPayments } from '#server/payments/open-payments.ts'
import { lightningAddressRoutes, paymentRoutes } from '#server/payments/payments.routes.ts'
import { adminSubmissionRoutes, postRoutes } from '#server/posts/posts.routes.ts'
import { type PostsKit } from '#server/posts/read-post.service.ts'
import { fileRoutes, publicRoutes } from '#server/predictions/predictions.routes.ts'
import { type PublicSite } from '#server/predictions/predictions.service.ts'
import { serveSite, type BuiltPages } from '#server/predictions/web-pages.routes.ts'
import { type LivePrices } from '#server/prices/live-prices.ts'
import { lineLimit, liveRoutes } from '#server/prices/live.routes.ts'
import { type OpenPrices } from '#server/prices/open-prices.ts'
import { type StatusService } from '#server/prices/status.service.ts'
import { type NostrParts } from '#server/publishing/nostr/open-nostr.ts'
import { pictureRoutes, type SitePictures } from '#server/publishing/pictures/pictures.routes.ts'
import { type PublishingKit } from '#server/publishing/publishing-kit.ts'
import { publishingRoutes } from '#server/publishing/publishing.routes.ts'
import { type PublicRecord } from '#server/record/record.service.ts'
import { replySeals } from '#server/replies/replies-kit.ts'
import { replyRoutes } from '#server/replies/replies.routes.ts'
import { reportRoutes } from '#server/reports/reports.routes.ts'
import { reviewRoutes } from '#server/review/review.routes.ts'
import { scoreRoutes } from '#server/scores/scores.routes.ts'
import { type ScoresService } from '#server/scores/scores.service.ts'
import { sourceChecksState } from '#server/sources/source-checks.service.ts'
import { submissionService } from '#server/submissions/submissions.service.ts'

export type RouteParts = {
  readonly record: PublicRecord
  readonly live: LivePrices
  readonly prices: Pick<OpenPrices, 'jobs'>
  readonly jobs: Jobs
  readonly outbox: Outbox
  readonly state: StatusService
  readonly payments: OpenPayments
  readonly posts: { readonly kit: PostsKit }
  readonly nostr: Pick<NostrParts, 'record' | 'pubkey'>
  readonly pictures: SitePictures
  readonly admins: AdminKit
  readonly publishing: { readonly kit: PublishingKit }
  readonly scores: { readonly service: ScoresService }
  readonly snapshots: { readonly service: Snapshots }
  readonly proofs: { readonly service: Proofs }
  readonly following: OpenFollowing
  readonly pages?: BuiltPages | null
  readonly adminPages?: AdminSite | null
  /** False once the process is stopping. */
  readonly isOpen: () => boolean
}

export async function addRoutes(app: FastifyInstance, kit: SiteKit, parts: RouteParts) {
  const { db, config, outages } = kit
  const { origin } = config
  const { admins, live, state, payments, nostr, isOpen } = parts
  const unbelievedProxy = noticeUnbelievedProxy(app)
  await addSessions(app, {
    origin,
    refusals: admins.refusals,
    bySession: (token) => signedInBySession(admins, token),
    byToken: (token) => signedInByToken(admins, token),
  })
  const lines = lineLimit()
  const metrics = metricsService({ ...kit, state, refusals: admins.refusals, lines: lines.count })
  metricsRoute(app, { metrics, token: config.admin.metricsToken })
  const { record } = parts
  const site: PublicSite = {
    ...kit,
    record,
    live,
    signed: nostr.record,
    scores: parts.scores.service,
    snapshots: parts.snapshots.service,
    tokens: payments.tokens,
  }
  app.decorate(
    'answers',
    answerCache({
      version: () =>
        [record.version(), record.today(), site.scores.version(), site.snapshots.version()].join(
          ' ',
        ),
      isNoOlderThan: record.isNoOlderThan,
      outages,
    }),
  )
  if (config.role === 'worker') onlyHealth(app, origin)
  healthRoutes(app, {
    isOpen,
    isFull: () => outages.current() === 'full',
    pingDatabase: () => db.execute('select 1'),
  })
  publicRoutes(app, site)
  scoreRoutes(app, site.scores)
  await liveRoutes(app, {
    ...kit,
    live,
    state,
    receipts: payments.receipts,
    limit: lines,
    version: record.version,
  })
  const submissions = submissionService(site)
  const canStore = (): boolean => outages.current() === null
  await paymentRoutes(app, payments, site, submissions, canStore)
  await followingRoutes(app, parts.following)
  const { pubkey } = nostr
  const { lightningName: name } = config.payments
  const lightning = lightningAddressService(payments.payments, { name, origin, pubkey })
  // Wallets look up the key of a zapped account by the name in its Lightning address.
  const names = ['_', config.nostr.name, name].filter((one) => one !== null)
  const relays = realRelays(config.nostr.relays)
  await lightningAddressRoutes(app, lightning, { pubkey, names, relays })
  await adminSubmissionRoutes(app, kit, submissions)
  signInRoutes(app, admins)
  accountRoutes(app, admins)
  correctionRoutes(app, { ...kit, record })
  reportRoutes(app, { ...kit, record })
  const { proofs, jobs } = parts
  operationRoutes(app, {
    operations: operationsService(kit, parts.prices.jobs, jobs),
    failed: failedService(kit, jobs, parts.outbox),
    sourceChecks: () => sourceChecksState(kit),
    audit: auditLogService(kit),
    payments: payments.admin,
    state,
    warnings: async () => [
      ...unbelievedProxy(),
      ...(await payments.warnings()),
      ...(await proofs.service.warnings()),
    ],
  })
  reviewRoutes(app, { ...kit, record })
  const { reader } = parts.posts.kit
  const { tokens } = payments
  replyRoutes(app, { ...kit, record, reader, tokens, seals: replySeals(tokens, kit.clock.now) })
  postRoutes(app, parts.posts.kit)
  await publishingRoutes(app, parts.publishing.kit)
  proofRoutes(app, nostr.record, parts.proofs.service)
  pictureRoutes(app, parts.pictures)
  fileRoutes(app, site)
  openDataRoutes(app, site)
  await embedRoutes(app, site)
  snapshotRoutes(app, site.snapshots)
  openApiRoutes(app, { record, origin })
  if (parts.adminPages) await serveAdminSite(app, parts.adminPages)
  if (parts.pages) await serveSite(app, parts.pages, site, outages)
  else app.setNotFoundHandler((_, reply) => nowhere(reply))
  await app.ready()
}

/** Routes for monitoring. */
const MONITORING = ['/healthz', '/readyz', '/metrics']

/** A worker serves monitoring only; other requests, as from a misconfigured balancer, get the address of the site. */
function onlyHealth(app: FastifyInstance, origin: string): void {
  app.addHook('onRequest', async ({ url }) => {
    if (MONITORING.includes(url.split('?')[0] ?? '')) return
    throw failure('not_found', `This process only runs jobs. Pages and calls are at ${origin}.`)
  })
}
