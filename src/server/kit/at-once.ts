/** Does a work when it is its turn; null when too much waits already. */
export type AtOnce = <Value>(work: () => Promise<Value>) => Promise<Value | null>

/** Lets only so many works run at once; as many again as `mostWaiting` wait for their turn, and no more are taken. */
export function atOnce({ most, mostWaiting }: { most: number; mostWaiting: number }): AtOnce {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running >= most) {
      if (waiting.length >= mostWaiting) return null
      // A work that ends hands its place on, so that no other comes in between.
      await new Promise<void>((begin) => waiting.push(begin))
    } else running += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
