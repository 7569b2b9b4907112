import { blossomPictures } from './blossom.ts'
import { nostrPublisher, nostrSigner } from './relays.ts'
import { startNostrJobs } from './nostr.jobs.ts'
import { type NostrRelays, type NostrSigner, type Painter } from './ports.ts'
import { realRelays } from '#server/kit/settings/nostr.ts'
import { type Kit } from '#server/kit/kit.ts'
import { type PublicRecord } from '#server/record/record.service.ts'
import { nostrOutbox } from './outbox.service.ts'
import { chartPictures } from '#server/publishing/pictures/chart-pictures.service.ts'
import { type DrawnPictures } from '#server/publishing/pictures/drawn-pictures.ts'
import { signedRecordService } from '#server/attestation/attestation.service.ts'

/** What Nostr needs from outside. */
export type NostrPorts = {
  readonly painter: Painter
  readonly relaysOf: (signer: NostrSigner) => NostrRelays
}

export type NostrParts = ReturnType<typeof openNostr>

/**
 * The site on Nostr, and the pictures of predictions; `publisher` and `outbox` are null while no key is set up.
 * Nothing runs before `start`, which waits for nothing.
 */
export function openNostr(
  kit: Kit,
  { painter, relaysOf }: NostrPorts,
  { record, drawn }: { record: PublicRecord; drawn: DrawnPictures },
) {
  const { clock, log } = kit
  const { privateKey, relays: urls, pictureServers, publishRecord } = kit.config.nostr
  const signer = privateKey === null ? null : nostrSigner(privateKey)
  const signed = signedRecordService({
    ...kit,
    signer,
    relays: publishRecord ? realRelays(urls) : [],
  })
  const relays = signer && relaysOf(signer)
  const outbox = signer && relays && nostrOutbox({ ...kit, signer, relays })
  const host = signer && blossomPictures({ servers: pictureServers, signer, clock })
  let jobs: ReturnType<typeof startNostrJobs> | null = null
  return {
    publisher:
      signer && relays && host && outbox
        ? outbox.keeping(nostrPublisher({ signer, relays, pictures: host }))
        : null,
    outbox,
    /** The account of the site; null while no key is set up. */
    npub: signer?.npub ?? null,
    /** Hex; null while no key is set up. */
    pubkey: signer?.publicKey ?? null,
    record: signed,
    /** For previews of links and for posts on any network. */
    pictures: chartPictures({ ...kit, record, drawn }),
    start: () => {
      if (!outbox) return
      jobs ??= startNostrJobs({
        log,
        record: signed,
        outbox,
        publishRecord,
        version: record.version,
      })
    },
    stop: async () => {
      await jobs?.stop()
      await painter.close()
    },
  }
}
