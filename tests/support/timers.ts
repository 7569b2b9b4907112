/** Timers run by the test, so that a busy machine ends nothing too early. */
export function handTimers(): {
  after: (ms: number, run: () => void) => () => void
  /** Fires the timer of so many milliseconds. */
  runOut: (ms: number) => void
  /** The milliseconds of running timers. */
  open: () => number[]
} {
  const set = new Set<{ ms: number; run: () => void }>()
  return {
    after: (ms, run) => {
      const timer = { ms, run }
      set.add(timer)
      return () => void set.delete(timer)
    },
    runOut: (ms) => {
      const timer = [...set].find((one) => one.ms === ms)
      if (!timer) throw new Error(`no timer of ${String(ms)}`)
      set.delete(timer)
      timer.run()
    },
    open: () => [...set].map(({ ms }) => ms),
  }
}
