import { workerCalls, workerFile } from '#server/kit/worker-calls.ts'
import { type ScoreRows } from './compute-scores.ts'
import { type RequestText } from './score-request.ts'

/** Those of `MOST_AT_ONCE`, and of both jobs. */
const MOST_WAITING = 6
/** A hundred thousand predictions take half a minute, and a machine with much else to do several times that. */
const COMPUTED_WITHIN_MS = 5 * 60_000
/** A thread that has scored a large record holds a hundred megabytes. */
const IDLE_MS = 10_000

/** Computes scores, one day at a time, without keeping the server from answering. */
export type ScoreThread = {
  readonly compute: (request: RequestText) => Promise<ScoreRows>
  readonly close: () => Promise<void>
}

export function scoreThread(): ScoreThread {
  const thread = workerCalls({
    file: workerFile('score-worker', import.meta.url),
    as: 'thread',
    // What our own function gives, copied from thread to thread.
    read: (answer) => answer as ScoreRows,
    mostWaiting: MOST_WAITING,
    withinMs: COMPUTED_WITHIN_MS,
    idleMs: IDLE_MS,
  })
  return {
    async compute({ text, digest }) {
      const answer = await thread.ask({ text, digest })
      if (answer.ok) return answer.answer
      throw new Error(`Scores could not be computed: ${answer.message}`)
    },
    close: thread.close,
  }
}
