/** Beyond two device pixels a CSS pixel nobody sees more, and a phone paints twice as long. */
const MOST_DPR = 2

/** Device pixels painted for each CSS pixel. */
export function deviceDpr(): number {
  return Math.min(MOST_DPR, Math.max(1, window.devicePixelRatio || 1))
}

/** Whether the visitor asked for nothing to move. */
export function stillMotion(): boolean {
  return window.matchMedia('(prefers-reduced-motion: reduce)').matches
}

/** A window dragged to another screen keeps its size but not its pixels; no other event tells. */
export function watchDpr(changed: () => void): () => void {
  let query: MediaQueryList | null = null
  const arm = () => {
    query?.removeEventListener('change', again)
    query = window.matchMedia(`(resolution: ${String(window.devicePixelRatio)}dppx)`)
    query.addEventListener('change', again)
  }
  const again = () => {
    arm()
    changed()
  }
  arm()
  return () => query?.removeEventListener('change', again)
}
