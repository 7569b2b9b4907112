import { type SocialNetwork } from '#domain/publishing/social-post.ts'
import { startSocial } from './publishing.jobs.ts'
import { type Kit } from '#server/kit/kit.ts'
import { type NostrPublisher, type PictureReader } from './ports.ts'
import { type XAccountParts } from './x/configured-account.ts'
import { type Catalog } from '#server/predictions/catalog.service.ts'
import { socialAuto } from './automatic-posts.service.ts'
import { socialPictures, type DrawChart } from './pictures/pictures.service.ts'
import {
  SEND_LIMITS,
  socialSender,
  type ApproveAfterPost,
  type SendLimits,
} from './send-posts.service.ts'
import { xDesk } from './x/x-account.service.ts'

/** For how long posts may be under way, and how often what is due is looked for. */
export type PublishPace = Partial<SendLimits> & { readonly roundMs?: number }

/** Publishing on X and Nostr. Nothing runs before `start`. */
export function openPublishing(
  kit: Kit,
  {
    x: account,
    nostr,
    pictureReader,
  }: {
    /** Null where the settings name none. */
    x: XAccountParts | null
    nostr: NostrPublisher | null
    pictureReader: PictureReader
  },
  {
    catalog,
    charts,
    approve,
  }: {
    catalog: Pick<Catalog, 'snapshot' | 'today'>
    /** Draws predictions. */
    charts: { readonly of: DrawChart }
    approve: ApproveAfterPost
  },
  { roundMs, ...limits }: PublishPace = {},
) {
  const { log } = kit
  const { origin } = kit.config
  const x = xDesk({ ...kit, account })
  const draw: DrawChart = (id) => charts.of(id)
  const pictures = socialPictures({ ...kit, read: pictureReader.read, draw })
  const sender = socialSender({
    ...kit,
    x,
    nostr,
    approve,
    limits: { ...SEND_LIMITS, ...limits },
  })
  const networks: SocialNetwork[] = [
    ...(account ? (['x'] as const) : []),
    ...(nostr ? (['nostr'] as const) : []),
  ]
  const auto = socialAuto({ ...kit, origin, catalog, networks, pictures, draw })
  let running: ReturnType<typeof startSocial> | null = null
  return {
    x,
    kit: { ...kit, origin, catalog, x, nostr, sender },
    pictures,
    auto,
    nostr: nostr && { npub: nostr.npub, relays: nostr.relays },
    /** Begins to send what is due; it waits for nothing. */
    start: () => {
      const parts = { log, sender, auto, pictures }
      running ??= startSocial(roundMs === undefined ? parts : { ...parts, roundMs })
    },
    stop: async () => {
      await running?.stop()
      await pictureReader.close()
    },
  }
}
