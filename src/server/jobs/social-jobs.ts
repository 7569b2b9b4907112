import { type Log } from '#server/ports.ts'
import { type SocialAuto } from '#server/services/social-auto.ts'
import { type SocialPictures } from '#server/services/social-pictures.ts'
import { type SocialSender } from '#server/services/social-sender.ts'
import { troubleOf } from './trouble.ts'

const ROUND_MS = 5_000
const LONGEST_ROUND_MS = 60_000
/** Every so many rounds what nobody uses any more is thrown away. */
const TIDY_EVERY = 720

/** Sends planned posts when they are due, one after the other; several processes share them. */
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
  let timer: NodeJS.Timeout | null = null
  let running: Promise<void> = Promise.resolve()
  let stopped = false
  let waitMs = roundMs
  let rounds = 0

  async function round(): Promise<void> {
    try {
      await auto.write()
      while (!stopped && (await sender.sendOne())) {
        // The next one.
      }
      await sender.repair()
      if (rounds % TIDY_EVERY === 0) await pictures.dropUnused()
      rounds += 1
      waitMs = roundMs
    } catch (error) {
      if (waitMs === roundMs && !stopped) {
        const { said, isLost } = troubleOf(error)
        log.warn({}, isLost ? 'Posts wait for the database.' : `Posts have to wait: ${said}`)
      }
      waitMs = Math.min(waitMs * 2, LONGEST_ROUND_MS)
    }
    schedule()
  }

  function schedule(): void {
    if (stopped) return
    timer = setTimeout(() => {
      running = round()
    }, waitMs)
    timer.unref()
  }

  schedule()
  return {
    stop: async () => {
      stopped = true
      if (timer) clearTimeout(timer)
      await running
    },
  }
}
