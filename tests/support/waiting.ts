import { vi } from 'vitest'

/** A story ends as soon as what it waits for is there: only a failure, or a machine that hardly moves, takes so long. */
const PATIENCE_MS = 60_000

/** Waits until the assertions of `check` hold: for what a socket, a job or another process brings about. */
export function shows<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: PATIENCE_MS, interval: 20 })
}

/**
 * The same for a public call: these are limited to some hundred a minute, and asking every 20 ms is refused after seconds
 * until that minute is over.
 */
export function showsByCall<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: PATIENCE_MS, interval: 300 })
}

export async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  await shows(async () => {
    if (!(await isTrue())) throw new Error('it never came true')
  })
}

/** For a call whose end is not what the story is about, however slow the machine. */
export function patiently(): AbortSignal {
  return AbortSignal.timeout(PATIENCE_MS)
}
