import { z } from 'zod'
import { NOTIFY_AFTER_MS } from '#domain/publishing/following.ts'
import { signedRecordService, type SignedRecord } from '#server/attestation/attestation.service.ts'
import { type SiteKit } from '#server/kit/kit.ts'
import { realRelays } from '#server/kit/settings/nostr.ts'
import { type NostrSigner } from '#server/publishing/ports.ts'
import { type PublicRecord } from '#server/record/record.service.ts'
import { defineRelays, nostrOutbox, type NostrOutbox } from './outbox.service.ts'
import { nostrSigner, type NostrRelays } from './relays.ts'

export type NostrParts = ReturnType<typeof openNostr>

/** The site on Nostr; `outbox` is null without a key. Nothing runs before `start`. */
export function openNostr(
  kit: SiteKit,
  { relaysOf }: { readonly relaysOf: (signer: NostrSigner) => NostrRelays },
  record: PublicRecord,
) {
  const { privateKey, relays: urls, pictureServers, publishRecord } = kit.config.nostr
  const signer = privateKey === null ? null : nostrSigner(privateKey)
  const signed = signedRecordService(kit, signer, publishRecord ? realRelays(urls) : [])
  const outbox = signer && nostrOutbox({ ...kit, signer, relays: relaysOf(signer), pictureServers })
  if (!outbox) defineRelays(kit.outbox)
  const follow = outbox && defineJobs(kit, record, signed, outbox)
  let ends: (() => void)[] = []
  return {
    outbox,
    /** The site's account; null without a key. */
    npub: signer?.npub ?? null,
    /** Hex; null without a key. */
    pubkey: signer?.publicKey ?? null,
    record: signed,
    start: () => {
      if (follow) ends = follow()
    },
    stop: () => {
      for (const end of ends) end()
    },
  }
}

/** @returns starts signing the record and zap receipts after each change */
function defineJobs(
  { db, jobs, signals, outages, config }: SiteKit,
  record: PublicRecord,
  signed: SignedRecord,
  outbox: NostrOutbox,
): () => (() => void)[] {
  /** The record version that is completely signed and queued. */
  let seen: unknown = null
  const signing = jobs.define({
    name: 'nostr-record',
    title: 'Signing the record',
    data: z.object({ when: z.enum(['now', 'settled']) }),
    key: ({ when }) => when,
    every: { seconds: 300, data: [{ when: 'settled' }] },
    run: async () => {
      const version = record.version()
      if (version === null || version === seen) return
      await signed.sign()
      if (config.nostr.publishRecord) {
        await outbox.announceRelays()
        await outbox.queueRecord()
      }
      seen = (await signed.waits()) ? null : version
    },
  })
  const receipts = jobs.repeat({
    name: 'zap-receipts',
    title: 'Signing receipts of zaps',
    seconds: 300,
    run: async () => void (await outbox.queueZapReceipts()),
  })
  // An approval can be undone for some seconds.
  const sign = (): void => {
    const settled = signing.send(db, { when: 'settled' }, NOTIFY_AFTER_MS / 1_000 + 1)
    Promise.all([signing.send(db, { when: 'now' }, 1), settled]).catch(outages.notice)
  }
  return () => [
    signals.listen('record', sign),
    signals.listen('receipt', () => void receipts.send(db, {}).catch(outages.notice)),
  ]
}
