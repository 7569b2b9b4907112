import { type Log } from '#server/ports.ts'
import { type SocialAuto } from '#server/services/social-auto.ts'
import { type SocialPictures } from '#server/services/social-pictures.ts'
import { type SocialSender } from '#server/services/social-sender.ts'
import { startRounds } from './rounds.ts'

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
  let rounds = 0
  return startRounds({
    log,
    told: { lost: 'Posts wait for the database.', failed: 'Posts have to wait' },
    roundMs,
    longestMs: LONGEST_ROUND_MS,
    round: async (isStopped) => {
      await auto.write()
      while (!isStopped() && (await sender.sendOne())) {
        // The next one.
      }
      await sender.repair()
      if (rounds % TIDY_EVERY === 0) await pictures.dropUnused()
      rounds += 1
    },
  })
}
