import { type Clock, type Log } from '#server/kit/ports.ts'
import { type Db } from '#server/kit/db.ts'
import { OTHER_WALLET } from './check-invoice.service.ts'
import { removeUnpaid, removeUnpaidSupport } from './unpaid-removal.store.ts'
import { DAY_MS, forgetEntries } from '#server/kit/limiter.ts'
import { isoIn, isoNow } from '#server/kit/now.ts'
import { startRounds } from '#server/kit/rounds.ts'

/** How long a submission that was never paid is kept. */
const UNPAID_DAYS = 30
const FIRST_ROUND_MS = 60_000

/** Removes what was never paid, and where calls came from, once a day. @param firstMs how soon after the start */
export function startUnpaidRemoval({
  db,
  clock,
  log,
  firstMs = FIRST_ROUND_MS,
}: {
  db: Db
  clock: Clock
  log: Log
  firstMs?: number
}): { stop: () => Promise<void> } {
  return startRounds({
    log,
    texts: {
      waits: 'Submissions that were never paid are removed once the database is back.',
      failed: 'Submissions that were never paid cannot be removed',
    },
    firstMs,
    roundMs: DAY_MS,
    longestMs: DAY_MS,
    round: async (isStopped) => {
      const now = isoNow({ clock })
      const before = isoIn({ clock }, -UNPAID_DAYS * DAY_MS)
      const limits = { before, now, unchecked: OTHER_WALLET }
      let removed = 0
      for (const remove of [removeUnpaid, removeUnpaidSupport]) {
        for (let some = -1; some !== 0 && !isStopped(); removed += some) {
          some = await remove(db, limits)
        }
      }
      await forgetEntries(db, isoIn({ clock }, -DAY_MS))
      if (removed > 0) log.info({ removed }, 'What was never paid has been removed.')
    },
  })
}
