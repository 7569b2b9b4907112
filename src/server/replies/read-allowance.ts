const DAY_MS = 86_400_000
/** Posts that this process reads in a day for people who are not signed in: X takes money for each. */
const MOST_A_DAY = 100
const MOST_A_NETWORK = 8

/** @returns whether a post may still be read today for this network, and counts it */
export type MayRead = (networkHash: string) => boolean

export function readAllowance(now: () => number): MayRead {
  let read: readonly { readonly atMs: number; readonly by: string }[] = []
  return (networkHash) => {
    const atMs = now()
    read = read.filter((one) => one.atMs > atMs - DAY_MS)
    const own = read.filter(({ by }) => by === networkHash)
    if (read.length >= MOST_A_DAY || own.length >= MOST_A_NETWORK) return false
    read = [...read, { atMs, by: networkHash }]
    return true
  }
}
