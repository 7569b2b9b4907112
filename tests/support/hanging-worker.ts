import { parentPort } from 'node:worker_threads'
import { z } from 'zod'

/**
 * A thread whose work is to answer with what it is sent, to answer twice, to hang for good, to fail, to end, or to send what
 * cannot be read.
 */
const Ask = z.object({ id: z.number(), text: z.string() })

parentPort?.on('message', (message: unknown) => {
  const { id, text } = Ask.parse(message)
  if (text === 'hang') for (;;);
  if (text === 'end') process.exit(1)
  if (text === 'throw') throw new Error('thrown')
  if (text === 'twice') parentPort?.postMessage({ id, answer: text })
  if (text === 'garble') parentPort?.postMessage('garbled')
  else parentPort?.postMessage(text === 'fail' ? { id, fault: 'refused' } : { id, answer: text })
})
