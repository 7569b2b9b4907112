const LONGEST_WAIT_MS = 24 * 3_600_000

/**
 * How long an answer asks to be left alone, in ms: `retry-after-ms`, as models say it, `Retry-After` in seconds or as a date,
 * else the moment of `x-rate-limit-reset`, in seconds since 1970, as X says it. Moments are held against the other side's own clock.
 *
 * @param header the value of one; null where the answer has none
 * @returns null where it does not say; a day at the most
 */
export function askedWait(header: (name: string) => string | null): number | null {
  const exact = numberOf(header('retry-after-ms'))
  const ms = exact ?? secondsOf(header('retry-after')) ?? untilAsked(header)
  return ms === null ? null : Math.min(Math.max(ms, 0), LONGEST_WAIT_MS)
}

function untilAsked(header: (name: string) => string | null): number | null {
  const until = momentOf(header('retry-after')) ?? secondsOf(header('x-rate-limit-reset'))
  return until === null ? null : until - (momentOf(header('date')) ?? Date.now())
}

/** In ms. */
function secondsOf(text: string | null): number | null {
  const seconds = numberOf(text)
  return seconds === null ? null : seconds * 1_000
}

function numberOf(text: string | null): number | null {
  return /^\d{1,15}(?:\.\d{1,9})?$/.test(text?.trim() ?? '') ? Number(text) : null
}

export function momentOf(text: string | null): number | null {
  const ms = text === null ? NaN : Date.parse(text)
  return Number.isFinite(ms) ? ms : null
}

/** Such as ` 5 minutes`; empty where no wait was asked for. */
export function waitText(waitMs: number | null): string {
  if (waitMs === null || waitMs < 1_000) return ''
  const [count, unit] =
    waitMs < 60_000 ? [Math.ceil(waitMs / 1_000), 'second'] : [Math.ceil(waitMs / 60_000), 'minute']
  return ` ${String(count)} ${unit}${count === 1 ? '' : 's'}`
}
