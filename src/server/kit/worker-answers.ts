import { z } from 'zod'
import { messageOf } from './text.ts'

const Ask = z.object({ content: z.unknown() })

/**
 * The worker's side of `worker-calls.ts`: answers each request once, with the result of `work` or its error. It ends with
 * the server, and ignores stop signals, which a terminal sends to both, as the server may still wait for an answer.
 */
export function answerCalls(work: (content: unknown) => unknown): void {
  const answer = async (message: unknown): Promise<void> => {
    try {
      process.send?.({ answer: await work(Ask.parse(message).content) })
    } catch (error) {
      process.send?.({ fault: messageOf(error) })
    }
  }
  process.on('message', (message) => void answer(message))
  // An orderly exit would wait for native code.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})
}
