import { type Db } from '#server/kit/db.ts'
import { DAY_MS, type Caller, type Door, type Limiter } from '#server/kit/limiter.ts'

/** Posts that are read in a day for people who are not signed in: X takes money for each. */
const READS: Door = {
  name: 'posts read for visitors',
  shares: [
    { of: 'prefix', most: 8, withinMs: DAY_MS, said: null },
    { of: 'all', most: 100, withinMs: DAY_MS, said: null },
  ],
}

/** @returns whether a post may still be read today for this caller, and counts it */
export type MayRead = (caller: Caller) => Promise<boolean>

export function readAllowance(db: Db, limiter: Limiter): MayRead {
  return (caller) => db.transaction((tx) => limiter.enter(tx, READS, caller))
}
