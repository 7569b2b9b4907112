import pLimit from 'p-limit'
import { type Kit } from '#server/kit/kit.ts'
import { planAutomatic } from './automatic-posts.service.ts'
import { dropUnused } from './pictures/pictures.service.ts'
import { blueskyAccount } from './bluesky/bluesky-account.service.ts'
import { type BlueskyPublisher, type NostrPublisher, type PictureReader } from './ports.ts'
import {
  SEND_LIMITS,
  type ApproveAfterPost,
  type DrawChart,
  type PublishingKit,
  type SendLimits,
} from './publishing-kit.ts'
import { startPublishing } from './publishing.jobs.ts'
import { sendOne } from './send-posts.service.ts'
import { endPosts } from './end-posts.service.ts'
import { type XAccountParts } from './x/configured-account.ts'
import { xAccount } from './x/x-account.service.ts'

/** How long sending a post may take, and the pause between two searches for posts that are due. */
export type PublishPace = Partial<SendLimits> & { readonly roundMs?: number }

/** Publishing on X, Nostr and Bluesky. Nothing runs before `start`. */
export function openPublishing(
  { db, clock, log, config }: Kit,
  {
    x,
    nostr,
    bluesky,
    pictureReader,
  }: {
    /** Null where the settings name no key. */
    x: XAccountParts | null
    nostr: NostrPublisher | null
    bluesky: BlueskyPublisher | null
    pictureReader: PictureReader
  },
  {
    record,
    drawChart,
    approve,
  }: {
    record: PublishingKit['record']
    drawChart: DrawChart
    approve: ApproveAfterPost
  },
  { roundMs, ...limits }: PublishPace = {},
) {
  const kit: PublishingKit = {
    db,
    clock,
    log,
    record,
    drawChart,
    nostr,
    origin: config.origin,
    x: x && xAccount({ db, clock, ...x }),
    bluesky: bluesky && blueskyAccount({ clock, publisher: bluesky }),
    readPicture: pictureReader.read,
    shrinkPicture: pictureReader.shrink,
    approve,
    approveInTurn: pLimit(1),
    limits: { ...SEND_LIMITS, ...limits },
    // The built-in database belongs to one process.
    aloneSinceMs: config.databaseUrl === null ? clock.now() : null,
  }
  let running: ReturnType<typeof startPublishing> | null = null
  return {
    kit,
    /** Begins to send what is due; it waits for nothing. */
    start: () => {
      running ??= startPublishing({
        log,
        roundMs,
        planAutomatic: () => planAutomatic(kit),
        sendOne: (network) => sendOne(kit, network),
        endPosts: () => endPosts(kit),
        dropUnused: () => dropUnused(kit),
      })
    },
    stop: async () => {
      await running?.stop()
      await pictureReader.close()
    },
  }
}
