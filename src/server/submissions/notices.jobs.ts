import { type Log } from '#server/kit/ports.ts'
import { type Notices } from './notices.service.ts'
import { startRounds } from '#server/kit/rounds.ts'

const ROUND_MS = 5_000
const LONGEST_ROUND_MS = 60_000

/** Writes and sends notices, one after the other; several processes share them. */
export function startNotices({ log, notices }: { log: Log; notices: Notices }): {
  stop: () => Promise<void>
} {
  return startRounds({
    log,
    texts: { waits: 'Notices wait for the database.', failed: 'Notices have to wait' },
    roundMs: ROUND_MS,
    longestMs: LONGEST_ROUND_MS,
    round: async (isStopped) => {
      await notices.write()
      while (!isStopped() && (await notices.sendOne())) {
        // The next one.
      }
    },
  })
}
