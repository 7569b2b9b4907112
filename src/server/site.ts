import { type FastifyBaseLogger } from 'fastify'
import { openAdmins } from './admins/open-admins.ts'
import { openProofs, type ProofPace } from './attestation/open-proofs.ts'
import { openFollowing, type FollowPace } from './following/open-following.ts'
import { type AdminSite } from './http/admin-site.ts'
import { addRoutes } from './composition/routes.ts'
import { openApp, type Busy } from './http/app.ts'
import { leave } from './http/leave.ts'
import { type Kit } from './kit/kit.ts'
import { openPayments, type PaymentPace } from './payments/open-payments.ts'
import { type Ports } from './composition/ports.ts'
import { openPosts, type PostPace } from './posts/open-posts.ts'
import { registerProcess } from './operations/processes.service.ts'
import { importService } from './predictions/imports.service.ts'
import { type BuiltPages } from './predictions/web-pages.routes.ts'
import { livePrices } from './prices/live-prices.ts'
import { openPrices, type PricePace } from './prices/open-prices.ts'
import { statusService } from './prices/status.service.ts'
import { hedgehogPictures } from '#server/publishing/pictures/hedgehog-pictures.service.ts'
import { drawnPictures } from '#server/publishing/pictures/drawn-pictures.ts'
import { peoplePictures } from './publishing/pictures/people-pictures.service.ts'
import { yearPictures } from './publishing/pictures/year-pictures.service.ts'
import { yearCard, years as yearsOf } from './scores/scores.rows.ts'
import { openNostr } from './publishing/nostr/open-nostr.ts'
import { openSnapshots, type SnapshotPace } from './open-data/snapshots/open-snapshots.ts'
import { openPublishing, type PublishPace } from './publishing/open-publishing.ts'
import { openScores, type ScorePace } from './scores/open-scores.ts'
import { startSourceChecks } from './sources/source-checks.jobs.ts'
import { approveAfterPost } from './review/approve.service.ts'
import { openRecord } from './record/record.service.ts'
import { startRecord } from './record/record.jobs.ts'
import { openReview } from './review/review-kit.ts'

/** What is served besides the calls, and how the server answers; all of it can be left out. */
export type SiteOptions = {
  /** Where the server writes what went wrong with a request; it writes nothing without. */
  readonly logger?: FastifyBaseLogger
  /** The built web app; without it the calls alone are served, as in development. A function loads it while the record is read. */
  readonly pages?: BuiltPages | null | (() => Promise<BuiltPages | null>)
  /** The built administrators' app. */
  readonly adminPages?: AdminSite | null
  readonly busy?: Busy
  readonly payments?: PaymentPace
  readonly prices?: PricePace
  readonly posts?: PostPace
  readonly publishing?: PublishPace
  readonly sources?: Parameters<typeof startSourceChecks>[1]
  readonly scores?: ScorePace
  readonly snapshots?: SnapshotPace
  readonly proofs?: ProofPace
  readonly following?: FollowPace
}

/** Signals of what public pages show. */
const PUBLIC_CHANGES = ['record', 'scores', 'snapshots'] as const

export type Site = Awaited<ReturnType<typeof openSite>>

/**
 * The whole site on one database. It does not listen, and nothing runs in the background before `start`. Opening it again
 * after a failure does no harm.
 */
