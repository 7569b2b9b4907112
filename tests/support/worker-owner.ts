import { z } from 'zod'
import { workerCalls } from '#server/kit/worker-calls.ts'

/*
 * A server whose worker process has an hour of work, to be killed: `node worker-owner.ts`. Prints a line once it has begun.
 */
// The worker itself keeps no process alive.
setInterval(() => {}, 1_000)
const worker = workerCalls({
  file: new URL('./hanging-worker.ts', import.meta.url),
  schema: z.string(),
  mostWaiting: 1,
  withinMs: 3_600_000,
  idleMs: 3_600_000,
})
await worker.ask({ text: 'a' })
void worker.ask({ text: 'compiled' })
process.stdout.write('begun\n')
