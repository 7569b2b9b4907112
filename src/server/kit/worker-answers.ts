import { parentPort } from 'node:worker_threads'
import { z } from 'zod'
import { messageOf } from './message-of.ts'

const Ask = z.object({ id: z.number(), content: z.unknown() })

/**
 * The other end of `worker-calls.ts`: answers each ask with what `work` gives, or with why it failed. In a process it also
 * ends with the server, however that ends, and leaves signals to stop to the server: a terminal sends them to both, and
 * the server may still wait for an answer.
 */
export function answerCalls(work: (content: unknown) => unknown): void {
  const send = (message: object): void => {
    if (parentPort) parentPort.postMessage(message)
    else process.send?.(message)
  }
  const answer = async (message: unknown): Promise<void> => {
    const { id, content } = Ask.parse(message)
    try {
      send({ id, answer: await work(content) })
    } catch (error) {
      send({ id, fault: messageOf(error) })
    }
  }
  const hear = (message: unknown): void => void answer(message)
  if (parentPort) {
    parentPort.on('message', hear)
    return
  }
  process.on('message', hear)
  // An orderly exit would wait for compiled code that still runs.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})
}
