const MINUTE_MS = 60_000

/** How long something has waited: `12 min`, `5 h`, `3 days`. */
export function waitText(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / MINUTE_MS))
  if (minutes < 60) return `${String(minutes)} min`
  if (minutes < 48 * 60) return `${String(Math.floor(minutes / 60))} h`
  return `${String(Math.floor(minutes / (24 * 60)))} days`
}
