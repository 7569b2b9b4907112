import { createHash } from 'node:crypto'
import { type SocialNetwork } from '#domain/publishing/social-post.ts'
import { readPicture } from './pictures/sharp.ts'
import { xPublisher } from './x/publish-x.ts'
import { startSocial } from './publishing.jobs.ts'
import { type Clock, type Log } from '#server/kit/ports.ts'
import { type NostrPublisher, type XPublisher } from './ports.ts'
import { type PublishSettings } from '#server/kit/settings/publishing.ts'
import { type SocialParts } from './publishing.routes.ts'
import { type Catalog } from '#server/predictions/catalog.service.ts'
import { socialAuto } from './automatic-posts.service.ts'
import { socialDesk } from './publishing.service.ts'
import { socialPictures, type DrawChart } from './pictures/pictures.service.ts'
import {
  SEND_LIMITS,
  socialSender,
  type ApproveAfterPost,
  type SendLimits,
} from './send-posts.service.ts'
import { xDesk } from './x/x-account.service.ts'
import { type Db } from '#server/kit/db.ts'

/** Who posts on X, and by what its keys are known without telling them. */
export type XAccountParts = { readonly publisher: XPublisher; readonly keyHash: string }

export type SocialOffice = SocialParts & {
  /** Begins to send what is due; it waits for nothing. */
  readonly start: () => void
  readonly stop: () => Promise<void>
}

/** The account on X that the settings name; null where there is none. */
export function xAccountOf({ x }: PublishSettings, clock: Clock): XAccountParts | null {
  if (!x) return null
  const { key, token } = x.keys
  const keyHash = createHash('sha256').update(`${x.url.origin} ${key} ${token}`).digest('hex')
  return { publisher: xPublisher({ ...x, clock }), keyHash }
}

/** Puts together all that has to do with publishing. Nothing runs before `start`. */
export function openSocial({
  x: account,
  nostr,
  charts,
  review,
  origin,
  limits = SEND_LIMITS,
  roundMs,
  db,
  clock,
  log,
  catalog,
}: {
  x: XAccountParts | null
  nostr: NostrPublisher | null
  /** Draws predictions; null where they cannot be drawn. */
  charts: { readonly of: DrawChart } | null
  review: { readonly approveAfterPost: ApproveAfterPost }
  origin: string
  limits?: SendLimits
  roundMs?: number
  db: Db
  clock: Clock
  log: Log
  catalog: Pick<Catalog, 'snapshot' | 'today'>
}): SocialOffice {
  const x = xDesk({ db, clock, account })
  const draw: DrawChart | null = charts && ((id) => charts.of(id))
  const pictures = socialPictures({ db, clock, read: readPicture, draw })
  const sender = socialSender({
    db,
    clock,
    log,
    x,
    nostr,
    approve: (admin, id, platform) => review.approveAfterPost(admin, id, platform),
    limits,
  })
  const networks: SocialNetwork[] = [
    ...(account ? (['x'] as const) : []),
    ...(nostr ? (['nostr'] as const) : []),
  ]
  const auto = socialAuto({ db, clock, log, origin, catalog, networks, pictures, draw })
  let running: ReturnType<typeof startSocial> | null = null
  return {
    x,
    desk: socialDesk({ db, clock, origin, catalog, x, nostr, sender }),
    pictures,
    auto,
    nostr: nostr && { npub: nostr.npub, relays: nostr.relays },
    start: () => {
      const parts = { log, sender, auto, pictures }
      running ??= startSocial(roundMs === undefined ? parts : { ...parts, roundMs })
    },
    stop: async () => {
      await running?.stop()
    },
  }
}
