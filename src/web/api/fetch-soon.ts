/** Verdicts of one bar come together: what they change is fetched together, and not by all visitors at once. */
const FETCH_MS = 700
const JITTER_MS = 800
/** The answer may be older than the announcement, so it is fetched once more. */
const ONCE_MORE_MS = 5_000

export function fetchSoon(fetchNow: () => void): {
  readonly changed: () => void
  readonly stop: () => void
} {
  let timer: ReturnType<typeof setTimeout> | undefined
  const again = (): void => {
    timer = undefined
    fetchNow()
  }
  const first = (): void => {
    fetchNow()
    timer = setTimeout(again, ONCE_MORE_MS)
  }
  return {
    changed: () => {
      timer ??= setTimeout(first, FETCH_MS + Math.random() * JITTER_MS)
    },
    stop: () => clearTimeout(timer),
  }
}
