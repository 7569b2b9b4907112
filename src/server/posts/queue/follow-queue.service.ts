import { type QueueEvent } from '#contracts/posts.ts'
import { type Db } from '#server/kit/db.ts'
import { oneAtATime } from '#server/kit/retries.ts'
import { type Log } from '#server/kit/ports.ts'
import { type Signals } from '#server/kit/signals.ts'
import { queueState } from './post-queue.store.ts'

/**
 * @param onChange gets the state of the queue at once and whenever it changes; must not throw
 * @returns ends it
 */
export type FollowQueue = (onChange: (state: QueueEvent) => void) => Promise<() => void>

/** Follows the queue, whichever process changes it: all followers together cost one query a signal. */
export function queueFollower({
  db,
  log,
  signals,
}: {
  db: Db
  log: Log
  signals: Pick<Signals, 'listen'>
}): FollowQueue {
  const followers = new Set<(state: QueueEvent) => void>()
  let last: QueueEvent | null = null
  let unlisten: (() => void) | null = null

  const look = oneAtATime(async () => {
    const now = await queueState(db)
    if (last?.version === now.version) return
    last = now
    for (const follower of followers) follower(now)
  })

  return async (onChange) => {
    followers.add(onChange)
    unlisten ??= signals.listen('queue', () => {
      look().catch((error: unknown) =>
        log.warn({ err: error }, 'The queue shows its next change with a delay.'),
      )
    })
    const end = (): void => {
      followers.delete(onChange)
      if (followers.size > 0) return
      unlisten?.()
      unlisten = null
      last = null
    }
    try {
      const now = await queueState(db)
      last ??= now
      onChange(now)
    } catch (error) {
      end()
      throw error
    }
    return end
  }
}
