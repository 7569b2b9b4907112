import { type PostReading } from '#domain/posts/read-post.ts'
import { failure } from '#server/kit/failure.ts'
import { type TextParser } from './assistant/ports.ts'
import { workerCalls, workerFile, type WorkerWork } from '#server/kit/worker-calls.ts'

/** Read within some milliseconds each; a queue of many posts goes one by one. */
const MOST_WAITING = 50
/** A thread that has to be started first, on a machine with much else to do, takes seconds. */
const READ_WITHIN_MS = 10_000
const IDLE_MS = 60_000

/** The text parser in a thread that lives only while posts are read. */
export function threadParser(
  given: Partial<Omit<WorkerWork<PostReading>, 'read'>> = {},
): TextParser {
  const thread = workerCalls({
    file: workerFile('post-worker', import.meta.url),
    as: 'thread',
    // What our own function gives, copied from thread to thread.
    read: (answer) => answer as PostReading,
    mostWaiting: MOST_WAITING,
    withinMs: READ_WITHIN_MS,
    idleMs: IDLE_MS,
    ...given,
  })
  return {
    async read(text, context) {
      const answer = await thread.ask({ text, context })
      if (answer.ok) return answer.answer
      switch (answer.why) {
        case 'late':
          return { found: false, why: 'unread', asset: null }
        case 'busy':
          throw failure(
            'unavailable',
            'Many posts are being read right now. Please try again in a few seconds.',
            null,
            5,
          )
        case 'failed':
          throw new Error(`The text parser failed: ${answer.message}`)
      }
    },
    close: thread.close,
  }
}
