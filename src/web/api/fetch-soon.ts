/** Verdicts of one bar arrive together, so their changes are fetched at once; the jitter spreads visitors. */
const FETCH_MS = 700
const JITTER_MS = 800
/** The first reply may predate the announced change. */
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
