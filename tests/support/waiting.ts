import { vi } from 'vitest'

/** Only a failure or a very slow machine takes so long. */
const PATIENCE_MS = 60_000

/** Waits until the assertions of `check` hold: for effects of a socket, a job or another process. */
export function shows<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: PATIENCE_MS, interval: 20 })
}

/**
 * The same for a public call, less often: these are limited to some hundred a minute.
 */
export function showsByCall<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: PATIENCE_MS, interval: 300 })
}

export async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  await shows(async () => {
    if (!(await isTrue())) throw new Error(`never came true: ${String(isTrue)}`)
  })
}

/** For a call whose result does not matter to the story, however slow the machine. */
export function patiently(): AbortSignal {
  return AbortSignal.timeout(PATIENCE_MS)
}
