export type Retries = {
  /** Retries after the next delay; not concurrently. */
  readonly again: () => void
  /** Resets the back-off. */
  readonly reset: () => void
  readonly stop: () => void
}

/**
 * Retries with exponential back-off up to a maximum, with jitter over the second half of each delay so that not
 * everything returns at once.
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
