import { NETWORKS_OF_POSTS, type SocialNetwork } from '#domain/publishing/social-post.ts'
import { type Log } from '#server/kit/ports.ts'
import { startRounds } from '#server/kit/rounds.ts'
import { setTimeout as pause } from 'node:timers/promises'

const ROUND_MS = 5_000
const LONGEST_ROUND_MS = 60_000
/** How many posts this process sends to a network at once: one that hangs delays neither all others nor the other network. */
const AT_ONCE = 3
/** Unused pictures are deleted once in so many rounds. */
const TIDY_EVERY = 720

/** Sends planned posts when they are due, a few at a time; several processes share them. */
export function startPublishing({
  log,
  planAutomatic,
  sendOne,
  endPosts,
  dropUnused,
  roundMs = ROUND_MS,
}: {
  log: Log
  planAutomatic: () => Promise<unknown>
  /** @returns false when there was nothing to do */
  sendOne: (network: SocialNetwork) => Promise<boolean>
  endPosts: () => Promise<void>
  dropUnused: () => Promise<void>
  roundMs?: number | undefined
}): { stop: () => Promise<void> } {
  const underWay = new Map(NETWORKS_OF_POSTS.map((one) => [one, new Set<Promise<void>>()]))
  let rounds = 0

  async function sendDue(network: SocialNetwork, isStopped: () => boolean): Promise<void> {
    while (!isStopped() && (await sendOne(network))) {
      // The next one.
    }
  }

  /** @returns ends with the workers it has started; earlier ones go on beside it */
  async function topUp(isStopped: () => boolean): Promise<void> {
    const begun: Promise<void>[] = []
    for (const [network, workers] of underWay) {
      while (workers.size < AT_ONCE) {
        const worker = sendDue(network, isStopped).finally(() => workers.delete(worker))
        workers.add(worker)
        begun.push(worker)
      }
    }
    await Promise.all(begun)
  }

  const running = startRounds({
    log,
    texts: { waits: 'Posts wait for the database.', failed: 'Posts have to wait' },
    roundMs,
    longestMs: LONGEST_ROUND_MS,
    round: async (isStopped) => {
      await planAutomatic()
      const sent = topUp(isStopped)
      // A round does not wait for a post that hangs: the next one finds what has become due since.
      await Promise.race([sent, pause(roundMs, undefined, { ref: false })])
      // A failure after the round fails the next one too, and is logged there.
      sent.catch(() => {})
      await endPosts()
      if (rounds % TIDY_EVERY === 0) await dropUnused()
      rounds += 1
    },
  })
  return {
    stop: async () => {
      await running.stop()
      await Promise.allSettled([...underWay.values()].flatMap((workers) => [...workers]))
    },
  }
}
