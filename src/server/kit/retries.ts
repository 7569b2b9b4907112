export type Retries = {
  /** Retries after the next delay; not concurrently. */
  readonly again: () => void
  readonly reset: () => void
  readonly stop: () => void
}

/**
 * Retries with exponential back-off up to a maximum, with jitter over the second half of each delay to spread reconnections.
 */
export function retries(
  attempt: () => void,
  { firstMs, longestMs }: { readonly firstMs: number; readonly longestMs: number },
): Retries {
  let timer: NodeJS.Timeout | null = null
  let pauseMs = firstMs
  let stopped = false
  return {
    again: () => {
      if (stopped || timer) return
      timer = setTimeout(
        () => {
          timer = null
          attempt()
        },
        pauseMs * (0.5 + Math.random() / 2),
      )
      timer.unref()
      pauseMs = Math.min(pauseMs * 2, longestMs)
    },
    reset: () => {
      pauseMs = firstMs
    },
    stop: () => {
      stopped = true
      if (timer) clearTimeout(timer)
    },
  }
}

/**
 * Runs `work` without overlap. A call during a run schedules one more, as the current one may have read outdated data.
 * @returns starts it; settles with a run that began after the call
 */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null
  let again = false

  async function run(): Promise<void> {
    try {
      do {
        again = false
        await work()
      } while (again)
    } finally {
      running = null
    }
  }

  return () => {
    if (running) again = true
    else running = run()
    return running
  }
}
