import { parentPort } from 'node:worker_threads'
import { z } from 'zod'

/** A thread whose work is to answer with what it is sent, to hang for good, to fail, or to end. */
const Ask = z.object({ id: z.number(), text: z.string() })

parentPort?.on('message', (message: unknown) => {
  const { id, text } = Ask.parse(message)
  if (text === 'hang') for (;;);
  if (text === 'end') process.exit(1)
  if (text === 'throw') throw new Error('thrown')
  parentPort?.postMessage(text === 'fail' ? { id, fault: 'refused' } : { id, answer: text })
})
