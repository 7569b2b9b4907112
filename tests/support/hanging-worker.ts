import { pbkdf2 } from 'node:crypto'
import { z } from 'zod'
import { answerCalls } from '#server/kit/worker-answers.ts'
import { hang } from './hang.ts'

/**
 * A worker that, on request, echoes, hangs in JavaScript or in native code, fails, exits, sends an
 * unreadable answer, or reports its process id and whether it sees the test's secret.
 */
const Ask = z.object({ content: z.object({ text: z.string() }) })

process.on('message', (message: unknown) => {
  if (Ask.parse(message).content.text === 'garble') process.send?.('garbled')
})

answerCalls((content) => {
  const { text } = Ask.shape.content.parse(content)
  switch (text) {
    case 'hang':
      return hang()
    case 'compiled':
      return new Promise((done) => pbkdf2('', '', 2 ** 31 - 1, 1, 'sha512', done))
    case 'fail':
      throw new Error('refused')
    case 'throw':
      setImmediate(() => {
        throw new Error('thrown')
      })
      return new Promise(() => {})
    case 'end':
      return process.exit(1)
    case 'pid':
      return String(process.pid)
    case 'secret':
      return process.env['TEST_SECRET'] ?? 'unseen'
    default:
      return text
  }
})
