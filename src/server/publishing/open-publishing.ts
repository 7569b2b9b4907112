import pLimit from 'p-limit'
import { type SiteKit } from '#server/kit/kit.ts'
import { socialAccount } from './account.ts'
import { planAutomatic } from './news.service.ts'
import { type NostrPublisher } from './nostr/outbox.service.ts'
import { type Painter } from './pictures/drawn-pictures.ts'
import { dropUnused } from './pictures/pictures.service.ts'
import { type AccountParts, type PictureReader } from './ports.ts'
import { nextPlanned } from './posts.store.ts'
import { SEND_LIMITS, type PublishingKit, type SendLimits } from './publishing-kit.ts'
import { beginDue, definePosts, endPosts } from './send-posts.service.ts'

export type PublishPace = Partial<SendLimits>

/** Networks are null if not configured. */
type PublishingPorts = {
  readonly x: AccountParts | null
  readonly nostr: NostrPublisher | null
  readonly bluesky: AccountParts | null
  readonly pictureReader: PictureReader
  readonly painter: Painter
}

/** Publishing on X, Nostr and Bluesky. Nothing runs before `start`. */
export function openPublishing(
  site: SiteKit,
  ports: PublishingPorts,
  parts: Pick<PublishingKit, 'record' | 'drawChart' | 'approve'>,
  limits: PublishPace = {},
) {
  const { db, clock, config, jobs, signals, outages } = site
  const { x, nostr, bluesky, pictureReader, painter } = ports
  const kit: PublishingKit = {
    ...site,
    ...parts,
    nostr,
    x: x && socialAccount(site, 'x', x),
    bluesky: bluesky && socialAccount(site, 'bluesky', bluesky),
    readPicture: pictureReader.read,
    shrinkPicture: pictureReader.shrink,
    approvals: pLimit(1),
    limits: { ...SEND_LIMITS, ...limits },
    planned: async (tx, at) => {
      if (!at) return
      const seconds = (Date.parse(at) - clock.now()) / 1_000
      await job.send(tx, {}, Math.min(3_600, Math.max(0.05, seconds)))
    },
    // The built-in database is used by one process only.
    aloneSinceMs: config.databaseUrl === null ? clock.now() : null,
  }
  definePosts(kit)
  const job = jobs.repeat({
    name: 'posts-due',
    title: 'Looking for posts that are due',
    seconds: 300,
    run: async () => {
      await planAutomatic(kit)
      await beginDue(kit)
      await endPosts(kit)
      const next = await nextPlanned(db)
      await kit.planned(db, next)
    },
  })
  jobs.repeat({
    name: 'unused-pictures',
    title: 'Deleting unused pictures',
    seconds: 3_600,
    run: () => dropUnused(kit),
  })
  let end: (() => void) | null = null
  return {
    kit,
    /** Schedules the search for automatic posts after each change of the record. */
    start: () => {
      end ??= signals.listen('record', () => void job.send(db, {}, 1).catch(outages.notice))
    },
    stop: async () => {
      end?.()
      await Promise.all([pictureReader.close(), painter.close()])
    },
  }
}
