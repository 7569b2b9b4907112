import { type FastifyBaseLogger } from 'fastify'
import { refusalLog } from '#server/admins/refusals.service.ts'
import { openProofs } from '#server/attestation/stamping.service.ts'
import { type Ports } from '#server/composition/ports.ts'
import { addRoutes } from '#server/composition/routes.ts'
import { openFollowing, type FollowPace } from '#server/following/open-following.ts'
import { openApp, type Busy } from '#server/http/app.ts'
import { leave } from '#server/http/listen.ts'
import { type AdminSite } from '#server/http/static-files.ts'
import { openJobs, type JobPace } from '#server/kit/jobs.ts'
import { type Kit, type SiteKit } from '#server/kit/kit.ts'
import { openLimiter } from '#server/kit/limiter.ts'
import { openOutbox } from '#server/kit/outbox.ts'
import { openSnapshots } from '#server/open-data/snapshots/snapshots.service.ts'
import { openPayments, type PaymentPace } from '#server/payments/open-payments.ts'
import { openPosts, type PostPace } from '#server/posts/open-posts.ts'
import { importService } from '#server/predictions/imports.service.ts'
import { type BuiltPages } from '#server/predictions/web-pages.routes.ts'
import { livePrices } from '#server/prices/live-prices.ts'
import { openPrices, type PricePace } from '#server/prices/open-prices.ts'
import { statusService } from '#server/prices/status.service.ts'
import { openNostr } from '#server/publishing/nostr/open-nostr.ts'
import { openPublishing, type PublishPace } from '#server/publishing/open-publishing.ts'
import { drawnPictures } from '#server/publishing/pictures/drawn-pictures.ts'
import {
  recordPictures,
  scorePictures,
} from '#server/publishing/pictures/record-pictures.service.ts'
import { startRecord } from '#server/record/record.jobs.ts'
import { openRecord } from '#server/record/record.service.ts'
import { approveAfterPost } from '#server/review/decide.service.ts'
import { openScores, type ScorePace } from '#server/scores/scores.service.ts'
import { defineSourceChecks } from '#server/sources/source-checks.service.ts'

export type SiteOptions = {
  readonly logger?: FastifyBaseLogger
  /** The built web app; null serves the API only, as in development. A function loads it while the record is read. */
  readonly pages?: BuiltPages | null | (() => Promise<BuiltPages | null>)
  readonly adminPages?: AdminSite | null
  readonly busy?: Busy
  readonly payments?: PaymentPace
  readonly prices?: PricePace
  readonly posts?: PostPace
  readonly publishing?: PublishPace
  readonly jobs?: JobPace
  readonly scores?: ScorePace
  readonly following?: FollowPace
}

/** Signals that change public pages. */
const PUBLIC_CHANGES = ['record', 'scores', 'snapshots'] as const

export type Site = Awaited<ReturnType<typeof openSite>>

/** The whole site on one database. Does not listen, and runs nothing before `start`; may be opened again after a failure. */
export async function openSite(shared: Kit, ports: Ports, options: SiteOptions = {}) {
  const jobs = openJobs(shared, options.jobs)
  const outbox = openOutbox({ ...shared, jobs })
  const kit: SiteKit = { ...shared, jobs, outbox, limiter: openLimiter(shared) }
  let isOpen = true
  const imports = importService(kit)
  const record = openRecord(kit)
  const live = livePrices()
  const prices = openPrices(kit, ports.prices, { live }, options.prices)
  const isLeader = () => (kit.config.prices.on ? prices.isLeader() : null)
  const state = statusService({ ...kit, ...ports.prices, record, live, isLeader })
  const scores = openScores(kit, record.onChange, options.scores)
  const snapshots = openSnapshots(kit, { record, scores: scores.service })
  const payments = await openPayments(kit, ports, { record }, options.payments)
  const posts = openPosts(kit, { ...ports, sources: ports.posts }, { record }, options.posts)
  const drawn = drawnPictures({ ...kit, ...ports })
  const nostr = openNostr(kit, ports, record)
  const proofs = openProofs(kit, ports)
  const pictured = { ...kit, record, scores: scores.service, drawn }
  const pictures = { drawn, ...recordPictures(pictured), ...scorePictures(pictured) }
  const admins = { ...kit, ...ports, refusals: refusalLog(kit) }
  const publishing = openPublishing(
    kit,
    { ...ports, nostr: nostr.outbox?.publisher ?? null },
    {
      record,
      drawChart: (id) => pictures.forPost(id),
      approve: (admin, id, platform) => approveAfterPost({ ...kit, record }, admin, id, platform),
    },
    options.publishing,
  )
  const npub = kit.config.nostr.publishRecord ? nostr.npub : null
  const followed = { record, payments, npub }
  const following = await openFollowing(kit, ports, followed, options.following)
  if (kit.config.sourceChecks !== 'off') defineSourceChecks({ ...kit, pages: ports.sourcePages })
  const parts = {
    jobs,
    outbox,
    imports,
    record,
    live,
    prices,
    state,
    payments,
    posts,
    nostr,
    pictures,
    admins,
    publishing,
    scores,
    snapshots,
    proofs,
    following,
  }
  const pages = typeof options.pages === 'function' ? await options.pages() : options.pages
  const answering = { ...options, pages: pages ?? null, isOpen: () => isOpen }
  const app = await openApp(kit, answering)
  await addRoutes(app, kit, { ...answering, ...parts })
  await Promise.all([record.refresh(), jobs.prepare()]).catch(async (error: unknown) => {
    await app.close()
    throw error
  })

  function startJobs(): void {
    for (const part of [payments, publishing, nostr, scores, snapshots, following]) part.start()
    if (kit.config.prices.on) prices.start()
    jobs.work()
  }

  let forwarding: ReturnType<typeof startRecord> | null = null
  return {
    app,
    ...parts,
    /** Starts background work without waiting for anything. */
    start: (): void => {
      // Before any other listener reads the change.
      for (const channel of PUBLIC_CHANGES) kit.signals.listen(channel, kit.catchUp)
      for (const part of [payments, scores, snapshots]) part.follow()
      if (kit.config.prices.on) prices.follow()
      const judges = kit.config.role !== 'web'
      forwarding ??= startRecord(kit, record, live, judges ? imports.judgeDue : null)
      if (kit.config.role !== 'web') startJobs()
    },
    /** Makes `/readyz` report that the site is stopping, and closes connections after their response. */
    beginStop: (): void => {
      isOpen = false
    },
    /** Finishes open requests, refuses new ones, and ends background work. Database and kit stay open. */
    stop: async (leaving: Parameters<typeof leave>[1] = {}): Promise<void> => {
      isOpen = false
      await (app.server.listening ? leave(app, leaving) : app.close())
      forwarding?.stop()
      await jobs.stop()
      for (const part of [prices, payments, publishing, nostr, snapshots, scores, following])
        await part.stop()
    },
  }
}
