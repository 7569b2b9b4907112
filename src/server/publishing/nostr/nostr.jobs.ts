import { type Log } from '#server/kit/ports.ts'
import { type NostrOutbox } from './outbox.service.ts'
import { type SignedRecord } from '#server/attestation/attestation.service.ts'
import { startRounds } from '#server/kit/rounds.ts'

const ROUND_MS = 10_000
const LONGEST_ROUND_MS = 120_000
const FIRST_MS = 1_000

/**
 * Signs what has changed on record, and sends what waits for relays. Several processes share the work. Relays that strangers
 * have named are called in rounds of their own: a slow one holds up nothing of ours.
 *
 * @param version another value whenever the record may have changed
 */
export function startNostrJobs({
  log,
  record,
  outbox,
  publishRecord,
  version,
  roundMs = ROUND_MS,
}: {
  log: Log
  record: Pick<SignedRecord, 'sign' | 'waits'>
  outbox: Pick<
    NostrOutbox,
    'announceRelays' | 'queueRecord' | 'queueZapReceipts' | 'sendDue' | 'sendToStrangers'
  >
  publishRecord: boolean
  version: () => unknown
  roundMs?: number
}): { stop: () => Promise<void> } {
  let seen: unknown = null
  const ending = new AbortController()
  const pace = { log, roundMs, longestMs: LONGEST_ROUND_MS, firstMs: FIRST_MS }
  const strangers = startRounds({
    ...pace,
    texts: {
      waits: 'Receipts of zaps wait for the database.',
      failed: 'Receipts of zaps have to wait',
    },
    round: () => outbox.sendToStrangers(ending.signal),
  })
  const own = startRounds({
    ...pace,
    texts: { waits: 'Nostr waits for the database.', failed: 'Nostr has to wait' },
    round: async (isStopped) => {
      const now = version()
      if (now !== null && now !== seen) {
        await record.sign()
        if (publishRecord) {
          await outbox.announceRelays()
          await outbox.queueRecord()
        }
        seen = (await record.waits()) ? null : now
      }
      // What keeps a receipt from being made keeps nothing else from being sent.
      try {
        await outbox.queueZapReceipts()
      } finally {
        await outbox.sendDue(isStopped)
      }
    },
  })
  return {
    stop: async () => {
      ending.abort()
      await Promise.all([own.stop(), strangers.stop()])
    },
  }
}
