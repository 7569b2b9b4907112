import { parentPort } from 'node:worker_threads'
import { z } from 'zod'
import { messageOf } from './text.ts'

const Ask = z.object({ content: z.unknown() })

/**
 * The worker's side of `worker-calls.ts`: answers each request once, with the result of `work` or its error. A child
 * process ends with the server, and ignores stop signals, which a terminal sends to both, as the server may still wait
 * for an answer.
 */
export function answerCalls(work: (content: unknown) => unknown): void {
  const send = (message: object): void => {
    if (parentPort) parentPort.postMessage(message)
    else process.send?.(message)
  }
  const answer = async (message: unknown): Promise<void> => {
    try {
      send({ answer: await work(Ask.parse(message).content) })
    } catch (error) {
      send({ fault: messageOf(error) })
    }
  }
  const hear = (message: unknown): void => void answer(message)
  if (parentPort) {
    parentPort.on('message', hear)
    return
  }
  process.on('message', hear)
  // An orderly exit would wait for native code.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})
}
