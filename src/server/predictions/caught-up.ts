import { setTimeout as pause } from 'node:timers/promises'
import { type Catalog } from './catalog.service.ts'

/** The record is read at most so often for versions that are not known, whoever makes them up. */
const READ_EVERY_MS = 1_000
const WITHIN_MS = 3_000
const MOST_KNOWN = 500

/**
 * Makes the record in memory no older than a version that a page has heard of: it may have heard of it from another
 * process. The other one had read it from the database before it said so; to read it again is enough.
 *
 * @returns waits until it is so: false where the record cannot be read in time
 */
export function caughtUp(catalog: Pick<Catalog, 'snapshot' | 'refresh' | 'onRefresh'>) {
  /** Versions that this record is no older than, the latest last. */
  const known = new Set<string>()
  let readAt = -Infinity
  let waiting: Promise<void> | null = null
  const note = (version: string | undefined): void => {
    if (version === undefined) return
    known.delete(version)
    known.add(version)
    const [oldest] = known
    if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest)
  }
  catalog.onRefresh(() => note(catalog.snapshot()?.version))

  /** One reading for all that ask before it begins. */
  const readAgain = (): Promise<void> =>
    (waiting ??= (async () => {
      await pause(Math.max(0, readAt + READ_EVERY_MS - performance.now()))
      waiting = null
      readAt = performance.now()
      await catalog.refresh()
    })())

  return async (version: string): Promise<boolean> => {
    if (known.has(version) || version === catalog.snapshot()?.version) return true
    const isRead = await Promise.race([
      readAgain().then(
        () => true,
        () => false,
      ),
      pause(WITHIN_MS, false),
    ])
    if (isRead) note(version)
    return isRead
  }
}
