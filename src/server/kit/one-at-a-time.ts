/**
 * Does an asynchronous work that reads the state of something, never twice at once. Asked while it runs, it runs once more
 * behind: a change that comes while reading may have come too late for that reading.
 *
 * @returns asks for it; settles when a run that began no earlier is over, and fails with it
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
