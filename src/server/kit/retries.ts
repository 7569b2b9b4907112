export type Retries = {
  /** Tries again after the next pause; not twice at once. */
  readonly again: () => void
  /** The next pause is the shortest again. */
  readonly reset: () => void
  readonly stop: () => void
}

/**
 * Tries something again for as long as it fails: each pause is twice as long as the one before, up to the longest, and
 * scattered over its second half, so that not everything comes back at the same moment.
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
