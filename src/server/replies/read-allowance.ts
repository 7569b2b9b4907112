import { type Kit } from '#server/kit/kit.ts'
import { isoIn } from '#server/kit/now.ts'
import { takeTurn } from '#server/kit/turns.ts'
import { addPostRead, countPostReads } from './read-allowance.store.ts'

const DAY_MS = 86_400_000
/** Posts that are read in a day for people who are not signed in: X takes money for each. */
const MOST_A_DAY = 100
const MOST_A_NETWORK = 8

/** @returns whether a post may still be read today for this network, and counts it, for all processes together */
export type MayRead = (networkHash: string) => Promise<boolean>

export function readAllowance({ db, clock }: Pick<Kit, 'db' | 'clock'>): MayRead {
  return (networkHash) =>
    db.transaction(async (tx) => {
      await takeTurn(tx, 'proof-of-price posts read for visitors')
      const { all, own } = await countPostReads(tx, networkHash, isoIn({ clock }, -DAY_MS))
      if (all >= MOST_A_DAY || own >= MOST_A_NETWORK) return false
      await addPostRead(tx, networkHash, isoIn({ clock }, 0))
      return true
    })
}
