import { type Log } from './ports.ts'
import { troubleOf } from './trouble.ts'

/**
 * Does the same work again and again, one round after the other. A failure is logged once, and the pause grows until
 * one succeeds.
 *
 * @param texts what the log says of a round that fails: while the database is away, and before any other reason
 * @param round asks `isStopped` whether to end early
 */
export function startRounds({
  log,
  texts,
  roundMs,
  longestMs,
  firstMs = roundMs,
  round,
}: {
  log: Log
  texts: { readonly waits: string; readonly failed: string }
  roundMs: number
  longestMs: number
  firstMs?: number
  round: (isStopped: () => boolean) => Promise<void>
}): { stop: () => Promise<void> } {
  let timer: NodeJS.Timeout | null = null
  let running: Promise<void> = Promise.resolve()
  let stopped = false
  let waitMs = roundMs

  async function once(): Promise<void> {
    try {
      await round(() => stopped)
      waitMs = roundMs
    } catch (error) {
      if (waitMs === roundMs && !stopped) {
        const { said, isLost } = troubleOf(error)
        log.warn({}, isLost ? texts.waits : `${texts.failed}: ${said}`)
      }
      waitMs = Math.min(waitMs * 2, longestMs)
    }
    schedule(waitMs)
  }

  function schedule(ms: number): void {
    if (stopped) return
    timer = setTimeout(() => {
      running = once()
    }, ms)
    timer.unref()
  }

  schedule(firstMs)
  return {
    stop: async () => {
      stopped = true
      if (timer) clearTimeout(timer)
      await running
    },
  }
}