export async function openSite(kit: Kit, ports: Ports, options: SiteOptions = {}) {
  let isOpen = true
  const imports = importService(kit)
  const record = openRecord(kit)
  const live = livePrices()
  const prices = openPrices(kit, ports.prices, { live }, options.prices)
  const isLeader = () => (kit.config.prices.on ? prices.isLeader() : null)
  const state = statusService({ ...kit, ...ports.prices, record, live, isLeader })
  const scores = openScores(kit, record.onChange, options.scores)
  const snapshots = openSnapshots(kit, { record, scores: scores.service }, options.snapshots)
  const review = openReview(kit, record)
  const onPaid = review.counts.forget
  const payments = await openPayments(kit, ports, { record, onPaid }, options.payments)
  const posts = openPosts(kit, { ...ports, sources: ports.posts }, { record }, options.posts)
  const drawn = drawnPictures({ ...kit, ...ports })
  const nostr = openNostr(kit, ports, { record, drawn })
  const proofs = openProofs(kit, ports, options.proofs)
  const people = peoplePictures({ ...kit, scores: scores.service })
  const years = yearPictures({
    origin: kit.config.origin,
    card: (asset, year) => scores.service.read('touch', yearCard(asset, year)),
  })
  const hedgehogs = hedgehogPictures({
    ...kit,
    record,
    years: () => scores.service.read('touch', yearsOf),
  })
  const admins = openAdmins(kit, ports)
  const publishing = openPublishing(
    kit,
    { ...ports, nostr: ports.nostr ?? nostr.publisher },
    {
      record,
      drawChart: (id) => nostr.pictures.forPost(id),
      approve: (admin, id, platform) => approveAfterPost(review, admin, id, platform),
    },
    options.publishing,
  )
  const npub = kit.config.nostr.publishRecord ? nostr.npub : null
  const followed = { record, payments, npub }
  const following = await openFollowing(kit, ports, followed, options.following)
  const parts = {
    imports,
    record,
    live,
    prices,
    state,
    payments,
    posts,
    nostr,
    drawnPictures: drawn,
    peoplePictures: people,
    yearPictures: years,
    hedgehogPictures: hedgehogs,
    admins,
    publishing,
    scores,
    snapshots,
    proofs,
    following,
    review,
  }
  const pages = typeof options.pages === 'function' ? await options.pages() : options.pages
  const answering = { ...options, pages: pages ?? null, isOpen: () => isOpen }
  const app = await openApp(kit, answering)
  const { openLines } = await addRoutes(app, kit, { ...answering, ...parts })
  await record.refresh().catch(async (error: unknown) => {
    await app.close()
    throw error
  })

  function startJobs(): void {
    for (const part of [payments, posts, publishing, nostr, scores, snapshots, proofs, following])
      part.start()
    if (kit.config.prices.on) prices.start()
    if (kit.config.sourceChecks !== 'off')
      checking ??= startSourceChecks({ ...kit, pages: ports.sourcePages }, options.sources)
  }

  let forwarding: ReturnType<typeof startRecord> | null = null
  let registered: ReturnType<typeof registerProcess> | null = null
  let checking: ReturnType<typeof startSourceChecks> | null = null
  return {
    app,
    ...parts,
    /** Begins all that happens without a request. It waits for nothing. */
    start: (): void => {
      // Before all others hear of a change and read it.
      for (const channel of PUBLIC_CHANGES) kit.signals.listen(channel, kit.catchUp)
      for (const part of [payments, scores, snapshots, review.presence]) part.follow()
      if (kit.config.prices.on) prices.follow()
      const judges = kit.config.role !== 'web'
      forwarding ??= startRecord(kit, {
        record,
        live,
        judgeDue: judges ? imports.judgeDue : null,
      })
      registered ??= registerProcess(kit, {
        facts: () => ({ leads: prices.isLeader(), lines: openLines(), replica: kit.replica() }),
      })
      if (kit.config.role !== 'web') startJobs()
    },
    /** From now on `/readyz` says that the site is stopping, and every answer ends its connection. */
    beginStop: (): void => {
      isOpen = false
    },
    /** Answers what has come, lets nothing more in, and ends what runs in the background. The database and the kit stay open. */
    stop: async (leaving: Parameters<typeof leave>[1] = {}): Promise<void> => {
      isOpen = false
      await (app.server.listening ? leave(app, leaving) : app.close())
      forwarding?.stop()
      await registered?.stop()
      await checking?.stop()
      for (const part of [
        prices,
        payments,
        posts,
        publishing,
        nostr,
        snapshots,
        scores,
        proofs,
        following,
      ])
        await part.stop()
    },
  }
}
