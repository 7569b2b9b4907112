import { resvgPainter } from '#server/publishing/pictures/resvg.ts'
import { blossomPictures } from './blossom.ts'
import { nostrPublisher, nostrRelays, nostrSigner } from './relays.ts'
import { startNostrJobs } from './nostr.jobs.ts'
import { type NostrRelays, type NostrSigner, type Painter } from './ports.ts'
import { realRelays, type NostrSettings } from '#server/kit/settings/nostr.ts'
import { type Clock, type Log } from '#server/kit/ports.ts'
import { type NostrPublisher } from '#server/publishing/ports.ts'
import { type Catalog } from '#server/predictions/catalog.service.ts'
import { nostrOutbox, type NostrOutbox } from './outbox.service.ts'
import {
  chartPictures,
  type ChartPictures,
} from '#server/publishing/pictures/chart-pictures.service.ts'
import { signedRecordService, type SignedRecord } from '#server/attestation/attestation.service.ts'
import { type Db } from '#server/kit/db.ts'

/** The site's voice on Nostr; `publisher` and `outbox` are null while no key is set up. */
export type NostrDesk = {
  readonly publisher: NostrPublisher | null
  readonly outbox: NostrOutbox | null
  readonly record: SignedRecord
  /** Pictures of predictions, for previews of links and for posts on any network. */
  readonly pictures: ChartPictures
  /** Begins to sign and to send; it waits for neither. */
  readonly start: () => void
  readonly stop: () => Promise<void>
}

/** Puts together all that has to do with Nostr, and the pictures. Nothing runs before `start`. */
export function openNostr({
  settings,
  db,
  clock,
  log,
  catalog,
  painter = resvgPainter(),
  relaysOf = (signer) => nostrRelays(settings.relays, { signer, clock }),
}: {
  settings: NostrSettings
  db: Db
  clock: Clock
  log: Log
  catalog: Pick<Catalog, 'snapshot' | 'today'>
  painter?: Painter
  relaysOf?: (signer: NostrSigner) => NostrRelays
}): NostrDesk {
  const { privateKey, relays: urls, pictureServers, publishRecord } = settings
  const signer = privateKey === null ? null : nostrSigner(privateKey)
  const record = signedRecordService({
    db,
    clock,
    signer,
    relays: publishRecord ? realRelays(urls) : [],
  })
  const pictures = chartPictures({ catalog, painter, log })
  if (!signer) {
    return {
      publisher: null,
      outbox: null,
      record,
      pictures,
      start: () => {},
      stop: () => painter.close(),
    }
  }
  const relays = relaysOf(signer)
  const outbox = nostrOutbox({ db, clock, log, signer, relays })
  const host = blossomPictures({ servers: pictureServers, signer, clock })
  let jobs: ReturnType<typeof startNostrJobs> | null = null
  return {
    publisher: outbox.keeping(nostrPublisher({ signer, relays, pictures: host })),
    outbox,
    record,
    pictures,
    start: () => {
      const version = catalog.snapshot
      jobs ??= startNostrJobs({ log, record, outbox, publishRecord, version })
    },
    stop: async () => {
      await jobs?.stop()
      await painter.close()
    },
  }
}
