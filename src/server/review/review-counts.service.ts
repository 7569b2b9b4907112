import { type Db } from '#server/kit/db.ts'
import { countByStatus } from './review-counts.store.ts'

type Counts = Awaited<ReturnType<typeof countByStatus>>

/** Counting reads an index of all submissions: more often than this it is answered from memory. */
const KEPT_MS = 500

export type ReviewCounts = ReturnType<typeof reviewCounts>

/**
 * How many submissions there are of each state. What this process decides, edits, submits for an administrator or brings
 * into review by a payment shows at once; new unpaid submissions and what other processes do show within half a second.
 */
export function reviewCounts(db: Db) {
  let known: Promise<Counts> | null = null
  let changes = 0

  return {
    async read(): Promise<Counts> {
      if (known) return known
      const asked = countByStatus(db)
      known = asked
      const drop = (): void => {
        if (known === asked) known = null
      }
      asked.then(() => setTimeout(drop, KEPT_MS).unref(), drop)
      return asked
    },
    /** This process has changed something. */
    forget: (): void => {
      changes += 1
      known = null
    },
    /** How often that has happened: an answer that began before the last time is old. */
    changes: (): number => changes,
  }
}
