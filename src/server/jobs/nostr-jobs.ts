import { type Log } from '#server/ports.ts'
import { type NostrOutbox } from '#server/services/nostr-outbox.ts'
import { type SignedRecord } from '#server/services/signed-record.ts'
import { troubleOf } from './trouble.ts'

const ROUND_MS = 10_000
const LONGEST_ROUND_MS = 120_000

/**
 * Signs what has changed on record, and sends what waits for relays. Several processes share the work.
 *
 * @param version another value whenever the record may have changed
 */
export function startNostrJobs({
  log,
  record,
  outbox,
  publishRecord,
  version,
}: {
  log: Log
  record: Pick<SignedRecord, 'sign' | 'waits'>
  outbox: Pick<NostrOutbox, 'announceRelays' | 'queueRecord' | 'sendDue'>
  publishRecord: boolean
  version: () => unknown
}): { stop: () => Promise<void> } {
  let timer: NodeJS.Timeout | null = null
  let running: Promise<void> = Promise.resolve()
  let stopped = false
  let waitMs = ROUND_MS
  let seen: unknown = null

  async function round(): Promise<void> {
    try {
      const now = version()
      if (now !== null && now !== seen) {
        await record.sign()
        if (publishRecord) {
          await outbox.announceRelays()
          await outbox.queueRecord()
        }
        seen = (await record.waits()) ? null : now
      }
      await outbox.sendDue(() => stopped)
      waitMs = ROUND_MS
    } catch (error) {
      if (waitMs === ROUND_MS && !stopped) {
        const { said, isLost } = troubleOf(error)
        const text = isLost ? 'Nostr waits for the database.' : `Nostr has to wait: ${said}`
        log.warn({}, text)
      }
      waitMs = Math.min(waitMs * 2, LONGEST_ROUND_MS)
    }
    schedule(waitMs)
  }

  function schedule(ms: number): void {
    if (stopped) return
    timer = setTimeout(() => {
      running = round()
    }, ms)
    timer.unref()
  }

  schedule(1_000)
  return {
    stop: async () => {
      stopped = true
      if (timer) clearTimeout(timer)
      await running
    },
  }
}
