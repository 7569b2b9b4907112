/**
 * Runs `work` without overlap. A call during a run schedules one more run, as the current one may have read too
 * early.
 *
 * @returns starts it; settles with a run that began no earlier than the call
 */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null
  let again = false

  async function run(): Promise<void> {
    try {
      do {
        again = false
        await work()
      } while (again)
    } finally {
      running = null
    }
  }

  return () => {
    if (running) again = true
    else running = run()
    return running
  }
}
