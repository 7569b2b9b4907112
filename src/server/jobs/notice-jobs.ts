import { type Log } from '#server/ports.ts'
import { type Notices } from '#server/services/notices.ts'
import { troubleOf } from './trouble.ts'

const ROUND_MS = 5_000
const LONGEST_ROUND_MS = 60_000

/** Writes and sends notices, one after the other; several processes share them. */
export function startNotices({ log, notices }: { log: Log; notices: Notices }): {
  stop: () => Promise<void>
} {
  let timer: NodeJS.Timeout | null = null
  let running: Promise<void> = Promise.resolve()
  let stopped = false
  let waitMs = ROUND_MS

  async function round(): Promise<void> {
    try {
      await notices.write()
      while (!stopped && (await notices.sendOne())) {
        // The next one.
      }
      waitMs = ROUND_MS
    } catch (error) {
      if (waitMs === ROUND_MS && !stopped) {
        const { said, isLost } = troubleOf(error)
        const text = isLost ? 'Notices wait for the database.' : `Notices have to wait: ${said}`
        log.warn({}, text)
      }
      waitMs = Math.min(waitMs * 2, LONGEST_ROUND_MS)
    }
    schedule()
  }

  function schedule(): void {
    if (stopped) return
    timer = setTimeout(() => {
      running = round()
    }, waitMs)
    timer.unref()
  }

  schedule()
  return {
    stop: async () => {
      stopped = true
      if (timer) clearTimeout(timer)
      await running
    },
  }
}
