import { type QueueEvent } from '#contracts/posts.ts'
import { type Log } from '#server/kit/ports.ts'
import { type Db } from '#server/kit/db.ts'
import { queueState } from './post-queue.store.ts'

/** How soon a change made by another process shows. */
const LOOK_EVERY_MS = 1_000
/** Many changes in a row, as fifty links that are read, are told in steps. */
const GATHER_MS = 200

export type QueueBoard = ReturnType<typeof queueBoard>

/**
 * Tells who watches the queue when it has changed: soon when this process changed it, within a second when another one
 * did. All watchers together cost one query a second, none cost nothing.
 */
export function queueBoard({ db, log }: { db: Db; log: Log }) {
  const watchers = new Set<(state: QueueEvent) => void>()
  let last: QueueEvent | null = null
  let timer: NodeJS.Timeout | null = null
  let isSoon = false

  async function look(): Promise<void> {
    const now = await queueState(db)
    if (last?.version === now.version) return
    last = now
    for (const watcher of watchers) watcher(now)
  }

  function schedule(ms: number): void {
    if (timer && (isSoon || ms > GATHER_MS)) return
    if (timer) clearTimeout(timer)
    isSoon = ms <= GATHER_MS
    timer = setTimeout(() => {
      timer = null
      look()
        .catch((error: unknown) =>
          log.warn({ err: error }, 'The queue shows changes with a delay.'),
        )
        .finally(() => {
          if (watchers.size > 0) schedule(LOOK_EVERY_MS)
        })
    }, ms)
    timer.unref()
  }

  return {
    /** Something has changed. */
    tell: (): void => {
      if (watchers.size > 0) schedule(GATHER_MS)
    },

    /**
     * @param onChange gets the state at once and whenever it changes; must not throw
     * @returns ends the watch
     */
    async watch(onChange: (state: QueueEvent) => void): Promise<() => void> {
      watchers.add(onChange)
      const end = (): void => void watchers.delete(onChange)
      try {
        const now = await queueState(db)
        last ??= now
        onChange(now)
      } catch (error) {
        end()
        throw error
      }
      schedule(LOOK_EVERY_MS)
      return end
    },
  }
}
