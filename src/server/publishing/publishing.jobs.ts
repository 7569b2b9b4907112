import { NETWORKS_OF_POSTS, type SocialNetwork } from '#domain/publishing/social-post.ts'
import { type Log } from '#server/kit/ports.ts'
import { type SocialAuto } from './automatic-posts.service.ts'
import { type SocialPictures } from './pictures/pictures.service.ts'
import { type SocialSender } from './send-posts.service.ts'
import { setTimeout as pause } from 'node:timers/promises'
import { startRounds } from '#server/kit/rounds.ts'

const ROUND_MS = 5_000
const LONGEST_ROUND_MS = 60_000
/** How many posts this process sends to a network at a time: one that hangs keeps neither all others nor the other network waiting. */
const AT_ONCE = 3
/** Every so many rounds what nobody uses any more is thrown away. */
const TIDY_EVERY = 720

/** Sends planned posts when they are due, a few at a time; several processes share them. */
export function startSocial({
  log,
  sender,
  auto,
  pictures,
  roundMs = ROUND_MS,
}: {
  log: Log
  sender: Pick<SocialSender, 'sendOne' | 'repair'>
  auto: Pick<SocialAuto, 'write'>
  pictures: Pick<SocialPictures, 'dropUnused'>
  roundMs?: number
}): { stop: () => Promise<void> } {
  const underWay = new Map(NETWORKS_OF_POSTS.map((one) => [one, new Set<Promise<void>>()]))
  let rounds = 0

  async function sendAll(network: SocialNetwork, isStopped: () => boolean): Promise<void> {
    while (!isStopped() && (await sender.sendOne(network))) {
      // The next one.
    }
  }

  /** @returns ends with what it has begun; what was under way before goes on beside it */
  async function topUp(isStopped: () => boolean): Promise<void> {
    const begun: Promise<void>[] = []
    for (const [network, workers] of underWay) {
      while (workers.size < AT_ONCE) {
        const worker = sendAll(network, isStopped).finally(() => workers.delete(worker))
        workers.add(worker)
        begun.push(worker)
      }
    }
    await Promise.all(begun)
  }

  const running = startRounds({
    log,
    told: { lost: 'Posts wait for the database.', failed: 'Posts have to wait' },
    roundMs,
    longestMs: LONGEST_ROUND_MS,
    round: async (isStopped) => {
      await auto.write()
      const sent = topUp(isStopped)
      // A round does not wait for one that hangs: the next looks for what has become due since.
      await Promise.race([sent, pause(roundMs, undefined, { ref: false })])
      // What fails behind the round fails in the next one, too, and is told there.
      sent.catch(() => {})
      await sender.repair()
      if (rounds % TIDY_EVERY === 0) await pictures.dropUnused()
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
