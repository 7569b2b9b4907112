/** More than two device pixels for a CSS pixel are not visible, and take a phone twice as long to paint. */
export const MOST_DPR = 2

/** Device pixels painted for each CSS pixel. */
export function deviceDpr(): number {
  return Math.min(MOST_DPR, Math.max(1, window.devicePixelRatio || 1))
}

export function stillMotion(): boolean {
  return window.matchMedia('(prefers-reduced-motion: reduce)').matches
}

/** Reports a change of pixel density: a window moved to another screen keeps its size, so no other event comes. */
export function onDprChange(changed: () => void): () => void {
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
